import { contentWeights, isStopWord, wordsOf } from '../../../engine/text/words.ts';
import { type PlainText, plainText } from '../text/plain-text.ts';
import { type Clause, clausesOf } from './key-clauses.ts';
import { isForeign } from './language.ts';
import { nounPhrases } from './noun-phrases.ts';
import { gestureOf } from './openers.ts';

/** Two to five words that name what a turn is about, without a full stop. */
export const titleOf = ({ message, reply }: { message: string; reply: string }): string => {
  const plain = plainText(message);
  const clauses = clausesOf(plain);
  if (clauses.every(({ kind }) => kind === 'gesture')) return titleOfRest(plain, clauses);
  if (isForeign(plain.lines.map(({ text }) => text).join(' '))) return titleOfForeign(clauses[0]?.text ?? '');
  const phrases = ranked(clauses, `${message} ${reply}`);
  const [best, second] = phrases;
  if (best === undefined) return titleOfRest(plain, clauses);
  if (best.includes(' ')) return capitalised(best);
  return capitalised(
    second === undefined
      ? `About ${best}`
      : second.includes(' ')
        ? second
        : /^\p{Lu}|s$/u.test(second)
          ? `${best} and ${second}`
          : `About ${best}`,
  );
};

/** Noun phrases of the clauses, the most telling first, none twice. */
const ranked = (clauses: readonly Clause[], whole: string): string[] => {
  const words = wordsOf(whole.toLowerCase());
  const often = (phrase: string): number => {
    const first = phrase.toLowerCase().split(' ').at(-1) ?? '';
    return Math.min(3, words.filter((word) => word === first).length);
  };
  const most = Math.max(...clauses.map(({ score }) => score));
  const found = clauses.flatMap(({ text, score }) =>
    nounPhrases(text).map((phrase, at) => {
      // What it may cost or how many is seldom what it is about.
      const amount = /^(?:budget|cost|price|\d)/i.test(phrase) ? 0.6 : 1;
      const content = [...contentWeights(phrase).values()].reduce((sum, weight) => sum + weight, 0);
      return {
        phrase,
        score:
          (Math.min(content, 4) + 0.3 * often(phrase)) * (0.4 + score / most) * (1 - Math.min(at, 4) * 0.08) * amount,
      };
    }),
  );
  const phrases = found
    .filter(({ phrase }) => /\p{L}/u.test(phrase))
    .sort((a, b) => b.score - a.score)
    .map(({ phrase }) => phrase);
  const [best = ''] = phrases;
  return phrases.filter((phrase, at) => at === 0 || !best.toLowerCase().includes(phrase.toLowerCase()));
};

const titleOfRest = ({ code, lines }: PlainText, clauses: readonly Clause[]): string => {
  const language = code[0]?.language;
  if (code.length > 0) return language ? `${capitalised(language)} code` : 'Pasted code';
  const gesture = gestureOf(clauses[0]?.text ?? '');
  if (gesture === 'greets the assistant') return 'A greeting';
  if (gesture === 'thanks the assistant') return 'A thank-you';
  const word = wordsOf(lines[0]?.text ?? '').find((candidate) => /\p{L}{2}/u.test(candidate) && !isStopWord(candidate));
  return word === undefined || gesture !== null ? 'Short message' : `About “${word}”`;
};

/** The rules for English do not hold: the first words that are long enough to mean something. */
const titleOfForeign = (clause: string): string => {
  const first = clause.split(/[,，、。.!?！？;；:：]/u)[0]?.trim() ?? '';
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(first);
  if (unspaced) return first.length <= 14 ? first : `${first.slice(0, 14)}…`;
  const words = wordsOf(clause)
    .filter((word) => word.length > 3)
    .slice(0, 4);
  return words.length < 2 ? `About “${first.slice(0, 40)}”` : capitalised(words.join(' '));
};

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
