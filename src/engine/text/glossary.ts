import { GLOSSED } from '../ports.ts';
import { isStopWord, UNSPACED } from './words.ts';

/*
 * A glossary renders everyday words of a language in English, word by word: enough for an English-only sentence encoder
 * to tell what a text is about, and for English cue words to be found in it. It is not a translation, and nobody is
 * shown it.
 */

/**
 * The stored form: for each English word, the whole (function) words and phrases, or the beginnings of words, that mean
 * it, without accents.
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
  /** By first word, longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
}

/** Consecutive words with a joint meaning: “por cierto”. */
interface Phrase {
  readonly words: readonly string[];
  readonly english: string;
}

const files = import.meta.glob<PackedGlossary>('./glossaries/*.json', { import: 'default' });
const loaded = new Map<string, Glossary>();

/** Loads a language's glossary, once; null if it has none. */
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

/** Loads all glossaries, for measurements. */
export const loadGlossaries = async (): Promise<void> => {
  await Promise.all([...GLOSSED].map(loadGlossary));
};

/** Returns a loaded glossary; null otherwise. */
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

const TOKENS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|[?？؟!！\n]/gu;
const LATIN = /^[\p{Script=Latin}\p{N}]+$/u;
/** Foreign letters and digits within a run of an unspaced script: “sim卡”, “excelで”. */
const FOREIGN = /[\p{Script=Latin}\p{N}]+/uy;
/** Apostrophe within a Ukrainian word: “пам'ять”; glossaries write it as the letter ʼ. */
const APOSTROPHE = /(?<=\p{Script=Cyrillic})['’‘](?=\p{Script=Cyrillic})/gu;
/** Splits names and numbers from an ending in another script: “3일째”. */
const RUNS = /[\p{Script=Latin}\p{N}]+|[^\p{Script=Latin}\p{N}]+/gu;
/** What Arabic joins to the following word: the article, “and”, “in”, “for”. */
const CLITICS = /^(?:[وفبك]?ال|لل|[وفبل])(?=\p{L}{3})/u;
/** Shortest beginning that identifies a word; shorter words match whole. */
const STEM = 4;
/** The same for scripts whose letters stand for syllables. */
const SHORT_STEM = 2;
/** Languages that write compounds as one word. */
const COMPOUNDING: ReadonlySet<string> = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi', 'hu']);
const JOINTS = ['', 's', 'n', 'es', 'en', 'er', 'e'];

/**
 * Renders a text in English word by word. Words the glossary lacks stay if they may be a name or English, and are
 * dropped in other scripts.
 */
export const inEnglish = (text: string, glossary: Glossary): string => {
  const english: string[] = [];
  const written = text.normalize('NFKC').replace(APOSTROPHE, 'ʼ');
  const tokens = (glossary.language === 'de' ? familiar(written) : written).match(TOKENS) ?? [];
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

/** Turns the German polite form, told from “she” and “they” by its capital within a sentence, into the familiar one. */
const familiar = (text: string): string => text.replace(POLITE, (word) => FAMILIAR[word] ?? 'dein');
const POLITE = /(?<=[\p{L}\p{N},;] )(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)(?!\p{L})/gu;
const FAMILIAR: Readonly<Record<string, string>> = { Sie: 'du', Ihnen: 'dir' };

const phraseAt = (tokens: readonly string[], at: number, { phrases }: Glossary): Phrase | null => {
  const some = phrases.get(plain(tokens[at] as string));
  return some?.find(({ words }) => words.every((word, i) => plain(tokens[at + i] ?? '') === word)) ?? null;
};

const spaced = (token: string, glossary: Glossary): string[] => {
  const word = plain(token);
  const spellings = new Set([word]);
  // “Kuehlschrank”: glossaries are written without the dots that German “e” stands for here, but not in “neue”.
  if (glossary.language === 'de') spellings.add(word.replace(/(?<![aeq])([aou])e/g, '$1'));
  const first = <T>(find: (spelling: string) => T | null | undefined): T | undefined => {
    for (const spelling of spellings) {
      const found = find(spelling);
      if (found != null) return found;
    }
    return undefined;
  };
  const whole = first((spelling) => glossary.words.get(spelling) ?? glossary.stems.get(spelling));
  if (whole !== undefined) return [whole];
  const compounds = COMPOUNDING.has(glossary.language);
  const parts =
    first((spelling) => beginningOf(spelling, glossary, compounds)) ??
    (compounds ? first((spelling) => endOf(spelling, glossary)) : undefined);
  if (parts !== undefined) return parts;
  if (LATIN.test(token)) return [token.toLowerCase()];
  const runs = token.match(RUNS) ?? [];
  if (runs.length > 1) return runs.flatMap((run) => spaced(run, glossary));
  const bare = word.replace(CLITICS, '');
  return bare === word ? [] : spaced(bare, glossary);
};

const beginningOf = (word: string, glossary: Glossary, compounds: boolean): string[] | null => {
  const { stems, longest } = glossary;
  const least = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}ʼ]+$/u.test(word) ? STEM : SHORT_STEM;
  for (let length = Math.min(word.length, longest); length >= least; length--) {
    const english = stems.get(word.slice(0, length));
    if (english === undefined) continue;
    const rest = word.slice(length);
    if (!compounds || rest.length < STEM) return [english];
    for (const joint of JOINTS) {
      if (!rest.startsWith(joint)) continue;
      const part = rest.slice(joint.length);
      const behind = beginningOf(part, glossary, true) ?? endOf(part, glossary);
      if (behind !== null) return [english, ...behind];
    }
    return [english];
  }
  return null;
};

/** If the first part of a compound is unknown, the last one says what it is. */
const endOf = (word: string, { stems }: Glossary): string[] | null => {
  if (word.length < 2 * STEM) return null;
  for (let from = STEM - 1; from <= word.length - STEM; from++) {
    const english = stems.get(word.slice(from));
    if (english !== undefined) return [english];
  }
  return null;
};

/** Matches the longest known form, repeatedly, from where the last one ended; a name or number is one form. */
const unspaced = (run: string, glossary: Glossary): string[] => {
  const { words, stems, longest } = glossary;
  const english: string[] = [];
  let at = 0;
  while (at < run.length) {
    FOREIGN.lastIndex = at;
    const foreign = FOREIGN.exec(run)?.[0] ?? '';
    // Part of a name is not a form.
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

/** Vowel signs, and the tatweel that stretches a word. */
const ARABIC_MARKS = /[\u0640\u064b-\u0652]/g;

/** Returns a word in lower case and without accents, as glossaries are written. */
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
export const isEnglish = (prose: string): boolean => {
  const words = lettered(prose);
  return words.filter((word) => ENGLISH.has(word)).length >= ENGLISH_SHARE * words.length;
};

const lettered = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/**
 * Whether a text among those of another language is English, as a reply or a single message may be: two English function
 * words, and far more of them than of words that only that language has.
 */
const isPlainlyEnglish = (text: string, { words: foreign }: Glossary): boolean => {
  if (!isEnglish(text)) return false;
  const words = lettered(text);
  const english = words.filter((word) => ENGLISH.has(word));
  const others = words.filter((word) => !isStopWord(word) && (foreign.get(word) ?? word) !== word);
  return new Set(english).size > 1 && english.length > 2 * others.length;
};

/**
 * Returns a text as an English-only embedder receives it: word by word in English if `spoken` is a language whose
 * glossary is loaded (`loadGlossary`), and the text is not English by itself.
 */
export const glossedForEmbedder = (text: string, spoken: string | null): string => {
  const glossary = knownGlossary(spoken);
  return glossary === null || isPlainlyEnglish(text, glossary) ? text : inEnglish(text, glossary) || text;
};

/** The same for finding cues: the mark behind a first word stays, by which “no, …” is an answer. */
export const glossedForCues = (text: string, spoken: string | null): string => {
  const glossed = glossedForEmbedder(text, spoken);
  const [, first, rest] = /^\s*([\p{L}\p{M}]{1,12})\s*[,.!;،؛，、。！।]\s*(\S.*)$/su.exec(text) ?? [];
  if (glossed === text || first === undefined || rest === undefined) return glossed;
  return `${glossedForEmbedder(first, spoken)}, ${glossedForEmbedder(rest, spoken)}`;
};
