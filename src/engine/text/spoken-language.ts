import { detectAll } from 'tinyld/light';
import type { Forest } from '../../domain/forest.ts';
import { turnsFrom } from '../../domain/turns-in-order.ts';

/** Messages that are looked at, from the last, to tell the language. */
export const MESSAGES_HEARD = 8;

/** The last messages of a conversation, in order of time: enough to tell the language that the person writes in. */
export const latestMessages = (forest: Forest): string[] =>
  turnsFrom(forest, forest.turnCount - MESSAGES_HEARD + 1).map(({ message }) => message);

/**
 * Letters it takes to tell. Over the conversations of data/everyday, turn by turn, it then names no language where the person
 * writes English (0 of 270 turns) and the right one where they do not (82 of 83).
 */
const LETTERS = 40;
/** What a syllabary or a picture of a word says in one letter. */
const DENSE = 3;
/** Least share of letters and spaces in a line of prose: others are code or figures, which have words of many languages. */
const PROSE = 0.8;

/** The language that somebody writes in, as ISO 639-1, from their messages in order of time; null where that cannot be told yet. */
export const languageSpoken = (messages: readonly string[]): string | null => {
  const lines = messages
    .slice(-MESSAGES_HEARD)
    .flatMap((message) => message.replace(/```[\s\S]*?(?:```|$)/g, '').split('\n'))
    .filter((line) => countOf(line, /[\p{L}\p{M}\s]/gu) >= PROSE * line.length);
  const prose = lines.join('\n');
  const dense = countOf(prose, /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu);
  if (countOf(prose, /\p{L}/gu) + (DENSE - 1) * dense < LETTERS) return null;
  // What is left of pasted code and lists may outweigh a sentence, but is not the longest line.
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  const english = isEnglish(prose);
  // Most people's case, without a look at all letters, which takes a millisecond or two.
  if (english && isEnglish(longest)) return 'en';
  const language = languageOf(prose);
  if (language !== languageOf(longest)) return null;
  return english ? 'en' : language;
};

/** Words of grammar that are of no other language, as “for”, “at” and “i” are of Danish and “my” of Polish; and the least share of them in what is English. */
const ENGLISH = new Set(
  [
    'the and you your that this these with what which how where who why when would should could want need please',
    'it its they there their some from then than if are were does did been about out up into',
  ].flatMap((words) => words.split(' ')),
);
const ENGLISH_SHARE = 0.12;

/** In a few words letters mislead: “find me some movies” looks Spanish. English is what most people's models know, so it is held to. */
const isEnglish = (prose: string): boolean => {
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => ENGLISH.has(word)).length >= ENGLISH_SHARE * words.length;
};

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Characters of a text that are looked at, from its end: what was said last counts, and a long paste is mostly code. */
const READ = 600;

/**
 * The language that a text is most likely in, as ISO 639-1 (`en`); null where nothing can be told. A message alone is often too
 * short for it: give what the person said before, too, the latest last.
 */
export const languageOf = (text: string): string | null => {
  const known = seen.get(text);
  if (known !== undefined) return known;
  const language = detectAll(text.slice(-READ))[0]?.lang ?? null;
  if (seen.size >= MOST_SEEN) seen.clear();
  seen.set(text, language);
  return language;
};

const seen = new Map<string, string | null>();
const MOST_SEEN = 500;
