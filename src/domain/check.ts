import type { EventOf } from './events.ts';
import { type Forest, PERSON, type StepId } from './forest.ts';
import type { PlainEvent, Refusal } from './handle.ts';
import { brokeOff, isAncestor, pendingTurn } from './queries.ts';

/** Why an event cannot happen to a forest; null if it can. */
export const check = (forest: Forest, event: PlainEvent, step: StepId | null): Refusal | null => {
  const pending = pendingTurn(forest) !== null;
  if (step !== null && pending) return 'turn-pending';
  switch (event.type) {
    case 'message-sent':
      if (event.message.trim() === '') return 'empty-message';
      if (forest.nodes[event.nodeId] || pending) return pending ? 'turn-pending' : 'duplicate-id';
      return event.target?.kind === 'under' && !forest.nodes[event.target.nodeId] ? 'unknown-turn' : null;
    case 'overview-built':
    case 'conversation-titled':
    case 'reply-settings-set':
      return null;
    case 'topic-titled': {
      const tree = forest.trees[event.treeId];
      if (tree === undefined) return 'unknown-topic';
      // A person's title stays: an engine's is no longer wanted.
      return event.by === 'engine' && tree.titledBy === 'person' ? 'already-there' : null;
    }
    case 'activated':
      if (!forest.nodes[event.nodeId]) return 'unknown-turn';
      return forest.active?.nodeId === event.nodeId ? 'already-there' : null;
    case 'summarised': {
      const node = forest.nodes[event.nodeId];
      if (node === undefined) return 'unknown-turn';
      // What the person wrote stays, unless they ask for another.
      return node.summary?.by === PERSON && event.by !== PERSON && step === null ? 'already-there' : null;
    }
    case 'turn-pinned':
    case 'turn-noted':
      return forest.nodes[event.nodeId] ? null : 'unknown-turn';
    case 'turns-hidden':
    case 'turns-purged':
      return event.nodeIds.some((id) => forest.nodes[id] !== undefined) ? null : 'unknown-turn';
    case 'reference-added':
      return checkReference(forest, event);
    case 'reference-removed': {
      const node = forest.nodes[event.nodeId];
      return node?.references.some(({ to }) => to === event.to) ? null : 'unknown-turn';
    }
    case 'branch-titled':
      return forest.branches[event.branchId] ? null : 'unknown-topic';
    case 'reply-started': {
      const node = forest.nodes[event.nodeId];
      if (node === undefined) return 'unknown-turn';
      return node.replies.some((reply) => reply.id === event.replyId) ? 'duplicate-id' : null;
    }
    case 'reply-chosen':
    case 'reply-received':
    case 'reply-ended':
    case 'reply-resumed':
      return checkReply(forest, event);
  }
};

const checkReference = (forest: Forest, { nodeId, reference }: EventOf<'reference-added'>): Refusal | null => {
  if (!forest.nodes[nodeId] || !forest.nodes[reference.to]) return 'unknown-turn';
  return reference.to === nodeId || isAncestor(forest, reference.to, nodeId) ? 'on-its-path' : null;
};

const checkReply = (
  forest: Forest,
  event: EventOf<'reply-chosen' | 'reply-received' | 'reply-ended' | 'reply-resumed'>,
): Refusal | null => {
  const node = forest.nodes[event.nodeId];
  if (node === undefined) return 'unknown-turn';
  const reply = node.replies.find((candidate) => candidate.id === event.replyId);
  if (reply === undefined) return 'unknown-reply';
  const open = reply.state === 'streaming';
  switch (event.type) {
    case 'reply-chosen':
      return node.replyId === reply.id ? 'already-there' : null;
    case 'reply-resumed':
      return brokeOff(reply) ? null : 'reply-open';
    case 'reply-received':
    case 'reply-ended':
      return open ? null : 'reply-not-open';
  }
};
