import type { Entry } from '../../domain/entry.ts';
import type { ReplyId } from '../../domain/forest.ts';

/** How many entries of the log stood before a reply began: its context was made of what they hold. */
export const momentOfReply = (entries: readonly Entry[], replyId: ReplyId): number | null => {
  const at = entries.findLastIndex(({ event }) => event.type === 'reply-started' && event.replyId === replyId);
  return at === -1 ? null : at;
};
