import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId, ReplyId } from '../../domain/forest.ts';

/** How much a turn changed the shape of the forest; the taller its bar. */
export type Weight = 'topic' | 'branch' | 'continue';

/** One turn on the film strip. */
export interface Frame {
  readonly nodeId: NodeId;
  readonly number: number;
  /** The topic's place in order of creation: its colour. */
  readonly topic: number;
  readonly weight: Weight;
  /** How many entries of the log stand when the turn has been completely handled. */
  readonly count: number;
}

/** The turns of a forest in order of time, each with the moment in the log when it was done. */
export const film = (forest: Forest, entries: readonly Entry[]): Frame[] => {
  const counts = handledCounts(entries);
  return Object.values(forest.nodes)
    .map((node) => ({
      nodeId: node.id,
      number: node.number,
      topic: forest.trees[node.treeId]?.order ?? 0,
      weight: weightOf(forest, node),
      count: counts.get(node.id) ?? entries.length,
    }))
    .sort((a, b) => a.number - b.number);
};

const weightOf = (forest: Forest, { id, parentId, branchId, decision }: Node): Weight => {
  if (parentId === null) return 'topic';
  if (forest.branches[branchId]?.headId === id) return 'branch';
  const returns = decision.topic === 'switch-topic' || decision.branch === 'switch-branch';
  return returns ? 'branch' : 'continue';
};

/**
 * For each turn ever sent, the entry count at which all that its sending set off was in the log. What
 * the person had done to it later (another reply, a correction) comes after that moment.
 */
export const handledCounts = (entries: readonly Entry[]): Map<NodeId, number> => {
  const counts = new Map<NodeId, number>();
  let current: NodeId | null = null;
  let replyId: ReplyId | null = null;
  for (const [index, { event }] of entries.entries()) {
    if (event.type === 'message-sent') {
      current = event.nodeId;
      replyId = null;
      counts.set(current, index + 1);
    } else if (event.type === 'reply-started' && event.nodeId === current) {
      if (replyId === null) replyId = event.replyId;
      // Another reply to the same turn: the person asked for it, the turn had been handled.
      else current = null;
    }
    if (current !== null && belongs(event, current)) counts.set(current, index + 1);
  }
  return counts;
};

/** Whether an event is one that the engine adds while it handles a turn. */
const belongs = (event: Entry['event'], nodeId: NodeId): boolean => {
  switch (event.type) {
    case 'turn-placed':
    case 'reply-started':
    case 'reply-received':
    case 'reply-ended':
    case 'summarised':
      return event.nodeId === nodeId;
    case 'topic-titled':
      return event.by === 'engine';
    default:
      return false;
  }
};

/** The place on the strip (from 1) at a moment of the log: the last turn that was done by then. */
export const positionAt = (frames: readonly Frame[], count: number | null): number => {
  if (count === null) return frames.length;
  const later = frames.findIndex((frame) => frame.count > count);
  return later === -1 ? frames.length : Math.max(1, later);
};

/** The moment to travel to for a place on the strip; the last place is now. */
export const countAt = (frames: readonly Frame[], position: number): number | null =>
  position >= frames.length ? null : (frames[Math.max(1, position) - 1]?.count ?? null);
