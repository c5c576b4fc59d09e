import { fold } from '../../domain/apply.ts';
import type { Context } from '../../domain/context.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, ReplyId } from '../../domain/forest.ts';

/** How many entries of the log stood before a reply began: its context was made of what they hold. */
export const momentOfReply = (entries: readonly Entry[], replyId: ReplyId): number | null => {
  const at = entries.findLastIndex(({ event }) => event.type === 'reply-started' && event.replyId === replyId);
  return at === -1 ? null : at;
};

/** A context and the forest it is about: `contextMessages` of the two is what is sent, byte for byte. */
export interface ShownContext {
  readonly context: Context;
  readonly forest: Forest;
}

/**
 * What a reply was sent: its context, with the forest as it stood when the reply began. Whatever was moved, hidden,
 * deleted or undone since, the bytes are those that the chat model received; only a purge takes words out of them. Null
 * where nothing was sent, or it is not known. `at` gives the forest after so many entries, from what is kept of it.
 */
export const shownContext = (
  entries: readonly Entry[],
  replyId: ReplyId,
  at: (entries: readonly Entry[], count: number) => Forest = fold,
): ShownContext | null => {
  const moment = momentOfReply(entries, replyId);
  const begun = moment === null ? undefined : entries[moment]?.event;
  if (moment === null || begun?.type !== 'reply-started' || begun.context === null) return null;
  return { context: begun.context, forest: at(entries, moment) };
};
