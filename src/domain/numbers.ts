/** The value, or the nearer bound if it lies outside; `least` if the bounds cross. */
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** 0 if there are none. */
export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

export const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** 1 if it holds, else 0. */
export const indicator = (holds: boolean | undefined): number => (holds === true ? 1 : 0);

/** The value that this share (0–1) of the values does not exceed; 0 if there are none. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;

/** Returns a generator of uniform numbers in [0, 1), deterministic for a seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The probability that log-odds stand for. */
export const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** The form of a noun or verb after a number: `turn` for 1, `turns` for any other. */
export const plural = (n: number, one: string, many = `${one}s`): string => (n === 1 ? one : many);

/** With a capital letter at its beginning. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;

/** With the digits of every script as 0–9, such as those of Persian, Arabic and Hindi; the same text without any. */
export const latinDigits = (text: string): string =>
  text.replace(OTHER_DIGITS, (digit) => {
    // Each script has its ten in a row.
    const code = digit.codePointAt(0) as number;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
    return String(value);
  });

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
/** `7.1 MB`, in steps of 1000 as disks are sold. */
export const bytesInWords = (bytes: number): string => {
  let [value, step] = [bytes, 0];
  // What would be rounded to 1000 is one of the next unit.
  while (value >= 999.5 && step < UNITS.length - 1) [value, step] = [value / 1000, step + 1];
  return `${value < 9.95 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
};
