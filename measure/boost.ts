import { clamp, randomFrom } from '../src/domain/numbers.ts';
import {
  featureRow,
  type Model,
  namesIn,
  type ScoredOption,
  type Trees,
} from '../src/models/embedded/boosted-trees.ts';

/** A labelled decision: the choices, and which is right. */
export interface RankedExample {
  readonly choices: readonly ScoredOption[];
  readonly right: number;
  readonly weight: number;
}

export interface Boosting extends Growth {
  readonly rounds: number;
  /** Share of the examples that each round's trees are grown on. */
  readonly sample: number;
  readonly seed: number;
  /** By action and feature: 1 or −1 if the score may only rise or fall with it. */
  readonly directions: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>>;
}

/** The choices of one action over all examples, while their trees grow. */
interface Side {
  readonly action: string;
  readonly features: readonly string[];
  readonly table: Binned;
  readonly direction: Int8Array;
  readonly score: Float64Array;
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
  readonly grown: GrownNode[];
}

/** Minimum curvature assumed for the loss, so that no leaf is unbounded. */
const LEAST_CURVATURE = 1e-6;

/**
 * Grows trees for every action but `resting` (which scores 0) that maximise the likelihood of the right choices under a softmax
 * over each example's choices: gradient boosting on the conditional logit, one tree per action and round. The same examples in the
 * same order give the same trees.
 */
export const boost = (examples: readonly RankedExample[], resting: string, settings: Boosting): Model => {
  const { places, sides } = lay(examples, resting, settings.directions);
  // For each side, the example that each of its rows belongs to.
  const owner = sides.map(({ score }) => new Int32Array(score.length));
  for (let at = 0; at < examples.length; at++) {
    for (let place = places.starts[at] as number; place < (places.starts[at + 1] as number); place++) {
      const own = owner[places.sides[place] as number];
      if (own !== undefined) own[places.rows[place] as number] = at;
    }
  }
  const random = randomFrom(settings.seed);
  for (let round = 0; round < settings.rounds; round++) {
    slopes(examples, places, sides);
    const taken = examples.map(() => random() < settings.sample);
    for (const [of, side] of sides.entries()) {
      const owners = owner[of] as Int32Array;
      const rows = Int32Array.from(owners.keys()).filter((row) => taken[owners[row] as number] === true);
      const tree = growTree(side.table, side, rows, settings, side.direction, random);
      for (let row = 0; row < side.score.length; row++) {
        side.score[row] = (side.score[row] as number) + valueIn(tree, side.table, row);
      }
      side.grown.push(tree);
    }
  }
  return Object.fromEntries(sides.map((side) => [side.action, treesOf(side)]));
};

/** The choices of all examples, one after the other: their sides (−1 for the resting one), their rows there, and where each example starts. */
interface Places {
  readonly starts: Int32Array;
  readonly sides: Int8Array;
  readonly rows: Int32Array;
}

const lay = (
  examples: readonly RankedExample[],
  resting: string,
  directions: Boosting['directions'],
): { places: Places; sides: Side[] } => {
  const actions: string[] = [];
  const choices: ScoredOption[][] = [];
  const starts = new Int32Array(examples.length + 1);
  for (const [at, example] of examples.entries()) starts[at + 1] = (starts[at] as number) + example.choices.length;
  const places = { starts, sides: new Int8Array(starts.at(-1) ?? 0), rows: new Int32Array(starts.at(-1) ?? 0) };
  for (const [place, choice] of examples.flatMap((example) => example.choices).entries()) {
    if (choice.action !== resting && !actions.includes(choice.action)) choices[actions.push(choice.action) - 1] = [];
    const side = actions.indexOf(choice.action);
    places.sides[place] = side;
    places.rows[place] = (choices[side]?.push(choice) ?? 1) - 1;
  }
  const sides = actions.map((action, at) => sideOf(action, choices[at] ?? [], directions[action] ?? {}));
  return { places, sides };
};

const sideOf = (
  action: string,
  choices: readonly ScoredOption[],
  directions: Readonly<Record<string, 1 | -1>>,
): Side => {
  const names = namesIn(choices);
  const features = [...names].sort();
  const unknown = Object.keys(directions).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`no feature of ${action} is called ${unknown.join(', ')}`);
  const size = choices.length;
  return {
    action,
    features,
    table: binned(
      choices.map((choice) => featureRow(choice, features)),
      features.length,
    ),
    direction: Int8Array.from(features, (name) => directions[name] ?? 0),
    score: new Float64Array(size),
    slope: new Float64Array(size),
    curvature: new Float64Array(size),
    grown: [],
  };
};

/** Writes the slope and curvature of the loss by each choice's score. Loops over flat arrays, since it runs for every example in every round. */
const slopes = (
  examples: readonly RankedExample[],
  { starts, sides: of, rows }: Places,
  sides: readonly Side[],
): void => {
  const odds = new Float64Array(rows.length);
  for (let at = 0; at < examples.length; at++) {
    const { right, weight } = examples[at] as RankedExample;
    const [start, end] = [starts[at] as number, starts[at + 1] as number];
    let top = -Infinity;
    for (let place = start; place < end; place++) {
      odds[place] = sides[of[place] as number]?.score[rows[place] as number] ?? 0;
      top = Math.max(top, odds[place] as number);
    }
    let sum = 0;
    for (let place = start; place < end; place++) sum += odds[place] = Math.exp((odds[place] as number) - top);
    for (let place = start; place < end; place++) {
      const side = sides[of[place] as number];
      if (side === undefined) continue;
      const row = rows[place] as number;
      const chance = (odds[place] as number) / sum;
      side.slope[row] = weight * (chance - (place - start === right ? 1 : 0));
      side.curvature[row] = weight * Math.max(chance * (1 - chance), LEAST_CURVATURE);
    }
  }
};

/** A side's trees in one block, in preorder. */
const treesOf = ({ features, table, grown }: Side): Trees => {
  const roots: number[] = [];
  const column: number[] = [];
  const threshold: number[] = [];
  const skip: number[] = [];
  const value: number[] = [];
  const lay = (node: GrownNode): void => {
    const at = column.push(node.column) - 1;
    threshold.push(node.column < 0 ? 0 : (table.bounds[node.column]?.[node.bin] ?? 0));
    value.push(node.value);
    skip.push(0);
    if (node.below === null || node.above === null) return;
    lay(node.below);
    skip[at] = column.length - at;
    lay(node.above);
  };
  for (const root of grown) {
    roots.push(column.length);
    lay(root);
  }
  return {
    features,
    roots: Uint32Array.from(roots),
    column: Int16Array.from(column),
    threshold: Float32Array.from(threshold),
    skip: Uint16Array.from(skip),
    value: Float32Array.from(value),
  };
};

/** Feature columns cut into few bins, so that a tree looks at counts instead of every row. */
interface Binned {
  readonly rows: number;
  readonly columns: number;
  /** Bin of every value, row by row. */
  readonly bins: Uint8Array;
  /** Lower bounds of each column's bins except the first; a value is in the bin of the last bound that it reaches. */
  readonly bounds: readonly Float32Array[];
}

/** More bins did not measure better. */
const MOST_BINS = 48;

const binned = (table: readonly Float32Array[], columns: number): Binned => {
  const bounds = Array.from({ length: columns }, (_, column) => boundsOf(table.map((row) => row[column] as number)));
  const bins = new Uint8Array(table.length * columns);
  for (const [at, row] of table.entries()) {
    for (let column = 0; column < columns; column++) {
      bins[at * columns + column] = binOf(bounds[column] as Float32Array, row[column] as number);
    }
  }
  return { rows: table.length, columns, bins, bounds };
};

/** Between all values if they are few, else at quantiles. */
const boundsOf = (values: readonly number[]): Float32Array => {
  const sorted = Float32Array.from(values).sort();
  const distinct = [...new Set(sorted)];
  if (distinct.length <= MOST_BINS) {
    return Float32Array.from(distinct.slice(1), (value, at) => ((distinct[at] as number) + value) / 2);
  }
  const quantiles = Array.from(
    { length: MOST_BINS - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / MOST_BINS)] as number,
  );
  return Float32Array.from(new Set(quantiles));
};

const binOf = (bounds: Float32Array, value: number): number => {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < (bounds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
};

interface Growth {
  /** Share of its optimal value that a leaf gets. */
  readonly rate: number;
  readonly leaves: number;
  /** Minimum rows of a leaf. */
  readonly leastRows: number;
  /** Minimum curvature of the loss in a leaf. */
  readonly leastCurvature: number;
  /** Penalty on the squared value of a leaf. */
  readonly l2: number;
  /** Share of the columns that a tree may split on. */
  readonly columns: number;
}

/** Slope and curvature of the loss by each row's score. */
interface Slopes {
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
}

/** A node of a tree while it grows. */
interface GrownNode {
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
  /** Slope, curvature and count by tested column and bin. */
  readonly sums: Float64Array;
  readonly slope: number;
  readonly curvature: number;
  /** Bounds of its value, from splits above it on columns with a direction. */
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
 * Grows a tree on some rows, best split first (LightGBM, Ke et al. 2017). `direction` of a column: 1 or −1 if the score may only
 * rise or fall with it, else 0.
 */
const growTree = (
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
    const value = clamp((-growth.rate * g) / (h + growth.l2), low, high);
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
    const lowerHalf: [number, number] = [next.low, clamp(middle, next.low, next.high)];
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

/** The tree's value for a row of the table. */
const valueIn = (root: GrownNode, { bins, columns }: Binned, row: number): number => {
  let node = root;
  while (node.below !== null && node.above !== null) {
    node = (bins[row * columns + node.column] as number) <= node.bin ? node.below : node.above;
  }
  return node.value;
};
