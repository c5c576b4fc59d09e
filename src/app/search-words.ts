import { beginning } from '../domain/queries.ts';
import { ANY_UNSPACED, oneLine } from '../engine/text/words.ts';

/** A word or phrase to search for, lower-cased and without accents. */
export interface Term {
  readonly text: string;
  /** For a quick check whether a match is possible at all. */
  readonly words: readonly string[];
  readonly phrase: boolean;
  readonly pattern: RegExp;
}

/** A half-open range of text offsets. */
export type MarkSpan = readonly [from: number, to: number];

const ACCENTS = /[\u0300-\u036f]/g;
/** A programming language may end in signs, as c++ and c# do. */
const WORD = /(?<![\p{L}\p{N}])[a-z](?:\+\+|#)|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const SIGN = /[\\^$.*+?()[\]{}|]/g;
/** Signs, scripts without spaces between words, and those that attach articles to them: a match may start anywhere. */
const ANYWHERE = new RegExp(`^(?:${ANY_UNSPACED.source}|[\\p{Script=Arabic}\\p{Script=Hebrew}]|[^\\p{L}\\p{N}])`, 'u');

/** What belongs to a word: letters, digits, and the signs of a script; not the sign that colours an emoji. */
const LETTER_SOURCE = '(?![\\ufe00-\\ufe0f])[\\p{L}\\p{N}\\p{Mn}\\p{Mc}]';
/**
 * A letter behind which no other word begins. Those of scripts without spaces are not, nor those of Arabic and Hebrew,
 * whose articles and prepositions are attached: a name or number follows without a space (“用Python写”). To Unicode, the
 * sign of a long vowel in katakana is of no script.
 */
const LETTER_BEFORE_SOURCE = `(?!${ANY_UNSPACED.source}|[\\p{Script=Arabic}\\p{Script=Hebrew}\\u30fc])${LETTER_SOURCE}`;
/** A letter before which no quoted word ends; a vowel sign belongs to the letter before it. */
const LETTER_AFTER_SOURCE = `(?!(?=\\p{L})${ANY_UNSPACED.source})${LETTER_SOURCE}`;

/**
 * Lower-cases text and strips accents for comparison. Letters are composed again: the sign that makes か into が is no accent, and
 * a Korean syllable is one letter. A Greek sigma is the same at the end of a word, where it is written otherwise.
 */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

/** Parses a query: each bare word matches as a prefix, quoted text as it is. */
export const searchTerms = (query: string): Term[] => {
  const terms = new Map<string, Term>();
  for (const [whole, quoted, bare] of folded(query).matchAll(/["“”]([^"“”]*)["“”]?|([^"“”]+)/g)) {
    // With unclosed quotes, the last word is still being typed.
    const closed = quoted !== undefined && /["“”]$/.test(whole) && whole.length > 1;
    const asked = quoted === undefined ? wordsOf(bare ?? '').map((word) => [word]) : [wordsOf(quoted)];
    for (const words of asked) {
      if (words.length === 0) continue;
      const term = { text: words.join(' '), words, phrase: quoted !== undefined, pattern: patternOf(words, closed) };
      terms.set(`${term.phrase} ${term.text}`, term);
    }
  }
  return [...terms.values()];
};

/** Parses a query without words, such as an emoji: it matches as it is. */
export const signTerms = (query: string): Term[] => {
  // Whether an emoji is followed by the sign for “in colour” depends on the keyboard.
  const text = folded(query)
    .trim()
    .replace(/\ufe0f$/, '');
  if (text === '') return [];
  return [{ text, words: [text], phrase: false, pattern: new RegExp(text.replace(SIGN, '\\$&'), 'gu') }];
};

/** The words of a simple filter, folded: each must occur somewhere in a folded text. */
export const filterWords = (filter: string): string[] => folded(filter).split(/\s+/).filter(Boolean);

/** Returns whether a text holds every word of a simple filter, in any order, whatever its capitals and accents. */
export const textFilter = (filter: string): ((text: string) => boolean) => {
  const words = filterWords(filter);
  return (text) => {
    if (words.length === 0) return true;
    const read = folded(text);
    return words.every((word) => read.includes(word));
  };
};

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** What stands between a word and the next: at least one sign, unless the word itself ends in one, as in c++17. */
const afterWord = (word: string): string =>
  /[+#]$/.test(word) ? '[^\\p{L}\\p{N}]*' : `(?!${LETTER_SOURCE})[^\\p{L}\\p{N}]+`;

const patternOf = (words: readonly string[], closed: boolean): RegExp => {
  const before = ANYWHERE.test(words[0] ?? '') ? '' : `(?<!${LETTER_BEFORE_SOURCE})`;
  const last = words.length - 1;
  const read = words.map((word, at) => `${word.replace(SIGN, '\\$&')}${at === last ? '' : afterWord(word)}`).join('');
  return new RegExp(`${before}${read}${closed ? `(?!${LETTER_AFTER_SOURCE})` : ''}`, 'gu');
};

/** Rates how well a folded text matches a term: 0 for no match, 1 for a prefix of a word, more for a whole word. */
export const fitOf = (text: string, term: Term): number => {
  let best = 0;
  eachFit(text, [text.length], term, (_, fit) => {
    best = fit;
  });
  return best;
};

/**
 * Does the same for many texts joined into one, given where each of them ends: reports the index and fit of those
 * that match. Searching one long text takes a hundredth of the time of searching many short ones.
 */
export const eachFit = (
  text: string,
  ends: ArrayLike<number>,
  term: Term,
  found: (at: number, fit: number) => void,
): void => {
  if (!term.words.every((word) => text.includes(word))) return;
  const first = term.words[0] as string;
  const anywhere = ANYWHERE.test(first);
  const whole = term.phrase || term.words.length > 1 ? new RegExp(term.pattern.source, 'uy') : null;
  const endAt = (from: number): number => {
    if (!anywhere && isLetterBefore(text, from)) return -1;
    if (whole === null) return from + first.length;
    whole.lastIndex = from;
    const match = whole.exec(text);
    return match === null ? -1 : from + match[0].length;
  };
  let at = 0;
  let best = 0;
  for (let from = text.indexOf(first); from >= 0; ) {
    while ((ends[at] as number) <= from) {
      if (best > 0) found(at, best);
      best = 0;
      at += 1;
    }
    const until = ends[at] as number;
    const end = endAt(from);
    if (end > 0 && end <= until) best = end < until && isLetterAt(text, end) ? Math.max(best, 1) : WHOLE_WORD;
    from = text.indexOf(first, best === WHOLE_WORD ? until : from + 1);
  }
  if (best > 0) found(at, best);
};

const LETTER = new RegExp(LETTER_SOURCE, 'u');
const PLAIN_LETTERS = Array.from({ length: 128 }, (_, code) => LETTER.test(String.fromCharCode(code)));

const LETTER_BEFORE = new RegExp(LETTER_BEFORE_SOURCE, 'u');

const isLetterAt = (text: string, at: number, letter = LETTER): boolean =>
  PLAIN_LETTERS[text.charCodeAt(at)] ?? letter.test(String.fromCodePoint(text.codePointAt(at) ?? 0));

const isLetterBefore = (text: string, at: number): boolean => {
  if (at === 0) return false;
  const code = text.charCodeAt(at - 1);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
  return isLetterAt(text, at - (isSecondHalf && at > 1 ? 2 : 1), LETTER_BEFORE);
};

const WHOLE_WORD = 1.5;

/** Returns where an original (unfolded) text matches the terms, in order and without overlaps. */
export const marksOf = (text: string, terms: readonly Term[]): MarkSpan[] => {
  const { plain, starts, ends } = foldedWithPlaces(text);
  const found = terms.flatMap(({ pattern }) =>
    [...plain.matchAll(pattern)].map(
      ({ 0: match, index }): MarkSpan => [starts[index] ?? 0, ends[index + match.length - 1] ?? 0],
    ),
  );
  const spans: MarkSpan[] = [];
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = spans.at(-1);
    if (last === undefined || from > last[1]) spans.push([from, to]);
    else spans[spans.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return spans;
};

/** A letter with the signs that follow it; a Korean syllable may be written as up to three. */
const WRITTEN_LETTER = /.[\p{M}\u1160-\u11ff]*/gsu;

/** The folded text, and for each offset in it where the letter there starts and ends in the original text. */
const foldedWithPlaces = (text: string): { plain: string; starts: number[]; ends: number[] } => {
  let plain = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: letter, index } of text.matchAll(WRITTEN_LETTER)) {
    // Normalising is slow, and most letters are ASCII.
    const simple = letter < '\u0080' && letter.length === 1 ? letter.toLowerCase() : folded(letter);
    for (let i = 0; i < simple.length; i++) {
      starts.push(index);
      ends.push(index + letter.length);
    }
    plain += simple;
  }
  return { plain, starts, ends };
};

/** Characters shown before the first mark, and in total. */
const BEFORE = 48;
const SHOWN = 220;

export interface SearchExcerpt {
  readonly text: string;
  readonly marks: readonly MarkSpan[];
}

/** Returns the excerpt shown in a search result, on one line, starting a little before the first mark. */
export const searchExcerpt = (written: string, terms: readonly Term[]): SearchExcerpt => {
  const asRead = oneLine(withoutMarkup(written));
  // The match may be in the markup itself, or in a link's address.
  const hidesWhatWasFound = terms.length > 0 && marksOf(asRead, terms).length === 0;
  const text = hidesWhatWasFound ? oneLine(written) : asRead;
  const first = marksOf(text, terms)[0]?.[0] ?? 0;
  // In scripts without spaces, the next one may stand far behind what was found.
  const from = first <= BEFORE ? 0 : Math.min(text.indexOf(' ', first - BEFORE) + 1 || first, first);
  // Never half a character.
  const shown = beginning(text.slice(from), SHOWN);
  const cut = `${from > 0 ? '… ' : ''}${shown}${from + SHOWN < text.length ? ' …' : ''}`;
  return { text: cut, marks: marksOf(cut, terms) };
};

/**
 * Strips Markdown formatting: fences, headings, rules, emphasis, link addresses, table bars. What is longer than anyone
 * emphasises or links stays as it is: looking for its end from everywhere would take quadratic time.
 */
export const withoutMarkup = (text: string): string =>
  text
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/^[ \t]*(?:[-*_]{3,}|\|(?=[^\n]*-)[ \t:|-]*\|)[ \t]*$/gm, '')
    .replace(/^[ \t]*\|(.+)\|[ \t]*$/gm, (_row, cells: string) => `${cells.split('|').map(trimmed).join(' · ')};`)
    .replace(/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, '')
    .replace(/!?\[([^\]\n]{1,1000})\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(/(\*\*|__|~~|`{1,3})(?=\S)([^\n]{0,2000}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]*\S)\1(?![\p{L}\p{N}*_])/gu, '$2');

const trimmed = (text: string): string => text.trim();
