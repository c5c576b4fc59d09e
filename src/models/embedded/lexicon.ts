import { breathing, once } from '../../engine/tasks.ts';
import { rarityOf } from '../../engine/text/terms.ts';
import { contentWords } from '../../engine/text/words.ts';
import { fromBase64, toBase64 } from './boosted-trees.ts';

/*
 * What belongs to what: everyday subjects, each with the words that are said about it, so that "the thermostat" is near to talk of a snake's
 * terrarium which never named one. Texts are compared as points in the space of subjects (explicit semantic analysis, Gabrilovich &
 * Markovitch 2007). The words are English; texts in other languages are put into it word by word first.
 */

/** Words are told by numbers, and so are subjects. */
export interface Lexicon {
  /** Names of the subjects, e.g. "sourdough baking". */
  readonly subjects: readonly string[];
  /** Words, by their stems. */
  readonly numberOf: ReadonlyMap<string, number>;
  /** The subjects of word `n` are those from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Uint32Array;
  readonly members: Uint16Array;
  /** How much a word tells: by how few subjects have it, and how rare it is in talk. */
  readonly weights: Float32Array;
  /** How much a word counts in each of its subjects. */
  readonly shares: Float32Array;
}

/** As it is kept: words in order, and behind one another how many subjects each has and the steps from one to the next, as bytes of seven bits. */
export interface PackedLexicon {
  readonly subjects: readonly string[];
  readonly words: string;
  readonly members: string;
}

/** `subjects`: each one's name and the terms that belong to it. */
export const packLexicon = (subjects: readonly (readonly [name: string, terms: string])[]): PackedLexicon => {
  const membersOf = new Map<string, number[]>();
  for (const [at, [name, terms]] of subjects.entries()) {
    for (const word of contentWords(`${name} ${terms}`)) membersOf.set(word, [...(membersOf.get(word) ?? []), at]);
  }
  const words = [...membersOf.keys()].sort();
  const bytes: number[] = [];
  const write = (value: number) => {
    for (let rest = value; ; rest >>= 7) {
      bytes.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) return;
    }
  };
  for (const word of words) {
    const members = membersOf.get(word) ?? [];
    write(members.length);
    for (const [at, member] of members.entries()) write(member - (members[at - 1] ?? 0));
  }
  return { subjects: subjects.map(([name]) => name), words: words.join(' '), members: toBase64(new Uint8Array(bytes)) };
};

/** Words that are unpacked between two looks at the clock. */
const BATCH = 1000;

/** Pauses where it is due: forty thousand words at once would hold up who types. */
export const unpackLexicon = async ({ subjects, words, members }: PackedLexicon): Promise<Lexicon> => {
  const breath = breathing(() => performance.now());
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

/** The one that ships; its file is read when it is first asked for. */
export const shippedLexicon = once(async () => unpackLexicon((await import('./lexicon.json')).default));

/** The words of an English text that the lexicon has, each once. */
export const knownWords = ({ numberOf }: Lexicon, text: string): number[] =>
  [...contentWords(text)].flatMap((word) => numberOf.get(word) ?? []);

/** How near words are to each other by their subjects. */
export interface Kinship {
  /** Cosine of the message to all words, 0–1; and to those of the last turn. */
  readonly whole: number;
  readonly last: number;
  /** Mean over the message's words of how near each is to the nearest of all words, 0–1; the same for the last turn. */
  readonly each: number;
  readonly eachLast: number;
  /** The most that one of its words is near, by its weight. */
  readonly most: number;
  /** The subject that message and words have most in common, or `NO_SUBJECT`. */
  readonly subject: number;
}

export const NO_SUBJECT = -1;

export const UNRELATED: Kinship = { whole: 0, last: 0, each: 0, eachLast: 0, most: 0, subject: NO_SUBJECT };

/** Texts, by the numbers of their words. */
interface TextWords {
  readonly all: ReadonlySet<number>;
  readonly last: ReadonlySet<number>;
}

/** How near texts are to a message by their subjects. `message`: the numbers of its words. */
export const kinshipTo = (lexicon: Lexicon, message: readonly number[]): ((texts: TextWords) => Kinship) => {
  const said = placeOf(lexicon, message);
  return ({ all, last }) => {
    if (message.length === 0 || all.size === 0) return UNRELATED;
    const whole = compared(said, placeOf(lexicon, all));
    const one = nearestOf(lexicon, message, all);
    return {
      whole: whole.cosine,
      last: compared(said, placeOf(lexicon, last)).cosine,
      each: one.mean,
      eachLast: nearestOf(lexicon, message, last).mean,
      most: one.most,
      subject: whole.subject,
    };
  };
};

const placeOf = ({ subjects, starts, members, weights, shares }: Lexicon, words: Iterable<number>): Float32Array => {
  const place = new Float32Array(subjects.length);
  for (const word of words) {
    const weight = weights[word] as number;
    for (let at = starts[word] as number; at < (starts[word + 1] as number); at++) {
      const member = members[at] as number;
      place[member] = (place[member] as number) + weight * (shares[at] as number);
    }
  }
  return place;
};

/** Cosine of two places of any length, and the subject that adds most to it. */
const compared = (a: Float32Array, b: Float32Array): { readonly cosine: number; readonly subject: number } => {
  let [dot, ofA, ofB, most, subject] = [0, 0, 0, 0, NO_SUBJECT];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] as number, b[at] as number];
    ofA += x * x;
    ofB += y * y;
    dot += x * y;
    if (x * y > most) [most, subject] = [x * y, at];
  }
  return { cosine: dot === 0 ? 0 : dot / Math.sqrt(ofA * ofB), subject };
};

/** How near the words of a message are each to the nearest word of others: 1 for the same word, else by the subjects they share. */
const nearestOf = (
  { subjects, starts, members, weights }: Lexicon,
  message: readonly number[],
  others: ReadonlySet<number>,
): { mean: number; most: number } => {
  const has = new Uint8Array(subjects.length);
  let [sum, weight, most] = [0, 0, 0];
  for (const word of message) {
    const [start, end] = [starts[word] as number, starts[word + 1] as number];
    for (let at = start; at < end; at++) has[members[at] as number] = 1;
    let nearest = others.has(word) ? 1 : 0;
    if (nearest === 0) {
      for (const other of others) {
        const [from, to] = [starts[other] as number, starts[other + 1] as number];
        let shared = 0;
        for (let at = from; at < to; at++) shared += has[members[at] as number] as number;
        nearest = Math.max(nearest, shared / Math.sqrt((end - start) * (to - from)));
      }
    }
    for (let at = start; at < end; at++) has[members[at] as number] = 0;
    const tells = weights[word] as number;
    sum += tells * nearest;
    weight += tells;
    most = Math.max(most, tells * nearest);
  }
  return { mean: weight === 0 ? 0 : sum / weight, most };
};
