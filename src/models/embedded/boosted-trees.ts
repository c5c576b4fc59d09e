/**
 * Regression trees of up to 32 leaves whose sum scores a row of features (gradient boosting, Friedman 2001). The nodes of all
 * trees are stored in one block in preorder: the child for values below the threshold comes right after its node.
 */
export interface Trees {
  /** Names of the row's columns, in order. */
  readonly features: readonly string[];
  /** First node of each tree. */
  readonly roots: Uint32Array;
  /** Column that a node tests; −1 for a leaf. */
  readonly column: Int16Array;
  readonly threshold: Float32Array;
  /** Offset from a node to its other child, for values not below the threshold. */
  readonly skip: Uint16Array;
  /** Score of the rows that reach a node. Leaf values are summed; the others explain the sum. */
  readonly value: Float32Array;
}

/** Trees as stored in a file: little-endian numbers in base64. */
interface PackedTrees {
  readonly features: readonly string[];
  readonly roots: string;
  readonly column: string;
  readonly threshold: string;
  readonly skip: string;
  readonly value: string;
}

/** Stands for a missing feature; below any value a feature can have. */
const MISSING = -9;

/**
 * Splits a row's score by column: how far each test of the column moved the score (Saabas 2014). Together with `base`, where all
 * rows start, the parts add up to the score.
 */
const contributionsOf = (
  { features, roots, column, threshold, skip, value }: Trees,
  row: Float32Array,
): { readonly base: number; readonly byColumn: Float64Array } => {
  const byColumn = new Float64Array(features.length);
  let base = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number;
    let before = value[node] as number;
    base += before;
    for (let at = column[node] as number; at >= 0; at = column[node] as number) {
      node += (row[at] as number) < (threshold[node] as number) ? 1 : (skip[node] as number);
      const after = value[node] as number;
      byColumn[at] = (byColumn[at] as number) + after - before;
      before = after;
    }
  }
  return { base, byColumn };
};

const unpack = ({ features, ...texts }: PackedTrees): Trees => ({
  features,
  roots: new Uint32Array(fromBase64(texts.roots)),
  column: new Int16Array(fromBase64(texts.column)),
  threshold: new Float32Array(fromBase64(texts.threshold)),
  skip: new Uint16Array(fromBase64(texts.skip)),
  value: new Float32Array(fromBase64(texts.value)),
});

/** The trees of all actions as stored in a file. */
export type PackedModel = Readonly<Record<string, PackedTrees>>;

export const unpackModel = (packed: PackedModel): Model =>
  Object.fromEntries(Object.entries(packed).map(([action, trees]) => [action, unpack(trees)]));

/** Uses a loop: `Uint8Array.from` goes through an iterator, which takes several times as long. */
export const fromBase64 = (text: string): ArrayBuffer => {
  const chars = atob(text);
  const bytes = new Uint8Array(chars.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = chars.charCodeAt(at);
  return bytes.buffer;
};

/** One of several choices, with its features. */
export interface ScoredOption {
  /** Names the trees that score it. */
  readonly action: string;
  readonly features: Features;
  /** Features shared with other choices; kept apart because copying them took longer than deciding. */
  readonly common?: Features;
  /** Features of what it is compared with, by role; their columns are named `part: name`. */
  readonly beside?: Readonly<Record<string, Features>>;
}

export type Features = Readonly<Record<string, number>>;

/** Trees by action. An action without trees scores 0; the others are scored relative to it. */
export type Model = Readonly<Record<string, Trees>>;

/** Scores the choices in log-odds relative to the one without trees. */
export const scoresOf = (choices: readonly ScoredOption[], model: Model): number[] => {
  const scores = new Array<number>(choices.length).fill(0);
  scored.clear();
  for (const action in model) {
    const trees = model[action] as Trees;
    const rows: Float32Array[] = [];
    const places: number[] = [];
    for (let at = 0; at < choices.length; at++) {
      const choice = choices[at] as ScoredOption;
      if (choice.action !== action) continue;
      const row = featureRow(choice, trees.features);
      scored.set(choice, { trees, row });
      places[rows.push(row) - 1] = at;
    }
    const found = scoresBy(trees, rows);
    for (let i = 0; i < places.length; i++) scores[places[i] as number] = found[i] as number;
  }
  return scores;
};
// Rows of the last question: evidence is requested for some of its choices.
const scored = new Map<ScoredOption, { readonly trees: Trees; readonly row: Float32Array }>();

/** What each feature contributed to a choice's score, in log-odds. */
export interface Evidence {
  /** Where every choice of the action starts. */
  readonly base: number;
  readonly names: readonly string[];
  /** In the order of `names`; 0 for a feature that changed nothing. */
  readonly values: Float64Array;
}

/** Null for the choice that scores 0. */
export const evidenceFor = (choice: ScoredOption, model: Model): Evidence | null => {
  const trees = model[choice.action];
  if (trees === undefined) return null;
  const known = scored.get(choice);
  const row = known?.trees === trees ? known.row : featureRow(choice, trees.features);
  const { base, byColumn } = contributionsOf(trees, row);
  return { base, names: trees.features, values: byColumn };
};

/** Names of all features that any of the choices has. Shared features are visited once. */
export const namesIn = (choices: readonly ScoredOption[]): Set<string> => {
  const parts = new Map<string, { readonly names: Set<string>; readonly read: Set<Features> }>();
  const take = (part: string, features: Features | undefined): void => {
    const { names, read } = parts.get(part) ?? { names: new Set<string>(), read: new Set<Features>() };
    parts.set(part, { names, read });
    if (features === undefined || read.has(features)) return;
    read.add(features);
    for (const name in features) names.add(name);
  };
  for (const { features, common, beside = {} } of choices) {
    take('', features);
    take('', common);
    for (const part in beside) take(part, beside[part]);
  }
  return new Set([...parts].flatMap(([part, { names }]) => [...names].map((name) => named(part, name))));
};

const named = (part: string, name: string): string => (part === '' ? name : `${part}: ${name}`);

/** A choice's features in the order of the columns. */
export const featureRow = ({ features, common, beside }: ScoredOption, columns: readonly string[]): Float32Array => {
  const row =
    common === undefined ? new Float32Array(columns.length).fill(MISSING) : commonRow(common, columns).slice();
  fill(row, features, placesOf(columns));
  for (const part in beside) fill(row, beside[part] as Features, placesOf(columns, part));
  return row;
};

/** Where features go in a row, in the order they last came in; −1 for a feature without a column. */
interface Places {
  readonly byName: ReadonlyMap<string, number>;
  readonly names: string[];
  readonly places: number[];
}

// Features come in the same order every time: comparing a name takes a tenth of the time of a lookup.
const fill = (row: Float32Array, features: Features, { byName, names, places }: Places): void => {
  let at = 0;
  for (const name in features) {
    if (names[at] !== name) {
      names[at] = name;
      places[at] = byName.get(name) ?? -1;
    }
    const place = places[at++] as number;
    if (place >= 0) row[place] = features[name] as number;
  }
};

// The choices of a question share most of their row, so it is filled once.
const lastRows = new WeakMap<readonly string[], { readonly common: Features; readonly row: Float32Array }>();
const commonRow = (common: Features, columns: readonly string[]): Float32Array => {
  let last = lastRows.get(columns);
  if (last?.common !== common) {
    last = { common, row: featureRow({ action: '', features: common }, columns) };
    lastRows.set(columns, last);
  }
  return last.row;
};

/** Column positions by feature name within a part; for the empty part, by full column name. */
const placesOf = (columns: readonly string[], part = ''): Places => {
  const parts = knownPlaces.get(columns) ?? new Map<string, Places>();
  knownPlaces.set(columns, parts);
  let places = parts.get(part);
  if (places === undefined) {
    const start = named(part, '');
    const byName = new Map(
      columns.flatMap((name, at): [string, number][] =>
        name.startsWith(start) ? [[name.slice(start.length), at]] : [],
      ),
    );
    places = { byName, names: [], places: [] };
    parts.set(part, places);
  }
  return places;
};
const knownPlaces = new WeakMap<readonly string[], Map<string, Places>>();

/**
 * Sums the trees' scores for each row, in log-odds. No tree is walked: column by column, each threshold that a row's value is not
 * below rules out the leaves on the other side (QuickScorer, Lucchese et al., SIGIR 2015). Columns with the same value in all rows
 * are processed once. A walk would mispredict a branch at every tree.
 */
const scoresBy = (trees: Trees, rows: readonly Float32Array[]): Float64Array => {
  const asked = byColumn(trees);
  const [first] = rows;
  const sums = new Float64Array(rows.length);
  if (first === undefined) return sums;
  const differing: number[] = [];
  const left = new Int32Array(trees.roots.length).fill(ALL);
  for (let column = 0; column < trees.features.length; column++) {
    const value = first[column] as number;
    let of = 1;
    while (of < rows.length && (rows[of] as Float32Array)[column] === value) of += 1;
    if (of === rows.length) ruleOut(left, asked, column, value);
    else differing.push(column);
  }
  for (let of = 0; of < rows.length; of++) {
    const row = rows[of] as Float32Array;
    const own = left.slice();
    for (const column of differing) ruleOut(own, asked, column, row[column] as number);
    sums[of] = sumOfLeaves(own, asked);
  }
  return sums;
};

/** One bit per leaf, the first leaf highest. */
const ALL = -1;
const MOST_LEAVES = 32;

/** The tests of all trees, sorted by column, then by threshold, lowest first. */
interface ByColumn {
  /** Start of each column's thresholds, then the end of the last column's. */
  readonly starts: Int32Array;
  readonly thresholds: Float32Array;
  readonly trees: Int32Array;
  /** The leaves of that tree that remain for values not below the threshold. */
  readonly leaves: Int32Array;
  /** Values of all leaves in order, and the index of each tree's first leaf. */
  readonly values: Float32Array;
  readonly firstLeaves: Int32Array;
}

/** NaN (a logarithm of less than 0) is not below any threshold. */
const ruleOut = (left: Int32Array, asked: ByColumn, column: number, value: number): void => {
  const { starts, thresholds, trees, leaves } = asked;
  const end = starts[column + 1] as number;
  for (let at = starts[column] as number; at < end && !(value < (thresholds[at] as number)); at++) {
    const tree = trees[at] as number;
    left[tree] = (left[tree] as number) & (leaves[at] as number);
  }
};

/** The first remaining leaf is the one that a walk would reach. */
const sumOfLeaves = (left: Int32Array, { values, firstLeaves }: ByColumn): number => {
  let sum = 0;
  for (let tree = 0; tree < left.length; tree++) {
    sum += values[(firstLeaves[tree] as number) + Math.clz32(left[tree] as number)] as number;
  }
  return sum;
};

/** Computed once per model; the shipped ones have some 14,000 nodes in all. */
export const byColumn = (trees: Trees): ByColumn => {
  const known = laidOut.get(trees);
  if (known !== undefined) return known;
  const { features, roots, column, threshold, skip, value } = trees;
  const values: number[] = [];
  const firstLeaves = new Int32Array(roots.length);
  const nodes: { node: number; tree: number; leaves: number }[] = [];
  roots.forEach((root, tree) => {
    firstLeaves[tree] = values.length;
    /** Returns the bits of the leaves under a node. */
    const lay = (node: number): number => {
      if ((column[node] as number) < 0) {
        const leaf = values.push(value[node] as number) - 1 - (firstLeaves[tree] as number);
        if (leaf >= MOST_LEAVES) throw new Error(`a tree has more than ${MOST_LEAVES} leaves`);
        return 1 << (MOST_LEAVES - 1 - leaf);
      }
      const below = lay(node + 1);
      nodes.push({ node, tree, leaves: ~below });
      return below | lay(node + (skip[node] as number));
    };
    lay(root);
  });
  const columnOf = ({ node }: { node: number }): number => column[node] as number;
  const thresholdOf = ({ node }: { node: number }): number => threshold[node] as number;
  nodes.sort((a, b) => columnOf(a) - columnOf(b) || thresholdOf(a) - thresholdOf(b));
  const starts = new Int32Array(features.length + 1);
  for (const node of nodes) starts[columnOf(node) + 1] = (starts[columnOf(node) + 1] as number) + 1;
  for (let at = 0; at < features.length; at++) starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number);
  const found = {
    starts,
    thresholds: Float32Array.from(nodes, thresholdOf),
    trees: Int32Array.from(nodes, ({ tree }) => tree),
    leaves: Int32Array.from(nodes, ({ leaves }) => leaves),
    values: Float32Array.from(values),
    firstLeaves,
  };
  laidOut.set(trees, found);
  return found;
};
const laidOut = new WeakMap<Trees, ByColumn>();
