import { detectAll } from 'tinyld/light';
import type { Forest } from '../../domain/forest.ts';
import { turnsFrom } from '../../domain/turns-in-order.ts';

/** How many of the last messages are examined to detect the language. */
export const MESSAGES_HEARD = 8;

/** Returns the last messages of a conversation in chronological order: enough to detect the language the person writes in. */
export const latestMessages = (forest: Forest): string[] =>
  turnsFrom(forest, forest.turnCount - MESSAGES_HEARD + 1).map(({ message }) => message);

/**
 * Least number of letters for detection. Over the conversations of data/everyday, turn by turn, it then names no
 * foreign language where the person writes English (0 of 270 turns) and the right one where they do not (82 of 83).
 */
const LETTERS = 40;
/** How many letters a syllabic or logographic character counts for. */
const DENSE = 3;
/** Least share of letters and spaces in a line of prose; other lines are code or figures, with words of many languages. */
const PROSE = 0.8;

/** Detects the language somebody writes in, as ISO 639-1, from their messages in chronological order; null if it cannot be told yet. */
export const languageSpoken = (messages: readonly string[]): string | null => {
  const lines = messages
    .slice(-MESSAGES_HEARD)
    .flatMap((message) => message.replace(/```[\s\S]*?(?:```|$)/g, '').split('\n'))
    .filter((line) => countOf(line, /[\p{L}\p{M}\s]/gu) >= PROSE * line.length);
  const prose = lines.join('\n');
  const dense = countOf(prose, /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu);
  if (countOf(prose, /\p{L}/gu) + (DENSE - 1) * dense < LETTERS) return null;
  // Remnants of pasted code and lists may outweigh a sentence, but are not the longest line.
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  const english = isEnglish(prose);
  // The common case, without detection over all letters, which takes a millisecond or two.
  if (english && isEnglish(longest)) return 'en';
  // Often the same line as for the message before, whose language is known.
  const language = languageOf(longest);
  if (english && language === 'en') return 'en';
  if (language !== languageOf(prose)) return null;
  return english ? 'en' : language;
};

/**
 * Function words of no other language (“for”, “at” and “i” are also Danish, “my” is also Polish), and their least share
 * in English text.
 */
const ENGLISH = new Set(
  [
    'the and you your that this these with what which how where who why when would should could want need please',
    'it its they there their some from then than if are were does did been about out up into',
  ].flatMap((words) => words.split(' ')),
);
const ENGLISH_SHARE = 0.12;

/** Letters mislead in short texts: “find me some movies” looks Spanish. English is preferred, as most people's models know it. */
const isEnglish = (prose: string): boolean => {
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => ENGLISH.has(word)).length >= ENGLISH_SHARE * words.length;
};

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** How many characters are examined, from the end: the latest text counts, and a long paste is mostly code. */
const READ = 600;

/**
 * Returns the most likely language of a text, as ISO 639-1 (`en`); null if it cannot be told. A message alone is often
 * too short: include what the person said before, the latest last.
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
