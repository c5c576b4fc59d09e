import type { Facts } from '../../src/engine/place/lessons.ts';
import type { Labelled } from '../../src/models/embedded/personal/fit-lessons.ts';
import type { General } from '../../src/models/embedded/personal/general-questions.ts';
import { wordingFacts, wordsNamed } from '../../src/models/embedded/personal/lesson-facts.ts';

/** One question in so many is shipped: enough for the guard, within some 200 kB. */
const STEP = 3;
/** A wording that this many messages have is nobody's own. */
const COMMON = 2;

/**
 * General questions to be shipped: one in a few, and the wordings that several of the messages have. A wording
 * that a single message has is left out of it, which makes a question a few hundred bytes.
 */
export const generalFrom = (questions: readonly Labelled[], messages: readonly string[]): General => {
  const counts = new Map<string, number>();
  for (const message of messages) {
    for (const fact in wordingFacts(message)) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  const common = (fact: string) => wordsNamed(fact) === null || (counts.get(fact) ?? 0) >= COMMON;
  return {
    wordings: new Set([...counts.keys()].filter(common).sort()),
    questions: questions
      .filter((_, at) => at % STEP === 0)
      .map(({ message, choices, right }) => ({
        message: compact(message, common),
        choices: choices.map(({ action, base, facts }) => ({
          action,
          base: rounded(base),
          facts: compact(facts, common),
        })),
        right,
      })),
  };
};

const compact = (facts: Facts, keep: (fact: string) => boolean): Facts =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) => (value !== 0 && keep(fact) ? [[fact, rounded(value)]] : [])),
  );

const rounded = (value: number): number => Math.round(value * 100) / 100;
