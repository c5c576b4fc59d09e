import { emptyForest, type Tree } from '../../../domain/forest.ts';
import { clamp } from '../../../domain/numbers.ts';
import { UNFOLDED } from '../folding.ts';
import { CARD, ROW_GAP, SHELF_GAP, SIBLING_GAP, TITLE_HEIGHT, TOPIC_GAP } from '../geometry.ts';
import {
  type ForestLayout,
  indexCards,
  layoutTree,
  type PlacedTree,
  packBoxes,
  straightRuns,
  type TreeLayout,
} from '../layout.ts';
import { bareSceneOf, type Scene, type TitleNote } from '../scene.ts';

/** Pieces shown together under a heading. */
export interface PieceGroup {
  readonly id: string;
  readonly title: string;
  readonly heading: TitleNote;
  /** The order of the topic whose colour it has. */
  readonly order: number;
  readonly pieces: readonly Piece[];
  /** Laid out as a tree, or in rows. */
  readonly as: 'tree' | 'rows';
}

/** Aspect ratios to try for blocks of trees that are not laid out as tidy trees. */
const BROAD = [8, 4, 2.4, 1.5, 0.9];
/** A tidy tree is easier to grasp, so it may be this much smaller than blocks. */
const TIDY = 1.25;
/** More cards than this make a tidy tree a thread, so it is not tried. */
const MOST_TIDY = 400;

/** Growth factor of the row limit between attempts. */
const WIDER = 1.15;

/** Places groups so that all of them together fit a pane of this aspect ratio (width by height) as large as possible. */
export const layOutGroups = (groups: readonly PieceGroup[], aspect: number): Scene => {
  const most = Math.max(0, ...groups.map(({ pieces }) => pieces.length));
  const columns = columnsFor(most, aspect);
  const laid = (broad: number | null): PackedLayout => {
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

interface PackedLayout {
  readonly layouts: readonly TreeLayout[];
  readonly packed: ReturnType<typeof packBoxes>;
}

/** The tidy layout if it appears about as large as blocks would; else the blocks that appear largest. */
const bestOf = (laid: (broad: number | null) => PackedLayout, aspect: number, trees: boolean): PackedLayout => {
  if (!trees) return laid(null);
  const blocks = BROAD.map(laid).reduce((best, one) =>
    needed(one.packed, aspect) < needed(best.packed, aspect) ? one : best,
  );
  if (blocks.layouts.some(({ ids }) => ids.length > MOST_TIDY)) return blocks;
  const tidy = laid(null);
  return needed(tidy.packed, aspect) <= TIDY * needed(blocks.packed, aspect) ? tidy : blocks;
};

const treeOf = ({ id, title, order, pieces }: PieceGroup): Tree => {
  const first = pieces[0]?.id ?? '';
  return { id, rootId: first, title, titledBy: 'engine', activeId: first, order };
};

/** The number of columns that makes this many cards fill a pane of this aspect ratio best. */
const columnsFor = (cards: number, aspect: number): number =>
  Math.max(1, Math.round(Math.sqrt((cards * aspect * (CARD.height + SIBLING_GAP)) / (CARD.width + SIBLING_GAP))));

const packInto = (layouts: readonly TreeLayout[], aspect: number) => {
  const boxes = layouts.map(({ width, height }) => ({ width, height: height + TITLE_HEIGHT }));
  const widest = boxes.reduce((most, { width }) => Math.max(most, width), 1);
  const total = boxes.reduce((sum, { width }) => sum + width + TOPIC_GAP, 0);
  let best = packBoxes(boxes, widest, TOPIC_GAP, SHELF_GAP);
  for (let limit = widest * WIDER; limit < total * WIDER; limit *= WIDER) {
    const packed = packBoxes(boxes, limit, TOPIC_GAP, SHELF_GAP);
    if (needed(packed, aspect) < needed(best, aspect)) best = packed;
  }
  return best;
};

/** The width of the smallest pane of an aspect ratio that holds everything. */
const needed = ({ width, height }: { width: number; height: number }, aspect: number): number =>
  Math.max(width, height * aspect);

/** A node of a tree of cards, or, if none has a parent, of a sequence. Parents come before their children. */
export interface Piece {
  readonly id: string;
  readonly parent: string | null;
}

/** Indent of the rows below a card: the line to them runs down in that margin. */
export const INDENT = 24;

interface Box {
  readonly width: number;
  readonly height: number;
}

/** The canvas's layout of a topic. */
export const layoutTidy = (pieces: readonly Piece[]): TreeLayout => {
  const { ids, children } = linked(pieces);
  const below = children.flatMap((own, at) => (own.length === 0 ? [] : [[ids[at] as string, own] as const]));
  return layoutTree({ ...emptyForest(), children: Object.fromEntries(below) }, ids[0] as string);
};

/**
 * Lays a tree out in blocks: below each card its children's blocks side by side, in as many rows as keep the whole
 * compact. Memories are broad and shallow, and as a tidy tree a hundred facts under their clusters would be a thread. A
 * block of rows becomes about `broad` times as wide as tall.
 */
export const layoutBlocks = (pieces: readonly Piece[], broad: number): TreeLayout => {
  const { ids, indexOf, parents, children } = linked(pieces);
  const boxes: Box[] = [];
  const cardX: number[] = [];
  const rel: { x: number; y: number }[] = ids.map(() => ({ x: 0, y: 0 }));
  // Iterative, from the leaves up: a chain may be any length.
  for (let at = ids.length - 1; at >= 0; at--) {
    const own = (children[at] as readonly string[]).map((id) => indexOf.get(id) as number);
    const below = own.map((child) => boxes[child] as Box);
    const packed = packBoxes(below, rowWidth(below, broad), SIBLING_GAP, ROW_GAP);
    const rows = new Set(packed.places.map(({ y }) => y)).size;
    const left = rows > 1 ? INDENT : 0;
    for (const [i, child] of own.entries()) {
      const { x, y } = packed.places[i] as { x: number; y: number };
      rel[child] = { x: x + left, y: y + CARD.height + ROW_GAP };
    }
    const ends = [own.at(0), own.at(-1)].flatMap((child) =>
      child === undefined ? [] : [(rel[child]?.x ?? 0) + (cardX[child] ?? 0)],
    );
    // Centred over a single row, as in a tidy tree; at the left edge of several.
    cardX[at] = rows === 1 && ends.length === 2 ? ((ends[0] as number) + (ends[1] as number)) / 2 : 0;
    boxes[at] =
      own.length === 0
        ? CARD
        : { width: Math.max(CARD.width, packed.width + left), height: CARD.height + ROW_GAP + packed.height };
  }
  const corner = ids.map(() => ({ x: 0, y: 0 }));
  for (const [at, parent] of parents.entries()) {
    const above = corner[parent] ?? { x: 0, y: 0 };
    const { x, y } = rel[at] as { x: number; y: number };
    corner[at] = { x: above.x + x, y: above.y + y };
  }
  const xs = Float64Array.from(corner, ({ x }, at) => x + (cardX[at] as number));
  const ys = Float64Array.from(corner, ({ y }) => y);
  return layoutOf({ ids, indexOf, parents, children, xs, ys }, boxes[0] ?? CARD);
};

/** Cards in rows of that many, in the given order. */
export const layoutGrid = (pieces: readonly Piece[], columns: number): TreeLayout => {
  const ids = pieces.map(({ id }) => id);
  const most = clamp(ids.length, 1, columns);
  const xs = Float64Array.from(ids, (_, at) => (at % most) * (CARD.width + SIBLING_GAP));
  const ys = Float64Array.from(ids, (_, at) => Math.floor(at / most) * (CARD.height + SIBLING_GAP));
  const rows = Math.ceil(ids.length / most);
  return layoutOf(
    {
      ids,
      indexOf: new Map(ids.map((id, at) => [id, at])),
      parents: ids.map(() => -1),
      children: ids.map(() => []),
      xs,
      ys,
    },
    {
      width: most * (CARD.width + SIBLING_GAP) - SIBLING_GAP,
      height: rows * (CARD.height + SIBLING_GAP) - SIBLING_GAP,
    },
  );
};

/** Whether the cards form a sequence in rows, without parents. */
export const isGrid = ({ parents }: TreeLayout): boolean => parents.length > 1 && parents[1] === -1;

const rowWidth = (boxes: readonly Box[], broad: number): number => {
  const widest = boxes.reduce((most, { width }) => Math.max(most, width), 0);
  const area = boxes.reduce((sum, { width, height }) => sum + (width + SIBLING_GAP) * (height + ROW_GAP), 0);
  // Two or three cards are not worth a row each.
  const least = (broad < 1 ? 2 : 3) * (CARD.width + SIBLING_GAP);
  return Math.max(widest, least, Math.sqrt(area * broad));
};

type TreePlacement = Omit<TreeLayout, 'parents' | 'runs' | 'index' | 'width' | 'height'> & {
  readonly parents: readonly number[];
};

const layoutOf = ({ parents, ...placed }: TreePlacement, { width, height }: Box): TreeLayout => ({
  ...placed,
  parents: Int32Array.from(parents),
  runs: straightRuns(parents, placed.children, new Map(placed.indexOf)),
  width,
  height,
  index: indexCards(parents, placed.xs, placed.ys),
});

const linked = (pieces: readonly Piece[]) => {
  const ids = pieces.map(({ id }) => id);
  const indexOf = new Map(ids.map((id, at) => [id, at]));
  const parents = pieces.map(({ parent }) => (parent === null ? -1 : (indexOf.get(parent) ?? -1)));
  const children: string[][] = ids.map(() => []);
  for (const [at, parent] of parents.entries()) if (parent !== -1) children[parent]?.push(ids[at] as string);
  return { ids, indexOf, parents, children };
};
