import { fold } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest } from '../../domain/forest.ts';
import { scrub } from '../../domain/scrub.ts';

/** A conversation as others get to see it. */
export interface SharedConversation {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/** The same without the words of turns that were deleted or undone: a log keeps those, and nobody means to share them. */
export const withoutDeleted = (title: string, entries: readonly Entry[], forest: Forest): SharedConversation => {
  const gone = entries.flatMap(({ event }) =>
    event.type === 'message-sent' && forest.nodes[event.nodeId] === undefined ? [event.nodeId] : [],
  );
  if (gone.length === 0) return { title, entries, forest };
  const kept = scrub(entries, gone);
  return { title, entries: kept, forest: fold(kept) };
};
