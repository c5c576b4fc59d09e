import type { Entry } from '../../domain/entry.ts';
import type { ReplyId } from '../../domain/forest.ts';

/** Returns how many log entries came before a reply began: its context was built from them. */
export const momentOfReply = (entries: readonly Entry[], replyId: ReplyId): number | null => {
  const at = entries.findLastIndex(({ event }) => event.type === 'reply-started' && event.replyId === replyId);
  return at === -1 ? null : at;
};
