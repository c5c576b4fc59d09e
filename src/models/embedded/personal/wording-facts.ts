import { wordsOf } from '../../../engine/text/words.ts';

/** Words at the start of a message that are looked at: where people say what a message does. */
const START = 8;
/** Longest opening that is one fact, in words. */
const LONGEST_OPENING = 3;

const QUOTED = /“(.+)”$/;

/**
 * How a message is worded, as facts: how it opens, the pairs of words near its start, and how it ends. Each names
 * its words, so that the person can be told what was learned.
 */
export const wordingFacts = (message: string): Record<string, number> => {
  const words = wordsOf(message.slice(0, 400)).map((word) => word.toLowerCase().replaceAll('’', "'"));
  const facts: Record<string, number> = {};
  for (let count = 1; count <= Math.min(LONGEST_OPENING, words.length); count++) {
    facts[`opens “${words.slice(0, count).join(' ')}”`] = 1;
  }
  for (let at = 1; at + 1 < Math.min(START, words.length); at++) facts[`says “${words[at]} ${words[at + 1]}”`] = 1;
  const last = wordsOf(message.slice(-80)).slice(-2);
  if (words.length > LONGEST_OPENING) facts[`ends “${last.join(' ').toLowerCase()}”`] = 1;
  return facts;
};

/** The words that a wording fact names; null for a fact of another sort. */
export const wordsNamed = (fact: string): string | null => QUOTED.exec(fact)?.[1] ?? null;
