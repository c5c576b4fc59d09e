/*
 * How near an answer is to the right one, as SQuAD measures it (Rajpurkar et al. 2016, the official
 * evaluation script): exact match and the F1 of the words, the best over the right answers.
 */

const ARTICLES = /\b(?:a|an|the)\b/g;
/** The marks that SQuAD leaves out: ASCII punctuation. */
const MARKS = /[!-/:-@[-`{-~]/g;

/** Without capitals, punctuation, articles and needless blanks. */
export const normalisedAnswer = (text: string): string =>
  text.toLowerCase().replace(MARKS, '').replace(ARTICLES, ' ').split(/\s+/).filter(Boolean).join(' ');

/** 1 or 0. */
export const exactMatch = (given: string, right: readonly string[]): number =>
  right.some((answer) => normalisedAnswer(answer) === normalisedAnswer(given)) ? 1 : 0;

/** 0 to 1. */
export const answerF1 = (given: string, right: readonly string[]): number =>
  Math.max(0, ...right.map((answer) => wordF1(words(given), words(answer))));

const words = (text: string): string[] => normalisedAnswer(text).split(' ').filter(Boolean);

const wordF1 = (given: readonly string[], right: readonly string[]): number => {
  // Nothing is right only where nothing is the answer.
  if (given.length === 0 || right.length === 0) return given.length === right.length ? 1 : 0;
  const left = [...right];
  let common = 0;
  for (const word of given) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return (2 * common) / (given.length + right.length);
};
