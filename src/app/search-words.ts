/** A word or a phrase that is sought, without capitals and accents. */
export interface Term {
  readonly text: string;
  /** For a quick look whether it can be there at all. */
  readonly words: readonly string[];
  readonly phrase: boolean;
  readonly pattern: RegExp;
}

/** From one place of a text to before another. */
export type Span = readonly [from: number, to: number];

const ACCENTS = /[\u0300-\u036f]/g;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that leave no space between words: what is sought may stand anywhere. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Without capitals and accents, as it is compared. */
export const folded = (text: string): string => text.normalize('NFD').replace(ACCENTS, '').toLowerCase();

/** What a query asks for: each word as the beginning of one, what stands in quotes as it is. */
export const termsOf = (query: string): Term[] => {
  const terms = new Map<string, Term>();
  for (const [whole, quoted, bare] of folded(query).matchAll(/["“”]([^"“”]*)["“”]?|([^"“”]+)/g)) {
    // Whoever has not closed the quotes is still writing the last word.
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

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

const patternOf = (words: readonly string[], closed: boolean): RegExp => {
  const before = UNSPACED.test(words[0] ?? '') ? '' : '(?<![\\p{L}\\p{N}])';
  return new RegExp(`${before}${words.join('[^\\p{L}\\p{N}]+')}${closed ? '(?![\\p{L}\\p{N}])' : ''}`, 'gu');
};

/** How well a folded text has a term: 0 not at all, 1 as the beginning of a word, more as a whole one. */
export const fitOf = (text: string, term: Term): number => {
  if (!term.words.every((word) => text.includes(word))) return 0;
  let best = 0;
  for (const { 0: found, index } of text.matchAll(term.pattern)) {
    if (!/[\p{L}\p{N}]/u.test(text[index + found.length] ?? ' ')) return WHOLE_WORD;
    best = 1;
  }
  return best;
};

const WHOLE_WORD = 1.5;

/** Where a text, as it was written, has the terms; in order, none over another. */
export const marksOf = (text: string, terms: readonly Term[]): Span[] => {
  const { plain, at } = foldedWithPlaces(text);
  const found = terms.flatMap(({ pattern }) =>
    [...plain.matchAll(pattern)].map(({ 0: match, index }): Span => [at[index] ?? 0, at[index + match.length] ?? 0]),
  );
  const spans: Span[] = [];
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = spans.at(-1);
    if (last === undefined || from > last[1]) spans.push([from, to]);
    else spans[spans.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return spans;
};

/** The folded text, and for each place in it the one in the text that was written. */
const foldedWithPlaces = (text: string): { plain: string; at: number[] } => {
  let plain = '';
  const at: number[] = [];
  let place = 0;
  for (const letter of text) {
    // Normalising is slow, and most letters are plain.
    const simple = letter < '\u0080' ? letter.toLowerCase() : folded(letter);
    for (let i = 0; i < simple.length; i++) at.push(place);
    plain += simple;
    place += letter.length;
  }
  at.push(place);
  return { plain, at };
};

/** Letters shown around the first mark. */
const BEFORE = 48;
const SHOWN = 220;

export interface Excerpt {
  readonly text: string;
  readonly marks: readonly Span[];
}

/** As much of a text as a result shows, on one line, from a little before its first mark. */
export const excerptOf = (written: string, terms: readonly Term[]): Excerpt => {
  const text = written.replace(/\s+/g, ' ').trim();
  const first = marksOf(text, terms)[0]?.[0] ?? 0;
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1 || first;
  const shown = text.slice(Math.min(from, first), Math.min(from, first) + SHOWN);
  const cut = `${from > 0 ? '… ' : ''}${shown}${from + SHOWN < text.length ? ' …' : ''}`;
  return { text: cut, marks: marksOf(cut, terms) };
};
