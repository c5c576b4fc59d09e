import type { Reason } from '../../domain/decision.ts';
import type { Cue } from '../../engine/cues.ts';
import { type Choice, featuresOf, type Model } from './linear-choice.ts';

/** What several features say together, in words; null where there is nothing to say. */
export type Wording = (group: string, cueWords: string | undefined) => string | null;

const MOST_REASONS = 5;
/** Weakest reason worth reading, in log-odds: 0.2 moves an even chance by 5 points. */
const WEAKEST = 0.2;

/**
 * What spoke for the chosen answer against the strongest other one, strongest first. A feature counts
 * by how far it is from its average, so that what is always so explains nothing.
 */
export const reasonsFor = (
  chosen: Choice,
  other: Choice,
  model: Model,
  groupOf: (feature: string) => string,
  cues: ReadonlyMap<Cue, string>,
  wording: Wording,
): Reason[] => {
  const sums = new Map<string, number>();
  const add = (choice: Choice, sign: number) => {
    const features = featuresOf(choice);
    for (const name in features) {
      const group = groupOf(name.replace(/^(?:\w+: )+/, ''));
      const [weight, mean] = model[name] ?? [0, 0];
      sums.set(group, (sums.get(group) ?? 0) + sign * weight * ((features[name] ?? 0) - mean));
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
