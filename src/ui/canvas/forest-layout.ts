import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { treesOf } from '../../domain/queries.ts';
import { type Folding, UNFOLDED } from './folding.ts';
import { CARD, type Rect, SHELF_GAP, TITLE_HEIGHT, TOPIC_GAP } from './measures.ts';
import { packShelves } from './shelves.ts';
import { offsetIn, type Slot, slotsFor } from './slots.ts';
import { hasShape, layoutTree, type TreeLayout } from './tree-layout.ts';

/** A topic's tree in its place; its title stands in the TITLE_HEIGHT above `y`. */
export interface PlacedTree {
  readonly treeId: TreeId;
  /** Counts topics in the order they were created; picks the colour. */
  readonly order: number;
  readonly x: number;
  readonly y: number;
  /** Of `x`, in the topic's slot. */
  readonly offset: number;
  readonly tree: TreeLayout;
}

export interface ForestLayout {
  /** In order of creation. */
  readonly trees: readonly PlacedTree[];
  readonly placeOf: ReadonlyMap<TreeId, PlacedTree>;
  readonly slots: readonly Slot[];
  /** Of everything, titles included; starts at 0, 0. */
  readonly width: number;
  readonly height: number;
  readonly turns: number;
  /** What it was made from, to see at once when nothing changed. */
  readonly source: Pick<Forest, 'trees' | 'children'> & { readonly folding: Folding };
}

/** A card: its tree and its index there. */
export interface CardRef {
  readonly placed: PlacedTree;
  readonly index: number;
}

/**
 * Lays out what of the forest is shown, taking from the previous layout every tree whose shape is the same. Returns
 * the previous layout itself if nothing moved.
 */
export const layoutForest = (
  forest: Forest,
  previous: ForestLayout | null,
  folding: Folding = UNFOLDED,
): ForestLayout => {
  const source = { trees: forest.trees, children: forest.children, folding };
  if (previous !== null && isFrom(previous, source)) return previous;
  const topics = treesOf(forest).filter(({ rootId }) => folding.near?.has(rootId) !== false);
  const shapes = topics.map(({ id, rootId }) => {
    const before = previous?.placeOf.get(id)?.tree;
    return before !== undefined && hasShape(forest, rootId, before, folding)
      ? before
      : layoutTree(forest, rootId, folding);
  });
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
};

const isFrom = ({ source }: ForestLayout, { trees, children, folding }: ForestLayout['source']): boolean =>
  source.children === children && source.trees === trees && source.folding === folding;

const isSame = (a: PlacedTree, b: PlacedTree): boolean =>
  a.tree === b.tree && a.x === b.x && a.y === b.y && a.order === b.order;

export const cardOf = (layout: ForestLayout, node: Pick<Node, 'id' | 'treeId'> | undefined): CardRef | null => {
  const placed = node === undefined ? undefined : layout.placeOf.get(node.treeId);
  const index = node === undefined ? undefined : placed?.tree.indexOf.get(node.id);
  return placed === undefined || index === undefined ? null : { placed, index };
};

export const idOf = ({ placed, index }: CardRef): NodeId => placed.tree.ids[index] as NodeId;

export const boxOf = ({ placed, index }: CardRef): Rect => ({
  x: placed.x + (placed.tree.xs[index] as number),
  y: placed.y + (placed.tree.ys[index] as number),
  ...CARD,
});
