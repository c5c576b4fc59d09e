import { detectAll } from 'tinyld/light';

/** Characters of a text that are looked at, from its end: what was said last counts, and a long paste is mostly code. */
const READ = 1500;

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
