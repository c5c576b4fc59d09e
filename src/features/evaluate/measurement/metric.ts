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

/** Names of the cells of a confusion matrix, each made once: they are looked up a thousand times a metric. */
export const cellNames = (prefix: string): ((right: string, given: string) => string) => {
  const known: Record<string, Record<string, string>> = {};
  return (right, given) => {
    known[right] ??= {};
    const row = known[right];
    row[given] ??= `${prefix} ${right} > ${given}`;
    return row[given];
  };
};
