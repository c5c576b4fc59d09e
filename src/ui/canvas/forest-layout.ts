import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { treesOf } from '../../domain/queries.ts';
import { CARD, type Rect, SHELF_GAP, TITLE_HEIGHT, TOPIC_GAP } from './measures.ts';
import { packShelves } from './shelves.ts';
import { hasShape, layoutTree, type TreeLayout } from './tree-layout.ts';

/** A topic's tree in its place; its title stands in the TITLE_HEIGHT above `y`. */
export interface PlacedTree {
  readonly treeId: TreeId;
  /** Counts topics in the order they were created; picks the colour. */
  readonly order: number;
  readonly x: number;
  readonly y: number;
  readonly tree: TreeLayout;
}

export interface ForestLayout {
  /** In order of creation. */
  readonly trees: readonly PlacedTree[];
  readonly placeOf: ReadonlyMap<TreeId, PlacedTree>;
  /** Of everything, titles included; starts at 0, 0. */
  readonly width: number;
  readonly height: number;
  readonly turns: number;
  /** What it was made from, to see at once when nothing changed. */
  readonly source: Pick<Forest, 'trees' | 'children'>;
}

/** A card: its tree and its index there. */
export interface CardRef {
  readonly placed: PlacedTree;
  readonly index: number;
}

/**
 * Lays the forest out, taking from the previous layout every tree whose shape is the same. Returns
 * the previous layout itself if nothing moved.
 */
export const layoutForest = (forest: Forest, previous: ForestLayout | null): ForestLayout => {
  const { trees, children } = forest;
  if (previous?.source.children === children && previous.source.trees === trees) return previous;
  const topics = treesOf(forest);
  const shapes = topics.map(({ id, rootId }) => {
    const before = previous?.placeOf.get(id)?.tree;
    return before !== undefined && hasShape(forest, rootId, before) ? before : layoutTree(forest, rootId);
  });
  const boxes = shapes.map(({ width, height }) => ({ width, height: height + TITLE_HEIGHT }));
  const packed = packShelves(boxes, TOPIC_GAP, SHELF_GAP);
  const placed = topics.map(({ id, order }, at): PlacedTree => {
    const { x, y } = packed.places[at] as { x: number; y: number };
    const place = { treeId: id, order, x, y: y + TITLE_HEIGHT, tree: shapes[at] as TreeLayout };
    const before = previous?.placeOf.get(id);
    return before !== undefined && isSame(before, place) ? before : place;
  });
  const source = { trees, children };
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
    width: Math.max(packed.width, 0),
    height: packed.height,
    turns: shapes.reduce((sum, shape) => sum + shape.ids.length, 0),
    source,
  };
};

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
