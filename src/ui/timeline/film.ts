import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId, ReplyId } from '../../domain/forest.ts';
import { changedIds, recordsOf } from '../../domain/table.ts';

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

interface Film {
  readonly forest: Forest;
  readonly entries: readonly Entry[];
  readonly frames: readonly Frame[];
  readonly handled: HandledCounts;
}

/** The one made last: of a conversation that went on, only what came is looked at. */
let last: Film | null = null;

/** The turns of a forest in order of time, each with the moment in the log when it was done. */
export const film = (forest: Forest, entries: readonly Entry[]): readonly Frame[] => {
  if (last?.forest === forest && last.entries === entries) return last.frames;
  const before = last?.handled.goesOnIn(entries) === true ? last : null;
  const handled = before?.handled ?? new HandledCounts();
  const touched = handled.take(entries);
  const frames =
    (before === null ? null : framesAfter(before, forest, touched)) ??
    recordsOf(forest.nodes)
      .map((node) => frameOf(forest, node, handled.counts.get(node.id) ?? entries.length))
      .sort((a, b) => a.number - b.number);
  last = { forest, entries, frames, handled };
  return frames;
};

const frameOf = (forest: Forest, node: Node, count: number): Frame => ({
  nodeId: node.id,
  number: node.number,
  topic: forest.trees[node.treeId]?.order ?? 0,
  weight: weightOf(forest, node),
  count,
});

/** The frames of a forest that went on from another; null where more has changed than that turns came to it. */
const framesAfter = (before: Film, forest: Forest, touched: ReadonlySet<NodeId>): readonly Frame[] | null => {
  const changed = changedIds(before.forest.nodes, forest.nodes);
  const branches = changedIds(before.forest.branches, forest.branches);
  if (changed === null || branches === null) return null;
  if (changed.some((id) => forest.nodes[id] === undefined)) return null;
  const ids = new Set([...changed, ...touched]);
  for (const id of branches) {
    const [was, is] = [before.forest.branches[id], forest.branches[id]];
    if (was !== undefined && was.headId !== is?.headId) return null;
    if (is !== undefined) ids.add(is.headId);
  }
  let { frames } = before;
  for (const node of [...ids].flatMap((id) => forest.nodes[id] ?? []).sort((a, b) => a.number - b.number)) {
    const at = placeOf(frames, node.number);
    const old = frames[at];
    const frame = frameOf(forest, node, before.handled.counts.get(node.id) ?? before.entries.length);
    if (old === undefined) frames = [...frames, frame];
    else if (old.nodeId !== node.id) return null;
    else if (!looksAlike(old, frame) || old.count !== frame.count) frames = frames.with(at, frame);
  }
  return frames;
};

/** Where the frame of a turn stands, or would. */
const placeOf = (frames: readonly Frame[], number: number): number => {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle] as Frame).number < number) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Whether two frames are drawn alike. */
export const looksAlike = (a: Frame, b: Frame): boolean => a === b || (a.topic === b.topic && a.weight === b.weight);

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
export class HandledCounts {
  readonly counts = new Map<NodeId, number>();
  #taken = 0;
  #last: Entry | undefined;
  #current: NodeId | null = null;
  #replyId: ReplyId | null = null;

  /** Whether a log begins with all that was taken. */
  goesOnIn(entries: readonly Entry[]): boolean {
    return entries.length >= this.#taken && entries[this.#taken - 1] === this.#last;
  }

  /** Takes what a log has after that, and says of which turns the count has changed. */
  take(entries: readonly Entry[]): ReadonlySet<NodeId> {
    const touched = new Set<NodeId>();
    for (; this.#taken < entries.length; this.#taken++) {
      const { event } = entries[this.#taken] as Entry;
      if (event.type === 'message-sent') {
        this.#current = event.nodeId;
        this.#replyId = null;
      } else if (event.type === 'reply-started' && event.nodeId === this.#current) {
        if (this.#replyId === null) this.#replyId = event.replyId;
        // Another reply to the same turn: the person asked for it, the turn had been handled.
        else this.#current = null;
      }
      if (this.#current === null || !belongs(event, this.#current)) continue;
      this.counts.set(this.#current, this.#taken + 1);
      touched.add(this.#current);
    }
    this.#last = entries.at(-1);
    return touched;
  }
}

/** Whether an event is one that the engine adds while it handles a turn. */
const belongs = (event: Entry['event'], nodeId: NodeId): boolean => {
  switch (event.type) {
    case 'message-sent':
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
