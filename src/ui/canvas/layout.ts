import { type HierarchyNode, hierarchy, tree as tidyTree } from 'd3-hierarchy';
import Flatbush from 'flatbush';
import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { treesOf } from '../../domain/queries.ts';
import { changedIds } from '../../domain/table.ts';
import { type Folding, shownChildren, UNFOLDED } from './folding.ts';
import {
  CARD,
  COUSIN_SEPARATION,
  type Rect,
  ROW_GAP,
  SHELF_GAP,
  SIBLING_GAP,
  TITLE_HEIGHT,
  TOPIC_GAP,
} from './geometry.ts';

/** A topic's tree with its position; the title is in the TITLE_HEIGHT above `y`. */
export interface PlacedTree {
  readonly treeId: TreeId;
  /** The topic's index in creation order; picks the colour. */
  readonly order: number;
  readonly x: number;
  readonly y: number;
  /** Offset of `x` within the topic's slot. */
  readonly offset: number;
  readonly tree: TreeLayout;
}

export interface ForestLayout {
  /** In creation order. */
  readonly trees: readonly PlacedTree[];
  readonly placeOf: ReadonlyMap<TreeId, PlacedTree>;
  readonly slots: readonly Slot[];
  /** Of everything, titles included; starts at 0, 0. */
  readonly width: number;
  readonly height: number;
  readonly turns: number;
  /** What it was made from, to detect quickly that nothing changed. */
  readonly source: Pick<Forest, 'trees' | 'children'> & { readonly folding: Folding };
}

/** A card: its tree and its index in it. */
export interface CardRef {
  readonly placed: PlacedTree;
  readonly index: number;
}

/**
 * Lays out the visible part of the forest, reusing every tree of the previous layout whose shape is unchanged. Returns
 * the previous layout itself if nothing moved.
 */
export const layoutForest = (
  forest: Forest,
  previous: ForestLayout | null,
  folding: Folding = UNFOLDED,
): ForestLayout => {
  const work = layingOut(forest, previous, folding);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
};

/** Number of cards laid out, or found unchanged, within a millisecond or two. */
const PART = 500;

/** The same in parts, so that the caller can do something else in between. */
export function* layingOut(
  forest: Forest,
  previous: ForestLayout | null,
  folding: Folding,
): Generator<undefined, ForestLayout> {
  const source = { trees: forest.trees, children: forest.children, folding };
  if (previous !== null && isLaidOut(previous, forest, folding)) return previous;
  const topics = treesOf(forest).filter(({ rootId }) => folding.near?.has(rootId) !== false);
  const reshaped = previous?.source.folding === folding ? reshapedTopics(previous.source, forest) : null;
  const shapes: TreeLayout[] = [];
  let looked = 0;
  for (const { id, rootId } of topics) {
    const before = previous?.placeOf.get(id)?.tree;
    const stays = before !== undefined && reshaped?.has(id) === false && before.ids[0] === rootId;
    const same = before !== undefined && (stays || hasShape(forest, rootId, before, folding)) ? before : null;
    const shape = same ?? layoutTree(forest, rootId, folding);
    shapes.push(shape);
    looked += stays ? 0 : shape.ids.length;
    if (looked < PART) continue;
    looked = 0;
    yield;
  }
  const wanted = topics.map(({ id, order }, at) => ({ treeId: id, order, width: (shapes[at] as TreeLayout).width }));
  const slots = slotsFor(wanted, previous?.slots ?? []);
  const heights = new Map(topics.map(({ id }, at) => [id, (shapes[at] as TreeLayout).height + TITLE_HEIGHT]));
  const boxes = slots.map(({ treeId, width }) => ({ width, height: heights.get(treeId) ?? 0 }));
  const packed = packShelves(boxes, TOPIC_GAP, SHELF_GAP);
  const slotAt = new Map(slots.map(({ treeId }, at) => [treeId, at]));
  const placed = topics.map(({ id, order }, at): PlacedTree => {
    const tree = shapes[at] as TreeLayout;
    const slot = slotAt.get(id) as number;
    const { x, y } = packed.places[slot] as { x: number; y: number };
    const before = previous?.placeOf.get(id);
    const offset = before === undefined ? 0 : offsetIn((slots[slot] as Slot).width, tree, before.tree, before.offset);
    const place = { treeId: id, order, x: x + offset, y: y + TITLE_HEIGHT, offset, tree };
    return before !== undefined && isSame(before, place) ? before : place;
  });
  if (
    previous !== null &&
    placed.length === previous.trees.length &&
    placed.every((one, at) => one === previous.trees[at])
  ) {
    return Object.assign(previous, { source });
  }
  return {
    trees: placed,
    placeOf: new Map(placed.map((one) => [one.treeId, one])),
    slots,
    width: Math.max(packed.width, 0),
    height: packed.height,
    turns: shapes.reduce((sum, shape) => sum + shape.ids.length, 0),
    source,
  };
}

/** Topics in which a turn gained or lost children; null if any may be affected. */
const reshapedTopics = (source: ForestLayout['source'], { children, nodes }: Forest): ReadonlySet<TreeId> | null => {
  const changed = changedIds(source.children, children);
  if (changed === null) return null;
  const topics = new Set<TreeId>();
  for (const id of changed) {
    const node = nodes[id];
    if (node === undefined) return null;
    topics.add(node.treeId);
  }
  return topics;
};

/** Whether a layout is of exactly that forest. */
export const isLaidOut = (
  { source }: Pick<ForestLayout, 'source'>,
  { trees, children }: Forest,
  folding: Folding,
): boolean => source.children === children && source.trees === trees && source.folding === folding;

const isSame = (a: PlacedTree, b: PlacedTree): boolean =>
  a.tree === b.tree && a.x === b.x && a.y === b.y && a.order === b.order;

export const cardOf = (layout: ForestLayout, node: Pick<Node, 'id' | 'treeId'> | undefined): CardRef | null => {
  const placed = node === undefined ? undefined : layout.placeOf.get(node.treeId);
  const index = node === undefined ? undefined : placed?.tree.indexOf.get(node.id);
  return placed === undefined || index === undefined ? null : { placed, index };
};

export const cardNodeId = ({ placed, index }: CardRef): NodeId => placed.tree.ids[index] as NodeId;

export const boxOf = ({ placed, index }: CardRef): Rect => ({
  x: placed.x + (placed.tree.xs[index] as number),
  y: placed.y + (placed.tree.ys[index] as number),
  ...CARD,
});

/** More new turns than this at once mean a different forest rather than growth: nothing is animated. */
const GROWTH = 3;
export const NOTHING_NEW: ReadonlySet<NodeId> = new Set();

/** The turns of a layout that were not in the one before. */
export const newIn = (layout: ForestLayout, before: ForestLayout): ReadonlySet<NodeId> => {
  if (Math.abs(layout.turns - before.turns) > GROWTH) return NOTHING_NEW;
  const ids = layout.trees.flatMap(({ treeId, tree }) => {
    const former = before.placeOf.get(treeId)?.tree;
    if (former === tree) return [];
    const others = tree.ids.filter((id) => former?.indexOf.has(id) !== true);
    // A turn moved from another topic is not new.
    return others.filter((id) => !before.trees.some((old) => old.tree.indexOf.has(id)));
  });
  return ids.length <= GROWTH ? new Set(ids) : NOTHING_NEW;
};

/** The space reserved for a topic. It stays as wide when the topic gets narrower, so that no other has to move. */
interface Slot {
  readonly treeId: TreeId;
  readonly order: number;
  readonly width: number;
}

/** When the slots together are this many times as wide as their contents, all are packed again. */
const WASTE = 1.6;

/**
 * Slots for topics of the `wanted` widths, in the same order: the existing ones, widened where needed. A deleted topic
 * leaves its slot, so that undo brings it back there; at the very end it leaves nothing.
 */
const slotsFor = (wanted: readonly Slot[], before: readonly Slot[]): readonly Slot[] => {
  if (before.length === 0) return wanted;
  const former = new Map(before.map((slot) => [slot.treeId, slot]));
  const there = new Set(wanted.map(({ treeId }) => treeId));
  const kept = wanted.map((slot) => {
    const old = former.get(slot.treeId);
    return old === undefined || old.order !== slot.order || old.width <= slot.width ? slot : old;
  });
  const last = wanted.at(-1)?.order ?? -1;
  const vacated = before.filter(({ treeId, order }) => order < last && !there.has(treeId));
  const slots = vacated.length === 0 ? kept : [...kept, ...vacated].sort((a, b) => a.order - b.order);
  return widthOf(slots) > WASTE * widthOf(wanted) ? wanted : slots;
};

const widthOf = (slots: readonly Slot[]): number => slots.reduce((sum, { width }) => sum + width, 0);

/**
 * The tree's offset in its slot that leaves as many cards as possible where they were; `before` is the topic's previous
 * layout, `offset` its previous offset in the slot.
 */
const offsetIn = (slotWidth: number, tree: TreeLayout, before: TreeLayout, offset: number): number => {
  const room = slotWidth - tree.width;
  if (room <= 0) return 0;
  const wanted = tree === before ? offset : offset + commonShift(tree, before);
  return clamp(wanted, 0, room);
};

const commonShift = (tree: TreeLayout, before: TreeLayout): number => {
  const counts = new Map<number, number>();
  let best = 0;
  for (const [at, id] of tree.ids.entries()) {
    const old = before.indexOf.get(id);
    if (old === undefined) continue;
    const shift = Math.round((before.xs[old] as number) - (tree.xs[at] as number));
    const count = (counts.get(shift) ?? 0) + 1;
    counts.set(shift, count);
    if (count > (counts.get(best) ?? 0)) best = shift;
  }
  return best;
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Aspect ratio of a packed forest, so that it fills a pane instead of forming a thread. */
const ASPECT = 1.4;
/** Initial row width … */
const FIRST_WIDTH = 2000;
/** … which grows in steps, so that a growing forest is seldom rearranged. */
const STEP = 1.25;

/**
 * Packs boxes side by side in the given order, in as many rows as give the whole about the aspect ratio ASPECT; a few
 * boxes make one row. Returns their top left corners and the total size.
 */
export const packShelves = (boxes: readonly Size[], gap: number, rowGap: number) => {
  const total = boxes.reduce((sum, box) => sum + box.width + gap, -gap);
  let limit = FIRST_WIDTH;
  while (limit < total && sizeWithin(boxes, limit, gap, rowGap).height * ASPECT > limit) limit *= STEP;
  return packBoxes(boxes, limit, gap, rowGap);
};

/** Rows up to the limit, or as wide as their only box. */
export const packBoxes = (boxes: readonly Size[], limit: number, gap: number, rowGap: number) => {
  const places: { readonly x: number; readonly y: number }[] = [];
  const size = sizeWithin(boxes, limit, gap, rowGap, (x, y) => places.push({ x, y }));
  return { places, ...size };
};

/** The size of the rows; `place` receives the top left corner of each box. */
const sizeWithin = (
  boxes: readonly Size[],
  limit: number,
  gap: number,
  rowGap: number,
  place?: (x: number, y: number) => void,
): Size => {
  let x = 0;
  let y = 0;
  let row = 0;
  let width = 0;
  for (const box of boxes) {
    if (x > 0 && x + box.width > limit) {
      y += row + rowGap;
      x = 0;
      row = 0;
    }
    place?.(x, y);
    x += box.width + gap;
    row = Math.max(row, box.height);
    width = Math.max(width, x - gap);
  }
  return { width, height: y + row };
};

/** The positions of a topic's cards, relative to the tree's top left corner. */
export interface TreeLayout {
  /** Parents before children; every other list follows this order. */
  readonly ids: readonly NodeId[];
  readonly indexOf: ReadonlyMap<NodeId, number>;
  /** −1 for the root. */
  readonly parents: Int32Array;
  /** Visible children only. */
  readonly children: readonly (readonly NodeId[])[];
  /** Top left corners. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** Cards that start a straight run (a root, or a child of a fork), and the last card of that run. */
  readonly runs: readonly (readonly [head: number, tip: number])[];
  readonly width: number;
  readonly height: number;
  /** Spatial index of the cards, each together with its incoming line. */
  readonly index: Flatbush;
}

const PITCH_X = CARD.width + SIBLING_GAP;
const PITCH_Y = CARD.height + ROW_GAP;

/** Lays a topic out as a tidy tree from top to bottom. Iterative: a chain may be any length. */
export const layoutTree = (forest: Forest, rootId: NodeId, folding: Folding = UNFOLDED): TreeLayout => {
  const ids: NodeId[] = [rootId];
  const indexOf = new Map([[rootId, 0]]);
  const parents = [-1];
  const depths = [0];
  const children: (readonly NodeId[])[] = [];
  const points = [new Point(0)];
  for (let at = 0; at < ids.length; at++) {
    const own = shownChildren(forest, folding, ids[at] as NodeId);
    const parent = points[at] as HierarchyNode<number>;
    children.push(own);
    for (const id of own) {
      const index = ids.push(id) - 1;
      indexOf.set(id, index);
      parents.push(at);
      depths.push((depths[at] as number) + 1);
      const point = new Point(index);
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
  // Filled in loops: `from` would use an iterator.
  const xs = new Float64Array(ids.length);
  const ys = new Float64Array(ids.length);
  for (let at = 0; at < ids.length; at++) {
    xs[at] = (points[at]?.x ?? 0) - left;
    ys[at] = (depths[at] as number) * PITCH_Y;
  }
  let index: Flatbush | null = null;
  return {
    ids,
    indexOf,
    parents: new Int32Array(parents),
    children,
    xs,
    ys,
    runs: straightRuns(parents, children, indexOf),
    width: right - left + CARD.width,
    height: depth * PITCH_Y + CARD.height,
    // Lazy: most topics of a large forest are entirely in or out of view.
    get index() {
      index ??= indexCards(parents, xs, ys);
      return index;
    },
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

/**
 * Nodes are created one by one and linked by hand: `hierarchy` takes quadratic time for a long chain. The class is d3's
 * own, which its types do not export.
 */
const Point = hierarchy(0).constructor as new (index: number) => HierarchyNode<number>;

const arrange = tidyTree<number>()
  .nodeSize([PITCH_X, PITCH_Y])
  .separation((a, b) => (a.parent === b.parent ? 1 : COUSIN_SEPARATION));

/** Cards that start a straight run, each with the run's last card. */
export const straightRuns = (
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
