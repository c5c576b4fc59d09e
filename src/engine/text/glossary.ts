import { GLOSSED } from '../ports.ts';

/*
 * A glossary puts everyday words of a language into English, word by word: enough for a sentence encoder that knows English
 * alone to tell what a text is about, and for English cue words to be found in it. It is no translation, and nobody is shown it.
 */

/**
 * As it is kept: for each English word the whole words (of grammar) and phrases, or the beginnings of words that mean it, without
 * accents.
 */
interface PackedGlossary {
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly stems: Readonly<Record<string, readonly string[]>>;
}

export interface Glossary {
  readonly language: string;
  readonly words: ReadonlyMap<string, string>;
  readonly stems: ReadonlyMap<string, string>;
  readonly longest: number;
  /** By their first word, the longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
}

/** Words in a row that mean something together: “por cierto”. */
interface Phrase {
  readonly words: readonly string[];
  readonly english: string;
}

const files = import.meta.glob<PackedGlossary>('./glossaries/*.json', { import: 'default' });
const loaded = new Map<string, Glossary>();

/** Reads a language's glossary, once; null where it has none. */
export const loadGlossary = async (language: string | null): Promise<Glossary | null> => {
  const read = files[`./glossaries/${language}.json`];
  if (language === null || read === undefined) return null;
  let glossary = loaded.get(language);
  if (glossary === undefined) {
    const { words, stems } = await read();
    const byStem = turned(stems);
    glossary = {
      language,
      words: turned(words),
      stems: byStem,
      longest: Math.max(0, ...[...byStem.keys()].map((stem) => stem.length)),
      phrases: phrasesIn([...Object.entries(words), ...Object.entries(stems)]),
    };
    loaded.set(language, glossary);
  }
  return glossary;
};

/** Reads all there are, for measurements. */
export const loadGlossaries = async (): Promise<void> => {
  await Promise.all([...GLOSSED].map(loadGlossary));
};

/** One that has been read; null otherwise. */
const knownGlossary = (language: string | null): Glossary | null => loaded.get(language ?? '') ?? null;

const turned = (packed: Readonly<Record<string, readonly string[]>>): Map<string, string> =>
  new Map(Object.entries(packed).flatMap(([english, forms]) => forms.map((form): [string, string] => [form, english])));

const phrasesIn = (
  entries: readonly (readonly [english: string, forms: readonly string[]])[],
): Map<string, Phrase[]> => {
  const phrases = new Map<string, Phrase[]>();
  for (const [english, forms] of entries) {
    for (const form of forms) {
      const words = form.match(TOKENS) ?? [];
      const [first] = words;
      if (first === undefined || words.length === 1) continue;
      const known = phrases.get(first) ?? [];
      known.push({ words, english });
      phrases.set(first, known);
    }
  }
  for (const some of phrases.values()) some.sort((a, b) => b.words.length - a.words.length);
  return phrases;
};

const TOKENS = /[\p{L}\p{M}\p{N}]+|[?？؟!！\n]/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LATIN = /^[\p{Script=Latin}\p{N}]+$/u;
/** What such a script has of others in the middle of a run: “sim卡”, “excelで”. */
const FOREIGN = /[\p{Script=Latin}\p{N}]+/uy;
/** Ukrainian has it within words: “пам'ять”; glossaries write it as the letter ʼ. */
const APOSTROPHE = /(?<=\p{Script=Cyrillic})['’‘](?=\p{Script=Cyrillic})/gu;
/** Names and numbers with an ending of another script: “3일째”. */
const RUNS = /[\p{Script=Latin}\p{N}]+|[^\p{Script=Latin}\p{N}]+/gu;
/** What Arabic writes together with the word behind it: the article, “and”, “in”, “for”. */
const CLITICS = /^(?:[وفبك]?ال|لل|[وفبل])(?=\p{L}{3})/u;
/** Shortest beginning of a word that tells it; shorter words match whole. */
const STEM = 4;
/** The same where letters stand for syllables. */
const SHORT_STEM = 2;
/** Languages that write compounds as one word. */
const COMPOUNDING: ReadonlySet<string> = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi', 'hu']);
const JOINTS = ['', 's', 'n', 'es', 'en', 'er', 'e'];

/** A text word by word in English. What the glossary lacks stays where it may be a name or an English word, and is dropped in other scripts. */
export const inEnglish = (text: string, glossary: Glossary): string => {
  const english: string[] = [];
  const tokens = text.normalize('NFKC').replace(APOSTROPHE, 'ʼ').match(TOKENS) ?? [];
  for (let at = 0; at < tokens.length; at++) {
    const phrase = phraseAt(tokens, at, glossary);
    if (phrase !== null) {
      english.push(phrase.english);
      at += phrase.words.length - 1;
      continue;
    }
    const token = tokens[at] as string;
    if (/^[?？؟]$/.test(token)) english.push('?');
    else if (/^[!！\n]$/.test(token)) continue;
    else english.push(...(UNSPACED.test(token) ? unspaced : spaced)(token, glossary));
  }
  return english.join(' ').replace(/ \?/g, '?');
};

const phraseAt = (tokens: readonly string[], at: number, { phrases }: Glossary): Phrase | null => {
  const some = phrases.get(plain(tokens[at] as string));
  return some?.find(({ words }) => words.every((word, i) => plain(tokens[at + i] ?? '') === word)) ?? null;
};

const spaced = (token: string, glossary: Glossary): string[] => {
  const word = plain(token);
  const whole = glossary.words.get(word) ?? glossary.stems.get(word);
  if (whole !== undefined) return [whole];
  const parts = partsOf(word, glossary, COMPOUNDING.has(glossary.language));
  if (parts !== null) return parts;
  if (LATIN.test(token)) return [token.toLowerCase()];
  const runs = token.match(RUNS) ?? [];
  if (runs.length > 1) return runs.flatMap((run) => spaced(run, glossary));
  const bare = word.replace(CLITICS, '');
  return bare === word ? [] : spaced(bare, glossary);
};

const partsOf = (word: string, glossary: Glossary, compounds: boolean): string[] | null => {
  const { stems, longest } = glossary;
  const least = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}ʼ]+$/u.test(word) ? STEM : SHORT_STEM;
  for (let length = Math.min(word.length, longest); length >= least; length--) {
    const english = stems.get(word.slice(0, length));
    if (english === undefined) continue;
    const rest = word.slice(length);
    if (!compounds || rest.length < STEM) return [english];
    for (const joint of JOINTS) {
      if (!rest.startsWith(joint)) continue;
      const behind = partsOf(rest.slice(joint.length), glossary, true);
      if (behind !== null) return [english, ...behind];
    }
    return [english];
  }
  // Of a compound whose first part is unknown the last one says what it is.
  if (compounds && word.length >= 2 * STEM) {
    for (let from = STEM - 1; from <= word.length - STEM; from++) {
      const english = stems.get(word.slice(from));
      if (english !== undefined) return [english];
    }
  }
  return null;
};

/** The longest form that is known, from each place where the last one ended; names and numbers are one each. */
const unspaced = (run: string, glossary: Glossary): string[] => {
  const { words, stems, longest } = glossary;
  const english: string[] = [];
  let at = 0;
  while (at < run.length) {
    FOREIGN.lastIndex = at;
    const foreign = FOREIGN.exec(run)?.[0] ?? '';
    // A part of a name is none.
    const least = Math.max(1, foreign.length);
    let length = Math.min(longest, run.length - at);
    let found: string | undefined;
    for (; length >= least; length--) {
      const part = plain(run.slice(at, at + length));
      found = words.get(part) ?? stems.get(part);
      if (found !== undefined) break;
    }
    if (found !== undefined) english.push(found);
    else if (foreign !== '') english.push(...spaced(foreign, glossary));
    at += found === undefined ? least : length;
  }
  return english;
};

/** Vowel signs, and the stroke that lengthens a word. */
const ARABIC_MARKS = /[\u0640\u064b-\u0652]/g;

/** Lower case and without accents, as glossaries are written. */
const plain = (word: string): string => {
  const lower = word.toLowerCase();
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/(?<=[A-Za-z])[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .replace(ARABIC_MARKS, '')
    .replace(/ß/g, 'ss');
};

/**
 * A text as an embedder that knows English alone is given it: of another language, the one that is `spoken`, word by word in
 * English, where that has a glossary which has been read (`loadGlossary`).
 */
export const readable = (text: string, spoken: string | null): string => {
  const glossary = knownGlossary(spoken);
  return glossary === null ? text : inEnglish(text, glossary) || text;
};
