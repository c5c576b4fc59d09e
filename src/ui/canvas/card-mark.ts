import { wordOf } from '../../domain/decision.ts';
import type { Node, Reply } from '../../domain/forest.ts';

/** How a turn got to its place, in a word or two; null where it simply went on. */
export const markOf = ({ decision, label, parentId }: Node): string | null => {
  if (label !== null && wordOf(label) === 'corrected') return 'moved by you';
  if (decision.topic === 'switch-topic')
    return decision.branch === 'create-branch' ? 'back, new branch' : 'back to topic';
  if (decision.branch === 'create-branch') return 'new branch';
  if (decision.branch === 'switch-branch') return 'other branch';
  return parentId === null ? 'new topic' : null;
};

/** What there is to know about a reply that is not simply done; null otherwise. */
export const troubleOf = (reply: Reply | null): 'stopped' | 'interrupted' | 'failed' | null =>
  reply === null || reply.state === 'done' || reply.state === 'streaming' ? null : reply.state;
