import type { Entry } from '../../domain/entry.ts';
import type { ReplyId } from '../../domain/forest.ts';

/** Returns the number of log entries before a reply began, from which its context was built. */
export const momentOfReply = (entries: readonly Entry[], replyId: ReplyId): number | null => {
  const at = entries.findLastIndex(({ event }) => event.type === 'reply-started' && event.replyId === replyId);
  return at === -1 ? null : at;
};
