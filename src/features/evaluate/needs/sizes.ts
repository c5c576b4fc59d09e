import type { Metric } from '../measurement/metric.ts';

/** How much a policy may send, in per cent of the full history's tokens; null: as much as it does of its own accord. */
export type Size = number | null;

/** In per cent of the full history's tokens. */
export const BUDGETS = [2, 5, 10, 20, 40, 100] as const;
export const SIZES: readonly Size[] = [null, ...BUDGETS];

/** What a name has at its end for a size: `-at-5`. Nothing at the policy's own. */
export const suffixOf = (size: Size): string => (size === null ? '' : `-at-${size}`);

/** A metric's name without its size, and the size. */
export const sizeOf = (name: string): { readonly name: string; readonly size: Size } => {
  const found = /^(.*)-at-(\d+)$/.exec(name);
  const size = Number(found?.[2]);
  return found !== null && BUDGETS.some((budget) => budget === size)
    ? { name: found[1] as string, size }
    : { name, size: null };
};

/** `contextBudget` of a size, where the history before the message has so many tokens. */
export const budgetOf = (size: Size, historyTokens: number): number | null =>
  size === null ? null : Math.round((historyTokens * size) / 100);

/** A metric at the policy's own size and at every budget: it reads the counts that have the size's suffix. */
export const atEverySize = (metrics: readonly Metric[]): Metric[] =>
  SIZES.flatMap((size) =>
    metrics.map((metric): Metric => {
      const suffix = suffixOf(size);
      return {
        name: metric.name + suffix,
        definition: metric.definition,
        value: (of) => metric.value((name) => of(name + suffix)),
        n: (of) => metric.n((name) => of(name + suffix)),
      };
    }),
  );
