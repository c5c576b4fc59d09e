import { emptyForest, type Tree } from '../../../domain/forest.ts';
import { bareSceneOf } from '../bare-scene.ts';
import { UNFOLDED } from '../folding.ts';
import type { ForestLayout, PlacedTree } from '../forest-layout.ts';
import { CARD, SHELF_GAP, SIBLING_GAP, TITLE_HEIGHT, TOPIC_GAP } from '../measures.ts';
import type { Heading, Scene } from '../scene.ts';
import { pack } from '../shelves.ts';
import type { TreeLayout } from '../tree-layout.ts';
import { layoutBlocks, layoutGrid, layoutTidy, type Piece } from './block-layout.ts';

/** Pieces that stand together under a heading. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly heading: Heading;
  /** Of the topic whose colour it has. */
  readonly order: number;
  readonly pieces: readonly Piece[];
  /** As a tree, or in rows. */
  readonly as: 'tree' | 'rows';
}

/** How broad the blocks of trees are tried, where they are no tidy trees. */
const BROAD = [8, 4, 2.4, 1.5, 0.9];
/** A tidy tree is seen at a glance: it may be so much smaller than blocks would be. */
const TIDY = 1.25;
/** More cards than that beside each other are a thread as a tidy tree: it is not tried. */
const MOST_TIDY = 400;

/** How much wider the row limit becomes from try to try. */
const WIDER = 1.15;

/** Places groups so that all of them together fit a pane of this shape (width by height) as large as can be. */
export const placeGroups = (groups: readonly Group[], aspect: number): Scene => {
  const most = Math.max(0, ...groups.map(({ pieces }) => pieces.length));
  const columns = columnsFor(most, aspect);
  const laid = (broad: number | null): Laid => {
    const layouts = groups.map(({ pieces, as }) => {
      if (as === 'rows') return layoutGrid(pieces, columns);
      return broad === null ? layoutTidy(pieces) : layoutBlocks(pieces, broad);
    });
    return { layouts, packed: packInto(layouts, aspect) };
  };
  const { layouts, packed } = bestOf(
    laid,
    aspect,
    groups.some(({ as }) => as === 'tree'),
  );
  const trees = groups.map(({ id, order }, at): PlacedTree => {
    const { x, y } = packed.places[at] as { x: number; y: number };
    return { treeId: id, order, x, y: y + TITLE_HEIGHT, offset: 0, tree: layouts[at] as TreeLayout };
  });
  const forest = { ...emptyForest(), trees: Object.fromEntries(groups.map((group) => [group.id, treeOf(group)])) };
  const layout: ForestLayout = {
    trees,
    placeOf: new Map(trees.map((placed) => [placed.treeId, placed])),
    slots: [],
    width: Math.max(0, packed.width),
    height: packed.height,
    turns: groups.reduce((sum, { pieces }) => sum + pieces.length, 0),
    source: { trees: forest.trees, children: forest.children, folding: UNFOLDED },
  };
  return {
    ...bareSceneOf(forest, layout, { path: new Set(), full: new Set(), summarised: null }),
    headings: new Map(groups.map(({ id, heading }) => [id, heading])),
  };
};

interface Laid {
  readonly layouts: readonly TreeLayout[];
  readonly packed: ReturnType<typeof pack>;
}

/** Tidy, where that is about as large to see as blocks would be; else the blocks that are seen largest. */
const bestOf = (laid: (broad: number | null) => Laid, aspect: number, trees: boolean): Laid => {
  if (!trees) return laid(null);
  const blocks = BROAD.map(laid).reduce((best, one) =>
    needed(one.packed, aspect) < needed(best.packed, aspect) ? one : best,
  );
  if (blocks.layouts.some(({ ids }) => ids.length > MOST_TIDY)) return blocks;
  const tidy = laid(null);
  return needed(tidy.packed, aspect) <= TIDY * needed(blocks.packed, aspect) ? tidy : blocks;
};

const treeOf = ({ id, title, order, pieces }: Group): Tree => {
  const first = pieces[0]?.id ?? '';
  return { id, rootId: first, title, titledBy: 'engine', activeId: first, order };
};

/** Of so many cards in rows, how many beside each other fill a pane of this shape best. */
const columnsFor = (cards: number, aspect: number): number =>
  Math.max(1, Math.round(Math.sqrt((cards * aspect * (CARD.height + SIBLING_GAP)) / (CARD.width + SIBLING_GAP))));

const packInto = (layouts: readonly TreeLayout[], aspect: number) => {
  const boxes = layouts.map(({ width, height }) => ({ width, height: height + TITLE_HEIGHT }));
  const widest = boxes.reduce((most, { width }) => Math.max(most, width), 1);
  const total = boxes.reduce((sum, { width }) => sum + width + TOPIC_GAP, 0);
  let best = pack(boxes, widest, TOPIC_GAP, SHELF_GAP);
  for (let limit = widest * WIDER; limit < total * WIDER; limit *= WIDER) {
    const packed = pack(boxes, limit, TOPIC_GAP, SHELF_GAP);
    if (needed(packed, aspect) < needed(best, aspect)) best = packed;
  }
  return best;
};

/** The width of the smallest pane of a shape that holds all. */
const needed = ({ width, height }: { width: number; height: number }, aspect: number): number =>
  Math.max(width, height * aspect);
