import { contributionsOf, MISSING, scoresBy, type Trees } from './boosted-trees.ts';

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
  for (const [action, trees] of Object.entries(model)) {
    const rows: Float32Array[] = [];
    const places: number[] = [];
    choices.forEach((choice, at) => {
      if (choice.action !== action) return;
      rows.push(rowOf(choice, trees.features));
      places.push(at);
    });
    scoresBy(trees, rows).forEach((score, i) => {
      scores[places[i] as number] = score;
    });
  }
  return scores;
};

/** Probabilities by conditional logit (McFadden 1974): the softmax of the scores. */
export const probabilitiesOf = (scores: readonly number[]): number[] => {
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const sum = odds.reduce((total, value) => total + value, 0);
  return odds.map((value) => value / sum);
};

/** What each feature of a choice added to its score, in log-odds; nothing for the choice that scores 0. */
export const evidenceFor = (choice: Choice, model: Model): ReadonlyMap<string, number> => {
  const trees = model[choice.action];
  if (trees === undefined) return new Map();
  const { base, byFeature } = contributionsOf(trees, rowOf(choice, trees.features));
  return byFeature.set('base', base);
};

/** Names of all its features. */
export const namesOf = ({ features, common = {}, beside = {} }: Choice): string[] => [
  ...Object.keys(features),
  ...Object.keys(common),
  ...Object.entries(beside).flatMap(([part, of]) => Object.keys(of).map((name) => named(part, name))),
];

const named = (part: string, name: string): string => `${part}: ${name}`;

/** A choice's features in the order of the columns. Not to be changed. */
export const rowOf = (choice: Choice, columns: readonly string[]): Float32Array => {
  const known = knownRows.get(choice);
  if (known?.columns === columns) return known.row;
  const row = makeRow(choice, columns);
  knownRows.set(choice, { columns, row });
  return row;
};
// It is scored, and then asked why.
const knownRows = new WeakMap<Choice, { readonly columns: readonly string[]; readonly row: Float32Array }>();

const makeRow = ({ features, common, beside }: Choice, columns: readonly string[]): Float32Array => {
  const row =
    common === undefined ? new Float32Array(columns.length).fill(MISSING) : commonRow(common, columns).slice();
  fill(row, features, placesOf(columns));
  for (const part in beside) fill(row, beside[part] as Features, placesOf(columns, part));
  return row;
};

const fill = (row: Float32Array, features: Features, places: ReadonlyMap<string, number>): void => {
  for (const name in features) {
    const place = places.get(name);
    if (place !== undefined) row[place] = features[name] as number;
  }
};

// The choices of a question share most of a row: it is filled once. And names are looked up, not compared.
let lastRow: { readonly common: Features; readonly columns: readonly string[]; readonly row: Float32Array } | null =
  null;
const commonRow = (common: Features, columns: readonly string[]): Float32Array => {
  if (lastRow?.common !== common || lastRow.columns !== columns) {
    lastRow = { common, columns, row: makeRow({ action: '', features: common }, columns) };
  }
  return lastRow.row;
};

/** Places of the columns by the names that features have in a part; in none, by their own. */
const placesOf = (columns: readonly string[], part = ''): ReadonlyMap<string, number> => {
  const parts = knownPlaces.get(columns) ?? new Map<string, ReadonlyMap<string, number>>();
  knownPlaces.set(columns, parts);
  let places = parts.get(part);
  if (places === undefined) {
    const start = part === '' ? '' : named(part, '');
    places = new Map(
      columns.flatMap((name, at): [string, number][] =>
        name.startsWith(start) ? [[name.slice(start.length), at]] : [],
      ),
    );
    parts.set(part, places);
  }
  return places;
};
const knownPlaces = new WeakMap<readonly string[], Map<string, ReadonlyMap<string, number>>>();
