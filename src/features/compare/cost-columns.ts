import { count, duration as exact } from '../../ui/parts/format.ts';
import type { Spent } from './compare-run-rows.ts';

/** A kind of cost, with what it is in words that need no paper. */
export interface Measure {
  readonly key: keyof Spent;
  readonly title: string;
  readonly about: string;
  /** Of one turn, or of all together. */
  readonly words: (value: number) => string;
  /** Of a turn on average. */
  readonly mean: (value: number) => string;
}

/** Of what takes none, no digits that promise some. */
const duration = (ms: number): string => (ms === 0 ? '0' : exact(ms));

const tenths = (value: number): string => (value === 0 || value >= 100 ? count(value) : value.toFixed(1));

export const MEASURES: readonly Measure[] = [
  {
    key: 'tokens',
    title: 'Tokens sent',
    about: 'What the model that answers is given to read. A token is about three quarters of a word.',
    words: count,
    mean: count,
  },
  {
    key: 'calls',
    title: 'Model calls',
    about: 'How often other models were asked, to file the turn and find what to send.',
    words: count,
    mean: tenths,
  },
  {
    key: 'read',
    title: 'Tokens read',
    about: 'What those models were given to read for that.',
    words: count,
    mean: count,
  },
  {
    key: 'ms',
    title: 'Time',
    about: 'How long that took, on this device.',
    words: duration,
    mean: duration,
  },
];
