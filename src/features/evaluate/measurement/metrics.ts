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
