/** What was counted in one dialogue, by name; what was not counted is 0. Sums over dialogues are counts again. */
export type Counts = Readonly<Record<string, number>>;

/** A count by its name. */
export type CountOf = (name: string) => number;

/** A figure that is worked out from counts. */
export interface Metric {
  readonly name: string;
  /** The one definition, in words; the legend quotes it. */
  readonly definition: string;
  /** NaN where there is nothing to measure. */
  readonly value: (of: CountOf) => number;
  /** How many decisions, turns or dialogues the figure is taken over. */
  readonly n: (of: CountOf) => number;
}

export const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole);

/** A metric that is a share of one count in another. */
export const shareMetric = (name: string, definition: string, part: string, whole: string): Metric => ({
  name,
  definition,
  value: (of) => share(of(part), of(whole)),
  n: (of) => of(whole),
});

/** Adds to a count that is being made. */
export const add = (counts: Record<string, number>, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

/**
 * What was taken for what, as counts under names that begin with `prefix`. `answers`: all that may be answered, where that is more
 * than the labels.
 */
export const confusionOf = (prefix: string, labels: readonly string[], answers: readonly string[] = labels) => {
  // Each name is made once: they are looked up a thousand times a metric.
  const names = new Map(
    labels.map((right) => [right, new Map(answers.map((given) => [given, `${prefix} ${right} > ${given}`]))]),
  );
  const cell = (right: string, given: string): string => names.get(right)?.get(given) ?? '';
  const labelled = (of: CountOf, name: string) => answers.reduce((sum, given) => sum + of(cell(name, given)), 0);
  const answered = (of: CountOf, name: string) => labels.reduce((sum, right) => sum + of(cell(right, name)), 0);
  const hits = (of: CountOf, name: string) => of(cell(name, name));
  const f1 = (of: CountOf, name: string) => share(2 * hits(of, name), labelled(of, name) + answered(of, name));
  return {
    count: (counts: Record<string, number>, right: string, given: string) => add(counts, cell(right, given)),
    cell: (of: CountOf, right: string, given: string) => of(cell(right, given)),
    labelled,
    answered,
    hits,
    all: (of: CountOf) => labels.reduce((sum, name) => sum + labelled(of, name), 0),
    /** Over the labels that occur. */
    macroF1: (of: CountOf) => {
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

/** What was right and what was answered, as labels. */
export type Pair = readonly [right: string, answered: string];

/** Items by a key, in the order in which the keys first occur. */
export const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

/** Mean of the classes' F1 over the classes that occur among the right ones. */
export const macroF1 = (pairs: readonly Pair[]): number => {
  const classes = [...new Set(pairs.map(([right]) => right))];
  return classes.reduce((sum, name) => sum + f1(pairs, name), 0) / Math.max(classes.length, 1);
};

/** Harmonic mean of precision and recall of one class; 0 where it is never right. */
const f1 = (pairs: readonly Pair[], name: string): number => {
  const hits = pairs.filter(([right, answered]) => right === name && answered === name).length;
  const wanted = pairs.filter(([right]) => right === name).length;
  const given = pairs.filter(([, answered]) => answered === name).length;
  return hits === 0 ? 0 : (2 * hits) / (wanted + given);
};

export const accuracy = (pairs: readonly Pair[]): number =>
  pairs.filter(([right, answered]) => right === answered).length / Math.max(pairs.length, 1);
