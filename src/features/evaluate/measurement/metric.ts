import { add, type CountLookup } from '../../../app/figures/estimate.ts';

/** A figure computed from counts. */
export interface Metric {
  readonly name: string;
  /** The only definition, in words; quoted by the legend. */
  readonly definition: string;
  /** NaN if there is nothing to measure. */
  readonly value: (of: CountLookup) => number;
  /** The number of decisions, turns or dialogues that the figure is based on. */
  readonly n: (of: CountLookup) => number;
}

export const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);

/** A metric that is the ratio of two counts. */
export const shareMetric = (name: string, definition: string, part: string, whole: string): Metric => ({
  name,
  definition,
  value: (of) => share(of(part), of(whole)),
  n: (of) => of(whole),
});

/**
 * A confusion matrix, kept as counts under names that start with `prefix`. `answers`: all possible answers, if there are
 * more than the labels.
 */
export const confusionOf = (prefix: string, labels: readonly string[], answers: readonly string[] = labels) => {
  // Names are built once: each metric looks them up a thousand times.
  const names = new Map(
    labels.map((right) => [right, new Map(answers.map((given) => [given, `${prefix} ${right} > ${given}`]))]),
  );
  const cell = (right: string, given: string): string => names.get(right)?.get(given) ?? '';
  const labelled = (of: CountLookup, name: string) => answers.reduce((sum, given) => sum + of(cell(name, given)), 0);
  const answered = (of: CountLookup, name: string) => labels.reduce((sum, right) => sum + of(cell(right, name)), 0);
  const hits = (of: CountLookup, name: string) => of(cell(name, name));
  const f1 = (of: CountLookup, name: string) => share(2 * hits(of, name), labelled(of, name) + answered(of, name));
  return {
    count: (counts: Record<string, number>, right: string, given: string) => add(counts, cell(right, given)),
    cell: (of: CountLookup, right: string, given: string) => of(cell(right, given)),
    labelled,
    answered,
    hits,
    all: (of: CountLookup) => labels.reduce((sum, name) => sum + labelled(of, name), 0),
    /** Averaged over the labels that occur. */
    macroF1: (of: CountLookup) => {
      const occurring = labels.filter((name) => labelled(of, name) > 0);
      return share(
        occurring.reduce((sum, name) => sum + f1(of, name), 0),
        occurring.length,
      );
    },
    precision: (name: string, label: string, definition: string): Metric => ({
      name: `${label}-precision`,
      definition,
      value: (of) => share(hits(of, name), answered(of, name)),
      n: (of) => answered(of, name),
    }),
    recall: (name: string, label: string, definition: string): Metric => ({
      name: `${label}-recall`,
      definition,
      value: (of) => share(hits(of, name), labelled(of, name)),
      n: (of) => labelled(of, name),
    }),
  };
};

/** The right label and the answered one. */
export type Pair = readonly [right: string, answered: string];

/** Mean F1 over the classes that occur among the right labels. */
export const macroF1 = (pairs: readonly Pair[]): number => {
  const classes = [...new Set(pairs.map(([right]) => right))];
  return classes.reduce((sum, name) => sum + f1(pairs, name), 0) / Math.max(classes.length, 1);
};

/** Harmonic mean of precision and recall of one class; 0 if it is never answered correctly. */
const f1 = (pairs: readonly Pair[], name: string): number => {
  const hits = pairs.filter(([right, answered]) => right === name && answered === name).length;
  const wanted = pairs.filter(([right]) => right === name).length;
  const given = pairs.filter(([, answered]) => answered === name).length;
  return hits === 0 ? 0 : (2 * hits) / (wanted + given);
};

export const accuracy = (pairs: readonly Pair[]): number =>
  pairs.filter(([right, answered]) => right === answered).length / Math.max(pairs.length, 1);
