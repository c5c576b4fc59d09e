import type { NodeId } from '../../domain/forest.ts';
import { countWords, piecesOf, termsOf } from '../text/terms.ts';
import { passagesOf, type Span } from './passages.ts';

/*
 * An own index and no library: MiniSearch took 20 s to build for 100,000 made-up turns, 334 MB and 1.2 s a search of 15 words
 * (5.8 s with typing errors allowed), and its scores drift as texts are taken out. This one's are those of an index built anew.
 */

/** BM25 (Robertson and Zaragoza 2009): how soon more of the same word says nothing new, and how far long passages are held back. */
const K1 = 1.2;
const B = 0.75;
/** From so many passages on a word that more than this share of them have is passed over: it tells nothing, and costs most. */
const MANY = 1000;
const COMMON = 0.2;
/**
 * Passages of no conversation, which have none of the words: among a handful of turns it says little that most of them have a word,
 * and much that it is there at all.
 */
const ELSEWHERE = 20;
/** Least likeness, 0–1, of two words that count as forms of one, and what a word counts that is only alike. */
const ALIKE = 0.6;
const FORM = 0.4;
/** Letters of a word that counts as a part of another one. */
const SHORTEST_PART = 6;
/** Dead passages that are put up with before the index is made anew. */
const MOST_DEAD = 2000;

export type Part = 'message' | 'reply';

/** The two texts of a turn. */
export interface IndexedText {
  readonly message: string;
  readonly reply: string;
}

interface Doc extends IndexedText {
  /** Its first passage, of the message's; the reply's follow. */
  readonly first: number;
  readonly spans: readonly PassageSpan[];
}

interface PassageSpan extends Span {
  readonly part: Part;
}

/** A word of a query as the index knows it. */
export interface QueryTerm {
  readonly word: string;
  /** What it says, by how few passages have it and of what kind it is. */
  readonly weight: number;
  /** 0 for a word that all passages have, 1 for one that a single one has. */
  readonly rarity: number;
  /** Passages that have it or a form of it. */
  readonly passages: number;
}

/** Passages that have words of a query, by weight of words. */
export interface Hits {
  readonly terms: readonly QueryTerm[];
  /** What all words of the query say together: no passage scores more than about twice that. */
  readonly whole: number;
  /** By node that has any, of all its passages in order; 0 where a passage has nothing. */
  readonly scores: ReadonlyMap<NodeId, readonly PassageHit[]>;
}

export interface PassageHit extends PassageSpan {
  readonly score: number;
  /** Places of its words among the query's terms. */
  readonly terms: readonly number[];
}

/** Passages of messages and replies by their words. What it finds hangs on the texts that are in it alone, not on how they came there. */
export class LexicalIndex {
  readonly #docs = new Map<NodeId, Doc>();
  #words = new Map<string, Postings>();
  #byPiece = new Map<string, string[]>();
  /** Of each passage its node; null for a dead one. */
  #nodeOf: (NodeId | null)[] = [];
  #lengths: number[] = [];
  #live = 0;
  #total = 0;

  get size(): number {
    return this.#docs.size;
  }

  ids(): IterableIterator<NodeId> {
    return this.#docs.keys();
  }

  /** Passages of a turn, the message's first; none where it is not in the index. */
  spansOf(id: NodeId): readonly PassageSpan[] {
    return this.#docs.get(id)?.spans ?? [];
  }

  has(id: NodeId, { message, reply }: IndexedText): boolean {
    const doc = this.#docs.get(id);
    return doc !== undefined && doc.message === message && doc.reply === reply;
  }

  set(id: NodeId, text: IndexedText): void {
    if (this.has(id, text)) return;
    this.delete(id);
    this.#add(id, text);
  }

  delete(id: NodeId): void {
    const doc = this.#docs.get(id);
    if (doc === undefined) return;
    this.#docs.delete(id);
    for (const [at, span] of doc.spans.entries()) {
      const passage = doc.first + at;
      for (const word of countWords(textOf(doc, span)).counts.keys()) {
        const postings = this.#words.get(word);
        if (postings !== undefined) postings.live -= 1;
      }
      this.#nodeOf[passage] = null;
      this.#total -= this.#lengths[passage] as number;
      this.#live -= 1;
    }
    if (this.#nodeOf.length - this.#live > Math.max(MOST_DEAD, this.#live)) this.#anew();
  }

  /** `language`, as ISO 639-1, says which of the query's words are of grammar. */
  search(query: string, language: string | null): Hits {
    const found = new Map<number, { score: number; terms: number[] }>();
    const terms: QueryTerm[] = [];
    let whole = 0;
    const mean = this.#total / Math.max(1, this.#live);
    for (const [word, worth] of termsOf(query, language).words) {
      const forms = this.#formsOf(word);
      const counts = this.#countsOf(forms);
      const rarity = this.#rarity(counts.size);
      const weight = Math.sqrt(worth) * rarity;
      const at = terms.length;
      terms.push({ word, weight, rarity, passages: counts.size });
      whole += weight;
      if (this.#live > MANY && counts.size > COMMON * this.#live) continue;
      for (const [passage, count] of counts) {
        const length = (this.#lengths[passage] as number) / mean;
        const gain = (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
        const hit = found.get(passage);
        if (hit === undefined) found.set(passage, { score: gain, terms: [at] });
        else {
          hit.score += gain;
          hit.terms.push(at);
        }
      }
    }
    return { terms, whole, scores: this.#byNode(found) };
  }

  #byNode(found: ReadonlyMap<number, { readonly score: number; readonly terms: number[] }>): Hits['scores'] {
    const scores = new Map<NodeId, PassageHit[]>();
    for (const passage of found.keys()) {
      const id = this.#nodeOf[passage] as NodeId;
      if (scores.has(id)) continue;
      const { first, spans } = this.#docs.get(id) as Doc;
      scores.set(
        id,
        spans.map((span, at) => ({ ...span, ...(found.get(first + at) ?? { score: 0, terms: [] }) })),
      );
    }
    return scores;
  }

  /** 0–1: how much it tells that a passage has a word that so many have. */
  #rarity(passages: number): number {
    const n = this.#live + ELSEWHERE;
    return Math.log(1 + (n - passages + 0.5) / (passages + 0.5)) / Math.log(1 + (n + 0.5) / 0.5);
  }

  /** How often passages have any of a word's forms, each form by its likeness; only living passages. */
  #countsOf(forms: readonly (readonly [string, number])[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const [form, likeness] of forms) {
      const postings = this.#words.get(form);
      if (postings === undefined || postings.live === 0) continue;
      const { passages, times } = postings;
      for (let i = 0; i < passages.length; i++) {
        const passage = passages[i] as number;
        if (this.#nodeOf[passage] === null) continue;
        counts.set(passage, (counts.get(passage) ?? 0) + likeness * (times[i] as number));
      }
    }
    return counts;
  }

  /** The word itself, and those of the index that are written much like it: inflected, mistyped, a part of a compound. */
  #formsOf(word: string): [string, number][] {
    const forms: [string, number][] = [];
    const pieces = piecesOf(word);
    const shared = new Map<string, number>();
    for (const piece of pieces) {
      for (const other of this.#byPiece.get(piece) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    for (const [other, count] of shared) {
      if (other === word || (this.#words.get(other)?.live ?? 0) === 0) continue;
      const likeness = Math.max((2 * count) / (pieces.length + piecesOf(other).length), compounded(word, other));
      if (likeness >= ALIKE) forms.push([other, FORM * likeness]);
    }
    // In one order whatever came first, or sums would differ in their last digits.
    return [[word, 1], ...forms.sort(([a], [b]) => (a < b ? -1 : 1))];
  }

  #add(id: NodeId, text: IndexedText): void {
    const spans = [
      ...passagesOf(text.message).map((span) => ({ ...span, part: 'message' as const })),
      ...passagesOf(text.reply).map((span) => ({ ...span, part: 'reply' as const })),
    ];
    const doc: Doc = { ...text, first: this.#nodeOf.length, spans };
    this.#docs.set(id, doc);
    for (const span of spans) {
      const passage = this.#nodeOf.length;
      const { counts, length } = countWords(textOf(doc, span));
      this.#nodeOf.push(id);
      this.#lengths.push(length);
      this.#live += 1;
      this.#total += length;
      for (const [word, count] of counts) this.#postingsOf(word).add(passage, count);
    }
  }

  #postingsOf(word: string): Postings {
    let postings = this.#words.get(word);
    if (postings === undefined) {
      postings = new Postings();
      this.#words.set(word, postings);
      for (const piece of new Set(piecesOf(word))) {
        const known = this.#byPiece.get(piece);
        if (known === undefined) this.#byPiece.set(piece, [word]);
        else known.push(word);
      }
    }
    return postings;
  }

  #anew(): void {
    const docs = [...this.#docs];
    this.#docs.clear();
    this.#words = new Map();
    this.#byPiece = new Map();
    this.#nodeOf = [];
    this.#lengths = [];
    this.#live = 0;
    this.#total = 0;
    for (const [id, { message, reply }] of docs) this.#add(id, { message, reply });
  }
}

const textOf = (doc: IndexedText, { part, from, to }: PassageSpan): string => doc[part].slice(from, to);

/** Of a word that another one ends or begins with, as compounds do. */
const compounded = (a: string, b: string): number => {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return short.length >= SHORTEST_PART && (long.endsWith(short) || long.startsWith(short)) ? ALIKE : 0;
};

/** The passages that have a word, in the order in which they came, and how often; those that died are still there, and not in `live`. */
class Postings {
  live = 0;
  #length = 0;
  #passages = new Int32Array(4);
  #times = new Uint8Array(4);

  get passages(): Int32Array {
    return this.#passages.subarray(0, this.#length);
  }

  get times(): Uint8Array {
    return this.#times;
  }

  add(passage: number, times: number): void {
    if (this.#length === this.#passages.length) {
      const [passages, counts] = [new Int32Array(this.#length * 2), new Uint8Array(this.#length * 2)];
      passages.set(this.#passages);
      counts.set(this.#times);
      [this.#passages, this.#times] = [passages, counts];
    }
    this.#passages[this.#length] = passage;
    this.#times[this.#length] = Math.min(255, times);
    this.#length += 1;
    this.live += 1;
  }
}
