import { type HierarchyNode, hierarchy, tree as tidyTree } from 'd3-hierarchy';
import Flatbush from 'flatbush';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { type Folding, shownChildren, UNFOLDED } from './folding.ts';
import { CARD, COUSIN_SEPARATION, ROW_GAP, SIBLING_GAP } from './measures.ts';

/** A topic's cards in their places, measured from the tree's own top left corner. */
export interface TreeLayout {
  /** Parents before children; every other list follows this order. */
  readonly ids: readonly NodeId[];
  readonly indexOf: ReadonlyMap<NodeId, number>;
  /** −1 for the root. */
  readonly parents: Int32Array;
  /** Those shown. */
  readonly children: readonly (readonly NodeId[])[];
  /** Top left corners. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** Cards that begin a straight run (a root, or a child of a fork), and the last card of that run. */
  readonly runs: readonly (readonly [head: number, tip: number])[];
  readonly width: number;
  readonly height: number;
  /** Over each card together with the line that leads to it. */
  readonly index: Flatbush;
}

const PITCH_X = CARD.width + SIBLING_GAP;
const PITCH_Y = CARD.height + ROW_GAP;

/** Lays a topic out as a tidy tree from top to bottom. Walks without recursion: a chain may be any length. */
export const layoutTree = (forest: Forest, rootId: NodeId, folding: Folding = UNFOLDED): TreeLayout => {
  const ids: NodeId[] = [rootId];
  const indexOf = new Map([[rootId, 0]]);
  const parents = [-1];
  const depths = [0];
  const children: (readonly NodeId[])[] = [];
  const points = [pointOf(0)];
  for (let at = 0; at < ids.length; at++) {
    const own = shownChildren(forest, folding, ids[at] as NodeId);
    const parent = points[at] as HierarchyNode<number>;
    children.push(own);
    for (const id of own) {
      const index = ids.push(id) - 1;
      indexOf.set(id, index);
      parents.push(at);
      depths.push((depths[at] as number) + 1);
      const point = pointOf(index);
      point.parent = parent;
      if (parent.children === undefined) parent.children = [point];
      else parent.children.push(point);
      points.push(point);
    }
  }
  arrange(points[0] as HierarchyNode<number>);

  let left = 0;
  let right = 0;
  let depth = 0;
  for (const { x = 0 } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  for (const value of depths) depth = Math.max(depth, value);
  const xs = Float64Array.from(points, ({ x = 0 }) => x - left);
  const ys = Float64Array.from(depths, (value) => value * PITCH_Y);
  return {
    ids,
    indexOf,
    parents: Int32Array.from(parents),
    children,
    xs,
    ys,
    runs: runsOf(parents, children, indexOf),
    width: right - left + CARD.width,
    height: depth * PITCH_Y + CARD.height,
    index: indexCards(parents, xs, ys),
  };
};

/** Whether the topic still has the shape that was laid out. */
export const hasShape = (forest: Forest, rootId: NodeId, layout: TreeLayout, folding: Folding = UNFOLDED): boolean =>
  layout.ids[0] === rootId &&
  layout.ids.every((id, at) => {
    const before = layout.children[at] as readonly NodeId[];
    const now = shownChildren(forest, folding, id);
    return now === before || (now.length === before.length && now.every((child, place) => child === before[place]));
  });

/** One at a time and linked by hand: `hierarchy` of a whole chain takes a time that grows with its square. */
const pointOf = (index: number): HierarchyNode<number> => hierarchy(index);

const arrange = tidyTree<number>()
  .nodeSize([PITCH_X, PITCH_Y])
  .separation((a, b) => (a.parent === b.parent ? 1 : COUSIN_SEPARATION));

/** Cards that begin a straight run, with its last card. */
export const runsOf = (
  parents: readonly number[],
  children: readonly (readonly NodeId[])[],
  indexOf: Map<NodeId, number>,
) =>
  parents.flatMap((parent, head): [number, number][] => {
    if (parent !== -1 && children[parent]?.length === 1) return [];
    let tip = head;
    for (let own = children[tip]; own?.length === 1; own = children[tip]) tip = indexOf.get(own[0] as NodeId) as number;
    return [[head, tip]];
  });

export const indexCards = (parents: readonly number[], xs: Float64Array, ys: Float64Array): Flatbush => {
  const index = new Flatbush(parents.length);
  for (let at = 0; at < parents.length; at++) {
    const x = xs[at] as number;
    const y = ys[at] as number;
    const parent = parents[at] as number;
    const from = parent === -1 ? x : (xs[parent] as number);
    const top = parent === -1 ? y : y - ROW_GAP;
    index.add(Math.min(x, from), top, Math.max(x, from) + CARD.width, y + CARD.height);
  }
  index.finish();
  return index;
};
