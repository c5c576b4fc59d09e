import type { Entry } from '../../domain/entry.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { breathing } from '../breathe.ts';
import type { Policy, Remembered } from '../context/policy.ts';
import type { EngineCore } from '../core.ts';
import { inputThen, turnThen } from './contexts-then.ts';

/** A policy's memory as it was before a turn, with what it recalls for the turn's message. */
export interface MemoryThen extends Remembered {
  /** The forest as it stood then: what the turns of a cell are looked up in. */
  readonly forest: Forest;
}

/**
 * The memory of a policy just before a turn's chosen reply began, made by the models of now. Null for a turn that never had
 * a place, and for a policy that keeps no memory. Rejects where a model fails, and if the signal fires.
 */
export const memoryThen = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  policy: Policy,
  signal: AbortSignal,
): Promise<MemoryThen | null> => {
  const then = turnThen(entries, nodeId);
  if (then === null || policy.remember === undefined) return null;
  const breath = breathing(core.parts.now);
  const taken = async () => {
    signal.throwIfAborted();
    await breath();
  };
  const remembered = await policy.remember(inputThen(core, then, { nearness: () => null, taken }));
  signal.throwIfAborted();
  return { ...remembered, forest: then.forest };
};
