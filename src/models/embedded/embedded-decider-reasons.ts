import type { Reason } from '../../domain/decision.ts';
import type { Cue } from '../../engine/place/cues.ts';
import { type Choice, evidenceFor, type Model } from './boosted-choice.ts';
import { BASE, groupOf } from './embedded-decider-wording.ts';

/** What several features say together, in words; null where there is nothing to say. */
export type Wording = (group: string, cueWords: string | undefined) => string | null;

const MOST_REASONS = 5;
/** Weakest reason worth reading, in log-odds: 0.2 moves an even chance by 5 points. */
const WEAKEST = 0.2;

/** What spoke for the chosen answer against the strongest other one, strongest first. */
export const reasonsFor = (
  chosen: Choice,
  other: Choice,
  model: Model,
  cues: ReadonlyMap<Cue, string>,
  wording: Wording,
): Reason[] => {
  const sums = new Map<string, number>();
  const add = (choice: Choice, sign: number) => {
    const evidence = evidenceFor(choice, model);
    if (evidence === null) return;
    const { base, names, values } = evidence;
    const groups = groupsOf(names);
    sums.set(BASE, (sums.get(BASE) ?? 0) + sign * base);
    for (let at = 0; at < values.length; at++) {
      if (values[at] === 0) continue;
      const group = groups[at] as string;
      sums.set(group, (sums.get(group) ?? 0) + sign * (values[at] as number));
    }
  };
  add(chosen, 1);
  add(other, -1);
  return [...sums]
    .filter(([, weight]) => Math.abs(weight) >= WEAKEST)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .flatMap(([group, weight]) => {
      const text = wording(group, cues.get(group as Cue));
      return text === null ? [] : [{ text, weight: Math.round(weight * 100) / 100 }];
    })
    .slice(0, MOST_REASONS);
};

const groupsOf = (names: readonly string[]): readonly string[] => {
  const known = groupsByNames.get(names) ?? names.map(groupOf);
  groupsByNames.set(names, known);
  return known;
};
const groupsByNames = new WeakMap<readonly string[], readonly string[]>();
