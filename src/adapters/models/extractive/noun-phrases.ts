import { WEAK_WORDS } from '../../../engine/text/stop-words.ts';
import { isStopWord } from '../../../engine/text/words.ts';
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
  /^(?:to|i|we|you|they|it|he|she|can|could|should|would|will|must|might|may|please|let['’]s|not|always|never|often|usually|don['’]t|who|that|which|and|or|also|i['’](?:d|ll|ve|m)|didn['’]t|doesn['’]t|won['’]t)$/i;

/** Runs of naming words in a clause, tied ones together where both fit; each of at most five words, in order. */
export const nounPhrases = (clause: string): string[] => {
  const found: string[] = [];
  // After an auxiliary the verb follows its subject: "how does Redis handle queues".
  const asked = /^(?:\w+ ){0,3}(?:do|does|did|can|could|should|would|will) /i.test(clause);
  for (const part of clause.split(/,(?!\d)|[;:!?()[\]"“”]+|\.(?=\s|$)|\s[–—-]\s/)) {
    const words = part
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
      .map(trimmed);
    let phrase: string[] = [];
    let tie: string[] = [];
    const end = (): void => {
      const told = withoutWeakEnds(phrase);
      if (told.length > 0) found.push(told.slice(0, LONGEST).join(' '));
      phrase = [];
      tie = [];
    };
    words.forEach((word, at) => {
      const lower = word.toLowerCase();
      if (phrase.length > 0 && tie.length === 0 && TIES.has(lower)) tie = [word];
      else if (tie.length > 0 && DETERMINERS.has(lower)) return;
      else if (
        asked &&
        phrase.length > 0 &&
        tie.length === 0 &&
        REQUEST_VERBS.has(lower) &&
        !TIES.has(words[at + 1] ?? 'of')
      )
        end();
      else if (!names(word, words[at - 1] ?? '') || (WEAK_WORDS.has(lower) && (phrase.length === 0 || tie.length > 0)))
        end();
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

/** Weak words and trailing participles at either end say nothing ("details of", "components related"). */
const withoutWeakEnds = (phrase: readonly string[]): readonly string[] => {
  const [first = '', second] = phrase;
  const last = phrase.at(-1) ?? '';
  if (second === undefined) return phrase.filter((word) => !WEAK_WORDS.has(word.toLowerCase()));
  if (
    WEAK_WORDS.has(last.toLowerCase()) ||
    TIES.has(last.toLowerCase()) ||
    (phrase.length > 2 && /[^e]ed$/.test(last))
  ) {
    return withoutWeakEnds(phrase.slice(0, -1));
  }
  if (
    WEAK_WORDS.has(first.toLowerCase()) ||
    TIES.has(first.toLowerCase()) ||
    (TIES.has(second) && /[^e]ed$/.test(first))
  ) {
    return withoutWeakEnds(phrase.slice(1));
  }
  return phrase;
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
  if (isName || /\p{N}/u.test(word)) return true;
  if (BEFORE_VERB.test(before) && (lower.length < 4 || REQUEST_VERBS.has(lower) || before.toLowerCase() !== 'and'))
    return false;
  return !(before === '' && REQUEST_VERBS.has(lower)) && !isVerbForm(lower);
};

const trimmed = (word: string): string => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#%]+$/gu, '');
