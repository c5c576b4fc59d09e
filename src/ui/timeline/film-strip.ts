import type { AppState } from '../../app/state.ts';
import type { Entry } from '../../domain/entry.ts';
import { byNumber, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { HandledCounts } from '../../domain/handled-counts.ts';
import { placeWhere } from '../../domain/long-list.ts';
import { changedIds, recordsOf } from '../../domain/table.ts';

/** How much a turn changed the shape of the forest, and so how tall its bar is. */
export type Weight = 'topic' | 'branch' | 'continue';

/** One turn on the film strip. */
export interface TurnFrame {
  readonly nodeId: NodeId;
  readonly number: number;
  /** The topic's index in creation order, for its colour. */
  readonly topic: number;
  readonly weight: Weight;
  /** How many log entries there are once the turn has been completely handled. */
  readonly count: number;
}

interface FilmStrip {
  readonly forest: Forest;
  readonly entries: readonly Entry[];
  readonly frames: readonly TurnFrame[];
  readonly handled: HandledCounts;
}

/** The last result: when the conversation only grew, just the new part is processed. */
let last: FilmStrip | null = null;

/** The turns of a forest in order of time, each with the log position at which it was done. */
export const filmStrip = ({
  forest,
  entries,
  handled: known,
}: Pick<AppState, 'forest' | 'entries' | 'handled'>): readonly TurnFrame[] => {
  if (last?.forest === forest && last.entries === entries) return last.frames;
  const before = last?.handled.goesOnIn(entries) === true ? last : null;
  const handled = before?.handled ?? new HandledCounts(known);
  const touched = handled.take(entries);
  const frames =
    (before === null ? null : framesAfter(before, forest, touched)) ??
    recordsOf(forest.nodes)
      .map((node, at) => frameOf(forest, node, handled.countOf(node.id, at) ?? entries.length))
      .sort(byNumber);
  last = { forest, entries, frames, handled };
  return frames;
};

const frameOf = (forest: Forest, node: Node, count: number): TurnFrame => ({
  nodeId: node.id,
  number: node.number,
  topic: forest.trees[node.treeId]?.order ?? 0,
  weight: weightOf(forest, node),
  count,
});

/** The frames of a forest that goes on from another; null if it is not known what has changed since. */
const framesAfter = (before: FilmStrip, forest: Forest, touched: ReadonlySet<NodeId>): readonly TurnFrame[] | null => {
  const changed = changedIds(before.forest.nodes, forest.nodes);
  const branches = changedIds(before.forest.branches, forest.branches);
  if (changed === null || branches === null) return null;
  const ids = new Set([...changed, ...touched]);
  for (const id of branches) {
    for (const branch of [before.forest.branches[id], forest.branches[id]]) if (branch) ids.add(branch.headId);
  }
  const renewed = new Map<number, TurnFrame>();
  const come: TurnFrame[] = [];
  let alike = true;
  for (const node of [...ids].flatMap((id) => forest.nodes[id] ?? []).sort(byNumber)) {
    const at = placeOf(before.frames, node.number);
    const old = before.frames[at];
    const frame = frameOf(forest, node, before.handled.countOf(node.id, at) ?? before.entries.length);
    if (old?.nodeId !== node.id) come.push(frame);
    else if (!looksAlike(old, frame) || old.count !== frame.count) {
      renewed.set(at, frame);
      alike &&= looksAlike(old, frame);
    }
  }
  const gone = new Set(changed.filter((id) => forest.nodes[id] === undefined));
  if (renewed.size === 0 && come.length === 0 && gone.size === 0) return before.frames;
  // Copied once, as a block: there may be a hundred thousand, and thousands may have moved.
  let frames = before.frames.slice();
  for (const [at, frame] of renewed) frames[at] = frame;
  if (gone.size > 0) frames = frames.filter(({ nodeId }) => !gone.has(nodeId));
  const [first] = come;
  // Restored turns go back between the others.
  const isBetween = first !== undefined && first.number < (frames.at(-1)?.number ?? 0);
  if (first !== undefined) frames = frames.concat(come);
  if (isBetween) frames.sort(byNumber);
  if (alike && first === undefined && gone.size === 0) firstAlike.set(frames, drawnAs(before.frames));
  return frames;
};

/** Maps frames to earlier ones that are drawn the same: while a turn is being handled, only its end moves. */
const firstAlike = new WeakMap<readonly TurnFrame[], readonly TurnFrame[]>();

/** One identity for all frames that are drawn the same while a conversation grows. */
export const drawnAs = (frames: readonly TurnFrame[]): readonly TurnFrame[] => firstAlike.get(frames) ?? frames;

/** The index of a turn's frame, or where it would be inserted. */
const placeOf = (frames: readonly TurnFrame[], number: number): number =>
  placeWhere(0, frames.length, (at) => (frames[at] as TurnFrame).number < number);

const looksAlike = (a: TurnFrame, b: TurnFrame): boolean => a === b || (a.topic === b.topic && a.weight === b.weight);

const weightOf = (forest: Forest, { id, parentId, branchId, decision }: Node): Weight => {
  if (parentId === null) return 'topic';
  if (forest.branches[branchId]?.headId === id) return 'branch';
  const returns = decision.topic === 'switch-topic' || decision.branch === 'switch-branch';
  return returns ? 'branch' : 'continue';
};

/** The position on the strip (from 1) at a log position: the last turn done by then. */
export const positionAt = (frames: readonly TurnFrame[], count: number | null): number => {
  if (count === null) return frames.length;
  const ends = endsOf(frames);
  const later = placeWhere(0, ends.length, (at) => (ends[at] as number) <= count);
  return later === ends.length ? later : Math.max(1, later);
};

const knownEnds = new WeakMap<readonly TurnFrame[], Float64Array>();

/** For each frame, the log position by which it and all before it were done: non-decreasing, whichever turn was done first. */
const endsOf = (frames: readonly TurnFrame[]): Float64Array => {
  const known = knownEnds.get(frames);
  if (known !== undefined) return known;
  const ends = new Float64Array(frames.length);
  let end = 0;
  for (const [at, frame] of frames.entries()) {
    end = Math.max(end, frame.count);
    ends[at] = end;
  }
  knownEnds.set(frames, ends);
  return ends;
};

/** The log position for a position on the strip; null for the last one, which is now. */
export const countAt = (frames: readonly TurnFrame[], position: number): number | null =>
  position >= frames.length ? null : (frames[Math.max(1, position) - 1]?.count ?? null);
