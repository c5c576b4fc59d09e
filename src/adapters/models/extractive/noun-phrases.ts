import { WEAK_WORDS } from '../text/stop-words.ts';
import { isStopWord } from '../text/words.ts';
import { isAdverb, isVerbForm, REQUEST_VERBS } from './verbs.ts';

const LONGEST = 5;
/** Words that tie two noun phrases into one. */
const TIES = new Set([
  'of',
  'for',
  'in',
  'with',
  'between',
  'and',
  'on',
  'from',
  'vs',
  'using',
  'without',
  'to',
  'at',
  'against',
  'about',
]);
const DETERMINERS = new Set([
  'the',
  'a',
  'an',
  'my',
  'our',
  'your',
  'his',
  'her',
  'their',
  'its',
  'this',
  'that',
  'these',
  'those',
  'some',
  'any',
  'both',
]);
/** After these comes a verb. */
const BEFORE_VERB =
  /^(?:to|i|we|you|they|it|he|she|can|could|should|would|will|must|might|may|please|let['’]s|not|don['’]t|who|that|which|and|or|also|i['’](?:d|ll|ve|m)|didn['’]t|doesn['’]t|won['’]t)$/i;

/** Runs of naming words in a clause, tied ones together where both fit; each of at most five words, in order. */
export const nounPhrases = (clause: string): string[] => {
  const found: string[] = [];
  for (const part of clause.split(/[,;:!?()[\]"“”]+|\.(?=\s|$)|\s[–—-]\s/)) {
    const words = part
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
      .map(trimmed);
    let phrase: string[] = [];
    let tie: string[] = [];
    const end = (): void => {
      if (phrase.length > 0) found.push(phrase.slice(-LONGEST).join(' '));
      phrase = [];
      tie = [];
    };
    words.forEach((word, at) => {
      const lower = word.toLowerCase();
      if (phrase.length > 0 && tie.length === 0 && TIES.has(lower)) tie = [word];
      else if (tie.length > 0 && DETERMINERS.has(lower)) return;
      else if (!names(word, words[at - 1] ?? '')) end();
      else {
        const tied = tie.length === 0 ? [...phrase, word] : [...phrase, ...tie, ...runFrom(words, at)];
        if (tie.length > 0 && (tied.length > LONGEST || phrase.length > 3)) end();
        phrase = tie.length === 0 ? [...phrase, word] : [...phrase, ...tie, word];
        tie = [];
      }
    });
    end();
  }
  return found;
};

/** The naming words from a place on. */
const runFrom = (words: readonly string[], at: number): string[] => {
  const stop = words.findIndex((word, i) => i >= at && !names(word, i === at ? '' : (words[i - 1] ?? '')));
  return words.slice(at, stop === -1 ? undefined : stop);
};

const names = (word: string, before: string): boolean => {
  const lower = word.toLowerCase();
  if (isStopWord(lower) || isAdverb(lower)) return false;
  const isName = /^\p{Lu}/u.test(word) && before !== '';
  if (WEAK_WORDS.has(lower)) return false;
  if (isName || /\p{N}/u.test(word)) return true;
  if (BEFORE_VERB.test(before) && (lower.length < 4 || REQUEST_VERBS.has(lower) || before.toLowerCase() !== 'and'))
    return false;
  return !(before === '' && REQUEST_VERBS.has(lower)) && !isVerbForm(lower);
};

const trimmed = (word: string): string =>
  word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#%]+$/gu, '').replace(/['’]s$/, (s) => s);
