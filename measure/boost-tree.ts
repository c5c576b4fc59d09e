import { type Binned, MOST_BINS } from './boost-bins.ts';

export interface Growth {
  /** Share of its best value that a leaf is given. */
  readonly rate: number;
  readonly leaves: number;
  /** Fewest rows of a leaf. */
  readonly leastRows: number;
  /** Least curvature of the loss that a leaf holds. */
  readonly leastCurvature: number;
  /** Penalty on the squared value of a leaf. */
  readonly l2: number;
  /** Share of the columns that a tree may ask about. */
  readonly columns: number;
}

/** Of each row, the loss's slope and curvature by its score. */
export interface Slopes {
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
}

/** A node of a tree while it grows. */
export interface GrownNode {
  /** −1 for a leaf. */
  column: number;
  bin: number;
  value: number;
  below: GrownNode | null;
  above: GrownNode | null;
}

interface Leaf {
  readonly node: GrownNode;
  readonly rows: Int32Array;
  /** Slope, curvature and count by asked column and bin. */
  readonly sums: Float64Array;
  readonly slope: number;
  readonly curvature: number;
  /** Between what its value must stay, for what was split above it in a direction that must hold. */
  readonly low: number;
  readonly high: number;
  readonly best: Split | null;
}

interface Split {
  readonly gain: number;
  readonly column: number;
  readonly bin: number;
}

const CELLS = MOST_BINS + 1;
const LEAST_GAIN = 1e-6;

/**
 * Grows a tree on some rows, the most rewarding split first (LightGBM, Ke et al. 2017). `direction` of a column:
 * 1 or −1 where the score may only rise or fall with it, else 0.
 */
export const growTree = (
  table: Binned,
  { slope, curvature }: Slopes,
  rows: Int32Array,
  growth: Growth,
  direction: Int8Array,
  random: () => number,
): GrownNode => {
  const { bins, columns, bounds } = table;
  const asked = bounds.flatMap((bound, column) => (bound.length > 0 && random() < growth.columns ? [column] : []));

  const sumsOf = (of: Int32Array): Float64Array => {
    const sums = new Float64Array(asked.length * CELLS * 3);
    for (let i = 0; i < of.length; i++) {
      const row = of[i] as number;
      const start = row * columns;
      const g = slope[row] as number;
      const h = curvature[row] as number;
      for (let place = 0; place < asked.length; place++) {
        const at = (place * CELLS + (bins[start + (asked[place] as number)] as number)) * 3;
        sums[at] = (sums[at] as number) + g;
        sums[at + 1] = (sums[at + 1] as number) + h;
        sums[at + 2] = (sums[at + 2] as number) + 1;
      }
    }
    return sums;
  };

  const bestSplit = (leaf: Omit<Leaf, 'best'>): Split | null => {
    let best: Split | null = null;
    const whole = leaf.slope ** 2 / (leaf.curvature + growth.l2);
    for (const [place, column] of asked.entries()) {
      let g = 0;
      let h = 0;
      let count = 0;
      for (let bin = 0; bin < (bounds[column] as Float32Array).length; bin++) {
        const at = (place * CELLS + bin) * 3;
        g += leaf.sums[at] as number;
        h += leaf.sums[at + 1] as number;
        count += leaf.sums[at + 2] as number;
        if (h < growth.leastCurvature || count < growth.leastRows) continue;
        const [g2, h2] = [leaf.slope - g, leaf.curvature - h];
        if (h2 < growth.leastCurvature || leaf.rows.length - count < growth.leastRows) break;
        const rise = g / (h + growth.l2) - g2 / (h2 + growth.l2);
        if (rise * (direction[column] as number) < 0) continue;
        const gain = g ** 2 / (h + growth.l2) + g2 ** 2 / (h2 + growth.l2) - whole;
        if (gain > (best?.gain ?? LEAST_GAIN)) best = { gain, column, bin };
      }
    }
    return best;
  };

  const leafOf = (of: Int32Array, sums: Float64Array, low: number, high: number): Leaf => {
    let [g, h] = [0, 0];
    for (const row of of) {
      g += slope[row] as number;
      h += curvature[row] as number;
    }
    const value = Math.min(high, Math.max(low, (-growth.rate * g) / (h + growth.l2)));
    const node: GrownNode = { column: -1, bin: 0, value, below: null, above: null };
    const leaf = { node, rows: of, sums, slope: g, curvature: h, low, high };
    return { ...leaf, best: bestSplit(leaf) };
  };

  const root = leafOf(rows, sumsOf(rows), -Infinity, Infinity);
  const leaves = [root];
  while (leaves.length < growth.leaves) {
    const next = leaves.reduce((top, leaf) => ((leaf.best?.gain ?? 0) > (top.best?.gain ?? 0) ? leaf : top));
    if (next.best === null) break;
    const { column, bin } = next.best;
    const isBelow = (row: number): boolean => (bins[row * columns + column] as number) <= bin;
    const below = next.rows.filter(isBelow);
    const above = next.rows.filter((row) => !isBelow(row));
    const fewer = sumsOf(below.length < above.length ? below : above);
    const rest = next.sums;
    for (let at = 0; at < rest.length; at++) rest[at] = (rest[at] as number) - (fewer[at] as number);
    const [sumsBelow, sumsAbove] = below.length < above.length ? [fewer, rest] : [rest, fewer];
    const way = direction[column] as number;
    const middle = way === 0 ? 0 : middleOf(sumsBelow, sumsAbove, asked.indexOf(column), growth);
    const lowerHalf: [number, number] = [next.low, Math.min(next.high, Math.max(next.low, middle))];
    const upperHalf: [number, number] = [lowerHalf[1], next.high];
    const [forBelow, forAbove] =
      way === 0
        ? [[next.low, next.high] as const, [next.low, next.high] as const]
        : way > 0
          ? [lowerHalf, upperHalf]
          : [upperHalf, lowerHalf];
    const parts = [leafOf(below, sumsBelow, ...forBelow), leafOf(above, sumsAbove, ...forAbove)] as const;
    Object.assign(next.node, { column, bin, below: parts[0].node, above: parts[1].node });
    leaves.splice(leaves.indexOf(next), 1, ...parts);
  }
  return root.node;
};

/** Halfway between the values that the two sides of a split would have. */
const middleOf = (below: Float64Array, above: Float64Array, place: number, { rate, l2 }: Growth): number => {
  const valueFrom = (sums: Float64Array): number => {
    let [g, h] = [0, 0];
    for (let bin = 0; bin < CELLS; bin++) {
      g += sums[(place * CELLS + bin) * 3] as number;
      h += sums[(place * CELLS + bin) * 3 + 1] as number;
    }
    return (-rate * g) / (h + l2);
  };
  return (valueFrom(below) + valueFrom(above)) / 2;
};

/** The value that a row of the table comes to. */
export const valueIn = (root: GrownNode, { bins, columns }: Binned, row: number): number => {
  let node = root;
  while (node.below !== null && node.above !== null) {
    node = (bins[row * columns + node.column] as number) <= node.bin ? node.below : node.above;
  }
  return node.value;
};
