import { createYielder, once } from '../../engine/tasks.ts';
import { rarityOf } from '../../engine/text/terms.ts';
import { contentWords } from '../../engine/text/words.ts';
import { fromBase64 } from './boosted-trees.ts';

/*
 * Everyday subjects, each with the words that are said about it, so that "the thermostat" is close to talk of a snake's terrarium
 * that never mentioned one. Texts are compared as points in the space of subjects (explicit semantic analysis, Gabrilovich &
 * Markovitch 2007). The words are English; texts in other languages are translated word by word first.
 */

/** Words and subjects are identified by number. */
export interface Lexicon {
  /** Names of the subjects, e.g. "sourdough baking". */
  readonly subjects: readonly string[];
  /** Word numbers by stem. */
  readonly numberOf: ReadonlyMap<string, number>;
  /** The subjects of word `n` are `members` from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Uint32Array;
  readonly members: Uint16Array;
  /** How informative a word is: by how few subjects have it, and how rare it is in conversation. */
  readonly weights: Float32Array;
  /** How much a word counts in each of its subjects, parallel to `members`. */
  readonly shares: Float32Array;
}

/** The lexicon as stored: sorted words, and for each its number of subjects and the differences between them, as varints of seven bits per byte. */
export interface PackedLexicon {
  readonly subjects: readonly string[];
  readonly words: string;
  readonly members: string;
}

/** Words unpacked between two checks of the clock. */
const BATCH = 1000;

/** Pauses when due: unpacking forty thousand words at once would block typing. */
export const unpackLexicon = async ({ subjects, words, members }: PackedLexicon): Promise<Lexicon> => {
  const breath = createYielder(() => performance.now());
  const written = words.split(' ');
  const numberOf = new Map<string, number>();
  const starts = new Uint32Array(written.length + 1);
  const weights = new Float32Array(written.length);
  const bytes = new Uint8Array(fromBase64(members));
  const flat = new Uint16Array(bytes.length);
  const shares = new Float32Array(bytes.length);
  const lengths = new Float64Array(subjects.length);
  let next = 0;
  const read = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[next++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  let end = 0;
  for (let word = 0; word < written.length; word++) {
    if (word % BATCH === 0) await breath();
    const root = written[word] as string;
    const count = read();
    const tells = Math.log((1 + subjects.length) / count);
    for (let member = 0, nth = 0; nth < count; nth++) {
      member += read();
      lengths[member] = (lengths[member] as number) + tells * tells;
      shares[end] = tells;
      flat[end++] = member;
    }
    numberOf.set(root, word);
    starts[word + 1] = end;
    weights[word] = tells * rarityOf(root);
  }
  for (let at = 0; at < end; at++)
    shares[at] = (shares[at] as number) / Math.sqrt(lengths[flat[at] as number] as number);
  return { subjects, numberOf, starts, members: flat.slice(0, end), weights, shares: shares.slice(0, end) };
};

/** The shipped lexicon, loaded on first use. */
export const shippedLexicon = once(async () => unpackLexicon((await import('./lexicon.json')).default));

/**
 * Words of an English text that are in the lexicon, each once. Numbers are skipped: they are in it by accident, from subjects
 * whose terms contain them.
 */
export const knownWords = ({ numberOf }: Lexicon, text: string): number[] =>
  [...contentWords(text)].flatMap((word) => (/^\d/.test(word) ? [] : (numberOf.get(word) ?? [])));

/** How close words are to each other by subject. */
export interface Kinship {
  /** Cosine of the message to all words, 0–1, and to those of the last turn. */
  readonly whole: number;
  readonly last: number;
  /** Mean cosine of the message's words, each by itself, to all words, 0–1, weighted by how informative they are; the same for the last turn. */
  readonly each: number;
  readonly eachLast: number;
  /** Sum instead of the mean: many matching words count more. */
  readonly sum: number;
  /** Cosine of the most distant word. */
  readonly least: number;
  /** Overlap of the message's subjects with those of the words, 0–1. */
  readonly common: number;
  /** How much the words are about the message's main subject, 0–1. */
  readonly leading: number;
  /** The subject that message and words have most in common, or `NO_SUBJECT`. */
  readonly subject: number;
}

export const NO_SUBJECT = -1;

export const UNRELATED: Kinship = {
  whole: 0,
  last: 0,
  each: 0,
  eachLast: 0,
  sum: 0,
  least: 0,
  common: 0,
  leading: 0,
  subject: NO_SUBJECT,
};

/** Texts as word numbers. */
interface TextWords {
  readonly all: ReadonlySet<number>;
  readonly last: ReadonlySet<number>;
}

/** Returns how close texts are to a message by subject. `message`: its word numbers. */
export const kinshipTo = (lexicon: Lexicon, message: readonly number[]): ((texts: TextWords) => Kinship) => {
  const said = placeOf(lexicon, message);
  const subjects = [...said.of.keys()].filter((subject) => (said.of[subject] as number) > 0);
  const foremost = subjects.reduce(
    (top, subject) => ((said.of[subject] as number) > (said.of[top] as number) ? subject : top),
    subjects[0] ?? 0,
  );
  return ({ all, last }) => {
    if (message.length === 0 || all.size === 0) return UNRELATED;
    const place = placeOf(lexicon, all);
    const lastPlace = all.size === last.size ? place : placeOf(lexicon, last);
    const { subject, ...whole } = compared(said, place, subjects);
    const { mean, sum, least } = byWord(lexicon, message, place);
    return {
      whole: whole.cosine,
      last: compared(said, lastPlace, subjects).cosine,
      each: mean,
      eachLast: byWord(lexicon, message, lastPlace).mean,
      sum,
      least,
      common: whole.common,
      leading: place.length === 0 ? 0 : (place.of[foremost] as number) / place.length,
      subject,
    };
  };
};

/** Position of words in the space of subjects. */
interface SubjectVector {
  readonly of: Float32Array;
  readonly length: number;
  /** Sum of all coordinates. */
  readonly sum: number;
}

const placeOf = ({ subjects, starts, members, weights, shares }: Lexicon, words: Iterable<number>): SubjectVector => {
  const of = new Float32Array(subjects.length);
  let [squares, sum] = [0, 0];
  for (const word of words) {
    const weight = weights[word] as number;
    for (let at = starts[word] as number; at < (starts[word + 1] as number); at++) {
      const member = members[at] as number;
      const before = of[member] as number;
      const added = weight * (shares[at] as number);
      of[member] = before + added;
      squares += added * (2 * before + added);
      sum += added;
    }
  }
  return { of, length: Math.sqrt(squares), sum };
};

/** Returns the cosine of two places, their overlap, and the subject that adds most to the cosine. `subjects`: those of the first. */
const compared = (
  a: SubjectVector,
  b: SubjectVector,
  subjects: readonly number[],
): { readonly cosine: number; readonly common: number; readonly subject: number } => {
  let [dot, common, most, subject] = [0, 0, 0, NO_SUBJECT];
  if (b.sum === 0) return { cosine: 0, common, subject };
  for (const at of subjects) {
    const [x, y] = [a.of[at] as number, b.of[at] as number];
    dot += x * y;
    common += Math.min(x / a.sum, y / b.sum);
    if (x * y > most) [most, subject] = [x * y, at];
  }
  return { cosine: dot === 0 ? 0 : dot / (a.length * b.length), common, subject };
};

/** Cosines of a message's words, each by itself, to a place: weighted mean, weighted sum and minimum. */
const byWord = (
  { starts, members, weights, shares }: Lexicon,
  message: readonly number[],
  { of, length }: SubjectVector,
): { readonly mean: number; readonly sum: number; readonly least: number } => {
  if (length === 0) return { mean: 0, sum: 0, least: 0 };
  let [sum, weight, least] = [0, 0, 1];
  for (const word of message) {
    let [dot, squares] = [0, 0];
    for (let at = starts[word] as number; at < (starts[word + 1] as number); at++) {
      const share = shares[at] as number;
      dot += share * (of[members[at] as number] as number);
      squares += share * share;
    }
    const near = squares === 0 ? 0 : dot / (Math.sqrt(squares) * length);
    sum += (weights[word] as number) * near;
    weight += weights[word] as number;
    least = Math.min(least, near);
  }
  return { mean: weight === 0 ? 0 : sum / weight, sum, least };
};
