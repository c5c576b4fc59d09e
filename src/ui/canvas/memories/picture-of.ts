import type { PolicyContext } from '../../../engine/history/compare-contexts.ts';
import type { MemoryThen } from '../../../engine/history/memory-then.ts';
import { contextScene } from './context-scene.ts';
import { memoryScene } from './memory-scene.ts';
import type { Picture } from './picture.ts';

/** What a policy has for a turn, to be drawn. */
export interface PictureOf {
  readonly policy: string;
  /** What it sends for the turn; null where that is not known. */
  readonly context: PolicyContext | null;
  /** Of a policy that keeps a memory of its own; null of others. */
  readonly memory: MemoryThen | null;
}

/** The policy's own structure in the shape of a pane (width by height); null where there is nothing to draw. */
export const pictureOf = ({ context, memory }: PictureOf, aspect: number): Picture | null => {
  if (memory !== null) return memoryScene(memory, context?.context.segments ?? null, aspect);
  return context === null ? null : contextScene(context, aspect);
};
