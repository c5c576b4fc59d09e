import { contributionsOf, MISSING, type Trees } from './boosted-trees.ts';
import { scoresBy } from './tree-scores.ts';

/** One of several choices, with what is known of it. */
export interface Choice {
  /** Names the trees that score it. */
  readonly action: string;
  readonly features: Features;
  /** Features that it has in common with other choices; apart, for copying them took longer than deciding. */
  readonly common?: Features;
  /** Features of what stands beside it, by the part that it plays: `part: name`. */
  readonly beside?: Readonly<Record<string, Features>>;
}

export type Features = Readonly<Record<string, number>>;

/** Trees by action. An action that has none scores 0: the others are evidence for or against leaving it. */
export type Model = Readonly<Record<string, Trees>>;

/** Scores of the choices in log-odds against the one that has no trees. */
export const scoresOf = (choices: readonly Choice[], model: Model): number[] => {
  const scores = new Array<number>(choices.length).fill(0);
  scored.clear();
  for (const action in model) {
    const trees = model[action] as Trees;
    const rows: Float32Array[] = [];
    const places: number[] = [];
    for (let at = 0; at < choices.length; at++) {
      const choice = choices[at] as Choice;
      if (choice.action !== action) continue;
      const row = rowOf(choice, trees.features);
      scored.set(choice, { trees, row });
      places[rows.push(row) - 1] = at;
    }
    const found = scoresBy(trees, rows);
    for (let i = 0; i < places.length; i++) scores[places[i] as number] = found[i] as number;
  }
  return scores;
};
// Of the last question: some of its choices are asked why.
const scored = new Map<Choice, { readonly trees: Trees; readonly row: Float32Array }>();

/** Probabilities by conditional logit (McFadden 1974): the softmax of the scores. */
export const probabilitiesOf = (scores: readonly number[]): number[] => {
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((total, value) => total + value, 0);
  return odds.map((value) => value / sum);
};

/** What each feature of a choice added to its score, in log-odds. */
export interface Evidence {
  /** What every choice of its action begins with. */
  readonly base: number;
  readonly names: readonly string[];
  /** In the order of the names; 0 for what moved nothing. */
  readonly values: Float64Array;
}

/** Null for the choice that scores 0. */
export const evidenceFor = (choice: Choice, model: Model): Evidence | null => {
  const trees = model[choice.action];
  if (trees === undefined) return null;
  const known = scored.get(choice);
  const row = known?.trees === trees ? known.row : rowOf(choice, trees.features);
  const { base, byColumn } = contributionsOf(trees, row);
  return { base, names: trees.features, values: byColumn };
};

/** Names of all its features. */
export const namesOf = ({ features, common = {}, beside = {} }: Choice): string[] => [
  ...Object.keys(features),
  ...Object.keys(common),
  ...Object.entries(beside).flatMap(([part, of]) => Object.keys(of).map((name) => named(part, name))),
];

const named = (part: string, name: string): string => `${part}: ${name}`;

/** A choice's features in the order of the columns. */
export const rowOf = ({ features, common, beside }: Choice, columns: readonly string[]): Float32Array => {
  const row =
    common === undefined ? new Float32Array(columns.length).fill(MISSING) : commonRow(common, columns).slice();
  fill(row, features, placesOf(columns));
  for (const part in beside) fill(row, beside[part] as Features, placesOf(columns, part));
  return row;
};

/** Where features go in a row, in the order in which they came last: −1 for one that has no column. */
interface Places {
  readonly byName: ReadonlyMap<string, number>;
  readonly names: string[];
  readonly places: number[];
}

// Features of a kind come in the same order every time: to compare a name takes a tenth of looking it up.
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

// The choices of a question share most of a row: it is filled once.
const lastRows = new WeakMap<readonly string[], { readonly common: Features; readonly row: Float32Array }>();
const commonRow = (common: Features, columns: readonly string[]): Float32Array => {
  let last = lastRows.get(columns);
  if (last?.common !== common) {
    last = { common, row: rowOf({ action: '', features: common }, columns) };
    lastRows.set(columns, last);
  }
  return last.row;
};

/** Places of the columns by the names that features have in a part; in none, by their own. */
const placesOf = (columns: readonly string[], part = ''): Places => {
  const parts = knownPlaces.get(columns) ?? new Map<string, Places>();
  knownPlaces.set(columns, parts);
  let places = parts.get(part);
  if (places === undefined) {
    const start = part === '' ? '' : named(part, '');
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
