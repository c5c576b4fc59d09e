import stopWordsOf from 'stopwords-iso/stopwords-iso.json' with { type: 'json' };
import type { Node } from '../../domain/forest.ts';
import { latinDigits } from '../../domain/numbers.ts';
import { replyText } from '../../domain/queries.ts';
import rarity from './common-words.json' with { type: 'json' };
import { glossedForEmbedder } from './glossary.ts';
import { SMALL_NUMBER, STOP_WORDS, stem, WEAK_WORDS, withoutAddresses } from './words.ts';

/*
 * Words and word pieces for comparing texts of any language. English words are stemmed. Scripts without spaces are cut
 * into pairs of characters; and every longer alphabetic word has pieces of four letters, which inflection, compounds
 * and typing errors leave in common.
 */

/** The words of a text and their pieces, each with its weight (0.3 for filler, 1 for a noun, 2 for a name). */
interface Terms {
  readonly words: ReadonlyMap<string, number>;
  readonly pieces: ReadonlyMap<string, number>;
  /** Number of all words, stop words included. */
  readonly length: number;
}

/** Rarity of the most common English words, by stem. */
const RARITY = new Map(
  Object.entries(rarity).flatMap(([value, stems]) =>
    stems.split(' ').map((one): [string, number] => [one, Number(value)]),
  ),
);

/** Returns how rare a word (a stem) is in English talk, from 0 for one that is everywhere to 1. */
export const rarityOf = (root: string): number => RARITY.get(root) ?? 1;

const TOKENS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}]+)*/gu;
/** What follows some emoji and digits: combining marks to Unicode, but no part of a word. */
const SELECTORS = /[\ufe0f\u20e3]/g;
/** A French or Italian article, pronoun or preposition that has lost its vowel, before a word. */
const ELISION =
  /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|[dn]?ell|all|dall|sull|coll|quest|quell|bell)['’](?=\p{L}{2})/iu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+/gu;
/** Scripts whose words the index also cuts into pairs: particles are attached to them, or nothing separates them. */
const PAIRED = /[\p{Script=Hangul}\p{Script=Myanmar}]+/u;
const UNSPACED_OR_PAIRED = new RegExp(`${UNSPACED.source}|${PAIRED.source}`, 'gu');
const HIRAGANA = /^\p{Script=Hiragana}+$/u;
const PIECE = 4;
/** Longest word that is cut into pieces in full; of a longer one (a path, a key) only the beginning is. */
const LONGEST = 32;

/**
 * Returns the terms of a text without the stop words of `language` (ISO 639-1). Those of English never count either,
 * whatever the language: English is mixed into all of them.
 */
export const termsOf = (text: string, language: string | null): Terms => {
  const stop = stopWords(language);
  const words = new Map<string, number>();
  const pieces = new Map<string, number>();
  const length = readRuns(
    text,
    (word) => addWord(word, stop, words, pieces),
    (run) => addUnspaced(run, stop, words),
  );
  return { words, pieces, length };
};

/**
 * Returns the words of a query with their weights, as `countWords` cuts them. `language` as for `termsOf`, whose words
 * the trained decider knows and which therefore stay as they are.
 */
export const queryWords = (text: string, language: string | null): ReadonlyMap<string, number> => {
  const stop = stopWords(language);
  const words = new Map<string, number>();
  readRuns(
    text,
    (word) => addWord(word, stop, words, null, bareStem),
    (run) => addCut(run, stop, words),
    UNSPACED_OR_PAIRED,
  );
  return words;
};

/**
 * Returns the words of `termsOf` with weights that are true of any language: how rare “Hotel” or “name” is in English talk
 * says nothing about the same letters in another one.
 */
export const subjectWords = (text: string, language: string): ReadonlyMap<string, number> => {
  const stop = stopWords(language);
  const words = new Map<string, number>();
  readRuns(
    text,
    // “Qu'est-ce que je peux faire …”: not among the stop words of the package.
    (word) => (language === 'fr' && /^faire$/i.test(word) ? 1 : addWord(word, stop, words, null, stem, () => 1)),
    (run) => addUnspaced(run, stop, words),
  );
  return words;
};

/** How often each word occurs in a text, and the number of all words, stop words included. */
interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/**
 * Counts the words of a text for the index, in a third of the time of `termsOf`. They are the same words, except that
 * Korean and Burmese are cut into pairs, and Arabic and Hebrew words are without what is attached to them. Only English
 * stop words are left out: the other languages of a conversation may be detected after its first texts were counted.
 */
export const countWords = (text: string): WordCounts => {
  const stop = stopWords(null);
  const counts = new Map<string, number>();
  const length = readRuns(
    text,
    (written) => {
      const root = rootOf(written, stop);
      if (root !== null) counts.set(root, (counts.get(root) ?? 0) + 1);
      return 1;
    },
    (run) => {
      const pairs = new Map<string, number>();
      const characters = addCut(run, stop, pairs);
      for (const pair of pairs.keys()) counts.set(pair, (counts.get(pair) ?? 0) + 1);
      return characters;
    },
    UNSPACED_OR_PAIRED,
  );
  return { counts, length };
};

/**
 * Visits runs of letters and digits, those of scripts that are cut (`cuts`) separately. Each callback returns how many
 * words its run counts for; returns their sum.
 */
const readRuns = (
  text: string,
  word: (run: string) => number,
  unspaced: (run: string) => number,
  cuts = UNSPACED,
): number => {
  let length = 0;
  for (const [written] of withoutAddresses(
    unshouted(latinDigits(text.normalize('NFKC'))).replace(SELECTORS, ''),
  ).matchAll(TOKENS)) {
    const token = written.replace(ELISION, '');
    let from = 0;
    for (const run of token.matchAll(cuts)) {
      if (run.index > from) length += word(token.slice(from, run.index));
      length += unspaced(run[0]);
      from = run.index + run[0].length;
    }
    if (from < token.length) length += word(token.slice(from));
  }
  return length;
};

/** Of a text all in capitals, no word is a name for being in capitals. */
const unshouted = (text: string): string =>
  !/[\p{Ll}\p{Lo}]/u.test(text) && /(?:(?<!\p{Lu})\p{Lu}{2,}\P{L}+){2}\p{Lu}/u.test(text) ? text.toLowerCase() : text;

const roots = new Map<string, string | null>();
const MOST_ROOTS = 50_000;

/** Returns a word's bare stem; null for an English stop word. Cached, since texts repeat words. */
const rootOf = (written: string, stop: ReadonlySet<string>): string | null => {
  let root = roots.get(written);
  if (root === undefined) {
    if (roots.size >= MOST_ROOTS) roots.clear();
    const plain = written.toLowerCase().replace(/’/g, "'");
    const word = folded(plain);
    root = stop.has(plain) || stop.has(word) ? null : bareStem(word);
    roots.set(written, root);
  }
  return root;
};

/** Returns how many pieces a word has, if it has any. */
export const piecesIn = ({ length }: string): number => Math.min(LONGEST, length) + 2 - PIECE;

/** Returns the pieces that match words with similar spelling; none for short words and numbers. */
export const piecesOf = (word: string): string[] => {
  if (word.length < PIECE || /\p{N}/u.test(word)) return [];
  const marked = `^${word.slice(0, LONGEST)}`;
  return Array.from({ length: marked.length - PIECE + 1 }, (_, at) => marked.slice(at, at + PIECE));
};

const addWord = (
  written: string,
  stop: ReadonlySet<string>,
  words: Map<string, number>,
  pieces: Map<string, number> | null,
  toStem = stem,
  rarityIn = rarityOf,
): number => {
  const plain = written.toLowerCase().replace(/’/g, "'");
  if (stop.has(plain)) return 1;
  const word = folded(plain);
  if (stop.has(word)) return 1;
  const root = toStem(word);
  const weight = weightOf(written, word) * rarityIn(root) ** 2;
  words.set(root, Math.max(weight, words.get(root) ?? 0));
  if (pieces === null || weight < 0.5) return 1;
  for (const piece of piecesOf(word)) pieces.set(piece, Math.max(weight, pieces.get(piece) ?? 0));
  return 1;
};

/** Adds pairs of characters, and single ones that are not stop words; Japanese ones only if they are not all hiragana. */
const addUnspaced = (run: string, stop: ReadonlySet<string>, words: Map<string, number>): number => {
  const characters = [...run];
  for (let at = 0; at < characters.length; at++) {
    const one = characters[at] as string;
    const two = one + (characters[at + 1] ?? '');
    if (!stop.has(one) && !HIRAGANA.test(one)) words.set(one, Math.max(0.4, words.get(one) ?? 0));
    if (
      two !== one &&
      !stop.has(two) &&
      !HIRAGANA.test(two) &&
      !(stop.has(one) && stop.has(characters[at + 1] ?? ''))
    ) {
      words.set(two, Math.max(1, words.get(two) ?? 0));
    }
  }
  return characters.length / 2;
};

/** Adds pairs of characters of a word; a single character only if it is the whole word. */
const addPairs = (run: string, stop: ReadonlySet<string>, words: Map<string, number>): number => {
  const characters = [...run];
  if (stop.has(run)) return characters.length / 2;
  if (characters.length === 1) words.set(run, Math.max(0.7, words.get(run) ?? 0));
  for (const [at, one] of characters.slice(1).entries()) words.set(`${characters[at]}${one}`, 1);
  return characters.length / 2;
};

const addCut: typeof addPairs = (run, stop, words) => (PAIRED.test(run) ? addPairs : addUnspaced)(run, stop, words);

const SEMITIC = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * Returns the stem of a word, for Arabic and Hebrew without vowel marks, articles, and what else is attached: Arabic
 * about as light10 does it (Larkey, Ballesteros and Connell 2002); Hebrew without any leading prefix letters, even if
 * they belong to the word, as long as three letters stay.
 */
const bareStem = (word: string): string => {
  if (!SEMITIC.test(word)) return stem(word);
  return word
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/^[ושהכלבמ]+?(?=[^ושהכלבמ]\p{L}{2}|\p{L}{3}$)/u, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة$/, 'ه')
    .replace(/^و(?=\p{L}{3})/u, '')
    .replace(/^(?:[بكف]?ال|لل)(?=\p{L}{2})/u, '')
    .replace(/(?<=\p{L}{2})(?:ها|ان|ات|ون|ين|يه|ه|ي)$/u, '');
};

/** How much a word that is not a stop word says about the subject of a text. */
const weightOf = (written: string, word: string): number => {
  if (WEAK_WORDS.has(word)) return 0.3;
  if (SMALL_NUMBER.test(word)) return 0.3;
  if (/\p{N}/u.test(word)) return 1.2;
  if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(written)) return 2;
  return word.length < 4 ? 0.7 : Math.min(1.5, 0.8 + word.length / 16);
};

/** Removes accents, which people leave out when they type. */
const folded = (word: string): string =>
  /^[\x20-\x7e]*$/.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
        .normalize('NFC')
        .replace(/ß/g, 'ss');

const byLanguage = new Map<string | null, ReadonlySet<string>>();

const stopWords = (language: string | null): ReadonlySet<string> => {
  let words = byLanguage.get(language);
  if (words === undefined) {
    const own =
      language === null || language === 'en' ? [] : ((stopWordsOf as Record<string, string[]>)[language] ?? []);
    words = new Set([...STOP_WORDS, ...own, ...own.map(folded)]);
    byLanguage.set(language, words);
  }
  return words;
};

/** How much of a message and of a reply is read for words, in UTF-16 units. */
const READ_OF_MESSAGE = 2000;
const READ_OF_REPLY = 1200;
/** How many turns of a topic are read. */
const READ_TURNS = 16;

/** Returns at most `most` turns of a topic: the first, which says what it is about, and the last ones. */
export const firstAndLast = (turns: Turns, most: number): Turns =>
  turns.length > most ? [turns[0] as Node, ...turns.slice(1 - most)] : turns;

/** Turns considered together: those of a topic, or a single one. */
type Turns = readonly Node[];

/**
 * How much of a message's words and word pieces a group of turns has, weighted by how few other groups have each; as
 * shares of everything the message says.
 */
export interface TermMatch {
  /** Words found in messages, in replies, in either. */
  readonly said: number;
  readonly replied: number;
  readonly either: number;
  /** Words found in the last turn. */
  readonly last: number;
  /** Word pieces found in either. */
  readonly pieces: number;
  /** Words that no other group has. */
  readonly own: number;
  /** Not shares: the rarest common word, and the total weight of common words and pieces. */
  readonly rarest: number;
  readonly sum: number;
  readonly pieceSum: number;
  /** Turns since a common word last occurred in the group; −1 if none did. */
  readonly ago: number;
}

export interface Matches {
  /** In the order of the given groups. */
  readonly of: readonly TermMatch[];
  readonly terms: Terms;
  /** Shares of the message's words and pieces that no group has. */
  readonly unheard: number;
  readonly unheardPieces: number;
  /** Total weight of the message's words. */
  readonly weight: number;
}

const NOTHING: TermMatch = {
  said: 0,
  replied: 0,
  either: 0,
  last: 0,
  pieces: 0,
  own: 0,
  rarest: 0,
  sum: 0,
  pieceSum: 0,
  ago: -1,
};

export const matchAt = ({ of }: Matches, at: number): TermMatch => of[at] ?? NOTHING;

/** Finds the words of messages in turns. Caches what it reads of a turn. */
export class TermReader {
  readonly #turns = new WeakMap<Node, TurnTerms>();

  /** Reads what `matches` will need, turn by turn. `breath`: called between turns to keep the page responsive. */
  async readAhead(turns: Turns, language: string | null, breath: () => Promise<void>): Promise<void> {
    for (const node of firstAndLast(turns, READ_TURNS)) {
      await breath();
      this.#turn(node, language);
    }
  }

  matches(message: string, language: string | null, groups: readonly Turns[]): Matches {
    const terms = termsIn(message.slice(0, READ_OF_MESSAGE), language);
    const read = groups.map((turns) => this.#read(turns, language));
    const n = groups.length;
    const found = groups.map(() => ({ ...NOTHING, lastTurn: -1 }));
    const most = Math.log(n + 1);
    let weight = 0;
    let unheard = 0;
    // Plain loops: callbacks for hundreds of turns took longer than looking the words up.
    const said = new Int32Array(n);
    const replied = new Int32Array(n);
    for (const [word, worth] of terms.words) {
      weight += worth;
      let spread = 0;
      for (let at = 0; at < n; at++) {
        said[at] = lastWith(read[at] as readonly TurnTerms[], word, 'said');
        replied[at] = lastWith(read[at] as readonly TurnTerms[], word, 'replied');
        if ((said[at] as number) >= 0 || (replied[at] as number) >= 0) spread++;
      }
      if (spread === 0) {
        unheard += worth;
        continue;
      }
      const rare = (worth * Math.log((n + 1) / spread)) / most;
      for (let at = 0; at < n; at++) {
        const latest = Math.max(said[at] as number, replied[at] as number);
        if (latest < 0) continue;
        const match = found[at] as (typeof found)[number];
        match.either += rare;
        match.sum += rare;
        if ((said[at] as number) >= 0) match.said += rare;
        if ((replied[at] as number) >= 0) match.replied += rare;
        if (latest === (read[at]?.length ?? 0) - 1) match.last += rare;
        if (spread === 1) match.own += rare;
        match.rarest = Math.max(match.rarest, rare);
        match.lastTurn = Math.max(match.lastTurn, latest);
      }
    }
    let pieceWeight = 0;
    let unheardPieces = 0;
    const having: number[] = [];
    for (const [piece, worth] of terms.pieces) {
      pieceWeight += worth;
      having.length = 0;
      for (let at = 0; at < n; at++) if (anyHas(read[at] as readonly TurnTerms[], piece)) having.push(at);
      if (having.length === 0) unheardPieces += worth;
      const rare = having.length === 0 ? 0 : (worth * Math.log((n + 1) / having.length)) / most;
      for (const at of having) {
        const match = found[at] as (typeof found)[number];
        match.pieces += rare;
        match.pieceSum += rare;
      }
    }
    const of = found.map(({ lastTurn, ...match }, at): TermMatch => {
      for (const name of ['said', 'replied', 'either', 'last', 'own'] as const) match[name] /= weight || 1;
      match.pieces /= pieceWeight || 1;
      return { ...match, ago: lastTurn < 0 ? -1 : (read[at]?.length ?? 0) - 1 - lastTurn };
    });
    return {
      of,
      terms,
      unheard: unheard / (weight || 1),
      unheardPieces: unheardPieces / (pieceWeight || 1),
      weight,
    };
  }

  #read(turns: Turns, language: string | null): readonly TurnTerms[] {
    return firstAndLast(turns, READ_TURNS).map((node) => this.#turn(node, language));
  }

  #turn(node: Node, language: string | null): TurnTerms {
    let known = this.#turns.get(node);
    if (known === undefined || known.language !== language) {
      const said = termsIn(node.message.slice(0, READ_OF_MESSAGE), language);
      const replied = termsIn(replyText(node).slice(0, READ_OF_REPLY), language);
      const pieces = new Set([...said.pieces.keys(), ...replied.pieces.keys()]);
      known = { language, said: said.words, replied: replied.words, pieces };
      this.#turns.set(node, known);
    }
    return known;
  }
}

/**
 * Returns the terms as written and, for a language with a glossary, also in English, where "dog" and "dogs" are one
 * word, and so are two words for it.
 */
const termsIn = (text: string, language: string | null): Terms => {
  const terms = termsOf(text, language);
  const english = glossedForEmbedder(text, language);
  if (english === text) return terms;
  const words = new Map(terms.words);
  for (const [word, weight] of termsOf(english, 'en').words) words.set(`=${word}`, weight);
  return { ...terms, words };
};

interface TurnTerms {
  readonly language: string | null;
  readonly said: ReadonlyMap<string, number>;
  readonly replied: ReadonlyMap<string, number>;
  readonly pieces: ReadonlySet<string>;
}

/** Returns the index of the last turn that has a word; −1 if none has. */
const lastWith = (turns: readonly TurnTerms[], word: string, where: 'said' | 'replied'): number => {
  for (let at = turns.length - 1; at >= 0; at--) if ((turns[at] as TurnTerms)[where].has(word)) return at;
  return -1;
};

const anyHas = (turns: readonly TurnTerms[], piece: string): boolean => {
  for (let at = turns.length - 1; at >= 0; at--) if ((turns[at] as TurnTerms).pieces.has(piece)) return true;
  return false;
};
