/** Places on a bar from 0 to 100, for cosines. */
export interface Scale {
  /** Where 0 lies: at the left end unless a value is negative. */
  readonly zero: number;
  readonly at: (value: number) => number;
}

/** A scale that holds all values, and at least 0 to 1. */
export const scaleFor = (values: readonly number[]): Scale => {
  const lowest = Math.max(-1, Math.min(0, ...values));
  const at = (value: number) => (100 * (Math.min(1, Math.max(lowest, value)) - lowest)) / (1 - lowest);
  return { zero: at(0), at };
};
