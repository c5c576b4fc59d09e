import { latinDigits } from '../../domain/numbers.ts';
import { MONTH, sentencesOf } from '../../engine/text/sentences.ts';

/** A text stripped of its markup: what a person would read aloud, plus what was left out. */
export interface PlainText {
  /** Paragraphs, headings and list items, each on one line, in order. None is empty. */
  readonly lines: readonly Line[];
  /** Code blocks, which are left out of `lines`. */
  readonly code: readonly { readonly language: string; readonly lines: number }[];
}

export interface Line {
  readonly text: string;
  readonly kind: 'prose' | 'item' | 'heading';
}

/**
 * A block of code, closed or not, also as the first thing in a list item; its second group is the language, its third the code.
 * Backticks with more of them in the same line are inline code.
 */
export const FENCE =
  /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(```+(?=[^`\n]*$)|~~~+)[ \t]*([\w+#.-]*)[^\n]*\n?([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;
const ITEM = /^\s*(?:[-*+•–]|\(?\p{Nd}{1,2}[.)]|[a-z]\))\s+/u;
/** What says which item a line is: a number, a letter, or a dash or plus, which may also be the sign of a figure. */
const PLACE = /^\s*(?:\(?(\p{Nd}{1,2})[.)]|([a-z])\)|([-+–]))\s/u;
const SIGNED = /^\s*[-+–]\s+\p{Nd}/u;
const HEADING = /^\s*#{1,6}\s+/;
const RULE = /^\s*(?:[-*_=]\s*){3,}$/;
/**
 * Inline code, which stays as it is, or layout: comments, line breaks, and tags around words. Other words in angle brackets were
 * written to be read: names of elements, types, placeholders.
 */
const LAYOUT =
  /(`+[^`\n]*`+)|<!--[\s\S]{0,2000}?-->|<[bh]r\s*\/?>|<(b|i|u|em|strong|sub|sup|small|center|font|summary)(?:\s[^<>\n]{0,200})?>([^<>\n]*)<\/\2>/gi;
/** A text that is JSON as a whole. */
export const DATA = /^\s*(?:\{\s*"|\[\s*[{"[])[\s\S]*[}\]]\s*$/;
/** The gist of a turn never lies beyond this many UTF-16 units; bounds the work on a pasted book. */
const READ_AT_MOST = 20_000;

export const plainText = (markdown: string): PlainText => {
  const code: { language: string; lines: number }[] = [];
  if (DATA.test(markdown)) return { lines: [], code: [{ language: 'json', lines: markdown.split('\n').length }] };
  const prose = markdown.slice(0, READ_AT_MOST).replace(FENCE, (_match, _fence, language: string, body: string) => {
    code.push({ language, lines: body.split('\n').filter((line) => line.trim() !== '').length });
    return '\n\n';
  });
  const words = prose.replace(
    LAYOUT,
    (_match, inline?: string, _tag?: string, inside?: string) => inline ?? inside ?? ' ',
  );
  const lines: Line[] = [];
  let joins = false;
  const written = enumerated(words)
    .split('\n')
    .map((line) => (/^\s*\|.+\|/.test(line) && !isTableRule(line) ? row(line) : line));
  const isItem = itemsAmong(written.map((line) => line.replace(HEADING, '')));
  for (const [at, raw] of written.entries()) {
    const blank = raw.trim() === '' || RULE.test(raw) || isTableRule(raw);
    const marked = isItem(at);
    const kind = HEADING.test(raw) ? 'heading' : marked ? 'item' : 'prose';
    const bare = raw.replace(HEADING, '');
    const text = blank ? '' : inlineText((marked ? bare.replace(ITEM, '') : bare).replace(/^\s*>+\s?/, ''));
    const before = lines.at(-1);
    // A line that continues in lower case belongs to the same, wrapped paragraph.
    if (joins && kind === 'prose' && before !== undefined && /^\p{Ll}/u.test(text)) {
      lines[lines.length - 1] = { ...before, text: `${before.text} ${text}` };
    } else if (/[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(text)) {
      lines.push({ text, kind });
    }
    joins = text !== '' && kind !== 'heading';
  }
  return { lines, code };
};

/**
 * A question or task, as it is pasted with its number: “3. How do I …”; “2) is fine” is none, nor is what is short and points at an
 * item: “2. explain more”.
 */
const NUMBERED_TASK =
  /^\s*\(?\p{Nd}{1,2}[.)]\s+(?!(?=\S+(?:\s+\S+){0,5}\s*$).*\b(?:it|that|this|one|more|please|further|again|(?:first|second|last|explain|elaborate)\W*$)(?!\p{L}))(?:(?:what|how|why|when|where|who|which|explain|describe|name|list|write|find|solve|calculate|give|compare|define|prove|state)\s+\S|(?:is|are|was|were|do|does|did|can|could|should|would|will) (?:an?|the|i|we|you|it|he|she|they|there|this|that|my|people)\b)/iu;
/** As many are a list of months: “1. Januar”. */
const SEVERAL_MONTHS = 3;

/**
 * Tells which lines are items. A number, a letter or a figure's sign begins one only beside others: “2. Weltkrieg”, “b) please” and
 * “- 5 degrees” are none.
 */
const itemsAmong = (lines: readonly string[]): ((at: number) => boolean) => {
  const written = lines.map((line) => {
    const [, number, letter, mark] = PLACE.exec(line) ?? [];
    if (number !== undefined) return Number(latinDigits(number));
    return letter === undefined ? mark : -letter.charCodeAt(0);
  });
  const isDay = daysAmong(lines, written);
  const places = written.map((place, at) => (isDay(at) ? undefined : place));
  const counts = new Map<number | string | undefined, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const begun = lines.findIndex((line) => line.trim() !== '');
  return (at) => {
    const line = lines[at] ?? '';
    const place = places[at];
    if (!ITEM.test(line) || isDay(at)) return false;
    if (typeof place !== 'number') return !SIGNED.test(line) || (counts.get(place) ?? 0) > 1;
    return (
      (counts.get(place) ?? 0) > 1 ||
      counts.has(place - 1) ||
      counts.has(place + 1) ||
      // “Do this:”, and one item.
      (FIRST_PLACES.has(place) && at > begun) ||
      NUMBERED_TASK.test(line)
    );
  };
};

/** Tells which lines begin with a day: “24. Dezember: zu”, unlike “4. Mars” behind “3. Earth”. */
const daysAmong = (
  lines: readonly string[],
  places: readonly (number | string | undefined)[],
): ((at: number) => boolean) => {
  const months = lines.map((line) => {
    const [number] = /^\s*\d{1,2}\./.exec(line) ?? [];
    return number === undefined ? undefined : MONTH.exec(line.slice(number.length))?.[0].toLowerCase();
  });
  const named = months.flatMap((month, at) => (month === undefined ? [] : [{ month, place: places[at] }]));
  const different = new Set(named.map(({ month }) => month)).size;
  // “1. Mai”, “2. Juni”.
  const counts = different > 1 && different === named.length && named.every(({ place }, i) => place === i + 1);
  if (different >= SEVERAL_MONTHS || counts) return () => false;
  return (at) => {
    const place = places[at];
    if (months[at] === undefined || typeof place !== 'number') return false;
    const isNumbered = (one: number | string | undefined) => typeof one === 'number';
    const before = places.slice(0, at).findLastIndex(isNumbered);
    const behind = places.findIndex((one, i) => i > at && isNumbered(one));
    const isBeside = (i: number, step: number) => months[i] === undefined && places[i] === place + step;
    return !isBeside(before, -1) && !isBeside(behind, 1);
  };
};

/** Letters count below zero, apart from numbers. */
const FIRST_PLACES: ReadonlySet<number> = new Set([0, 1, -'a'.charCodeAt(0)]);

/** In one pattern, which pipe is which would be tried in every way, in cubic time. */
const isTableRule = (line: string): boolean => line.lastIndexOf('|') > 0 && /^[\s:|-]+$/.test(line);

/** Strips emphasis, links, images and backticks from a line and collapses white space. */
const inlineText = (line: string): string =>
  line
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/(?:www\.)?([^\s/?#)\]]+)[^\s)\]]*/g, '$1')
    .replace(/`+([^`]*)`+/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}*_])([*_])(?=\S)([^*_]*\S)\2(?![\p{L}\p{N}*_])/gu, '$1$3')
    .replace(/\s+/g, ' ')
    .trim();

/** Where the number of an item may stand within a line. */
const NUMBER = /(?<=\s|^)(?=\(?(\p{Nd}{1,2})[.)]\s+["'“‘*]{0,3}\p{L})/gu;

/**
 * Splits "1) Stop. 2) Look." on one line into two items. Other numbers count nothing: “12. bis 14. September”, “mum (84) and dad
 * (79)”, and a century within an item. Numbers that go on from an earlier line begin this one: “2) Paris 3) Oslo”.
 */
const enumerated = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const numbers = [...line.matchAll(NUMBER)].map(({ index, 1: written = '' }) => ({
        index,
        number: Number(latinDigits(written)),
      }));
      const first = numbers.find(({ index, number }) => number <= 1 || line.slice(0, index).trim() === '');
      if (first === undefined) return line;
      const items: number[] = [];
      for (const { index, number } of numbers) {
        if (index >= first.index && number === first.number + items.length) items.push(index);
      }
      // “12. or 13. May” also counts on.
      const least = first.number <= 1 || /^\s*\(?\p{Nd}+\)/u.test(line) ? 2 : 3;
      return items.length < least ? line : split(line, items);
    })
    .join('\n');

const split = (line: string, at: readonly number[]): string =>
  [0, ...at].map((from, part) => line.slice(from, at[part])).join('\n');

/** Renders a table row as an item: its first cell, then the rest. */
const row = (line: string): string => {
  const cells = line
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  return `• ${cells[0] ?? ''}: ${cells.slice(1).join(', ')}`;
};

/** The sentences of a Markdown text, excluding code. */
export const sentencesIn = (markdown: string): string[] =>
  plainText(markdown).lines.flatMap(({ text }) => sentencesOf(text));
