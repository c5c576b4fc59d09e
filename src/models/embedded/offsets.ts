import type { PersonalEffect, Reason } from '../../domain/decision.ts';
import { sum } from '../../domain/numbers.ts';
import type { BranchReading } from './branch-features.ts';
import type { TopicReading } from './topic-features.ts';

/** What the person's lessons add to the choices of one question. */
export interface Offsets {
  /** Log-odds to be added to each choice, in order. */
  readonly values: readonly number[];
  /** Returns in words what speaks for one choice over another, strongest first. */
  reasons(chosen: number, against: number): Reason[];
}

/** What a decider asks the layer; null if nothing has been learned. */
export interface PersonalLayer {
  topic(reading: TopicReading): Offsets | null;
  branch(reading: BranchReading): Offsets | null;
}

/** Smallest change of a probability worth reporting. */
const LEAST_CHANGE = 0.01;

/** A choice as reported in a trace. */
interface TracedChoice {
  readonly action: PersonalEffect['without']['action'];
  /** The topic or the turn it names. */
  readonly target?: string | null;
  readonly point?: string | null;
}

/**
 * Returns the probabilities of the choices with the lessons added, and for the trace, how that changed the answer: nothing if
 * there are no lessons or they changed next to nothing.
 */
export const withLessons = (
  choices: readonly TracedChoice[],
  before: readonly number[],
  offsets: Offsets | null | undefined,
): { readonly all: readonly number[]; readonly trace: { readonly personal?: PersonalEffect } } => {
  if (!offsets) return { all: before, trace: {} };
  const odds = before.map((chance, at) => chance * Math.exp(offsets.values[at] ?? 0));
  const whole = sum(odds);
  const all = odds.map((value) => value / whole);
  const [first = 0] = ranked(before);
  const [now = 0, next = now] = ranked(all);
  const without = choices[first];
  const kept = first === now;
  if (without === undefined || (kept && Math.abs((all[now] ?? 0) - (before[now] ?? 0)) < LEAST_CHANGE)) {
    return { all, trace: {} };
  }
  const { action, point = null, target = point } = without;
  const confidence = before[first] ?? 0;
  const reasons = offsets.reasons(now, kept ? next : first);
  return { all, trace: { personal: { without: { action, target, confidence }, reasons } } };
};

const ranked = (chances: readonly number[]): number[] =>
  chances.map((_, at) => at).sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0));
