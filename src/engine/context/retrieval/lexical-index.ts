import type { NodeId } from '../../../domain/forest.ts';
import { passagesOf, type Span } from '../../text/sentences.ts';
import { countWords, piecesIn, piecesOf, termsOf } from '../../text/terms.ts';
import { highestOf } from '../../vectors/vector-math.ts';

/*
 * An own index and no library: MiniSearch's scores drift as texts are taken out, and it weighs no passages by their neighbours. This
 * one's scores are those of an index built anew. It was not chosen for its pace: the two were never timed on the same texts.
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
/** Words that have a piece (an ending, most of them) beyond which it is not looked up: it costs most, and tells least. */
const USUAL_PIECE = 1500;
/** Letters of a word that counts as a part of another one. */
const SHORTEST_PART = 6;
/** Dead passages that are put up with before the index is made anew. */
const MOST_DEAD = 2000;

export type Part = 'message' | 'reply';

/** The two texts of a turn. */
interface IndexedText {
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
interface QueryTerm {
  readonly word: string;
  /** What it says, by how few passages have it and of what kind it is. */
  readonly weight: number;
  /** 0 for a word that all passages have, 1 for one that a single one has. */
  readonly rarity: number;
  /** Passages that have it or a form of it. */
  readonly passages: number;
}

/** What of an index has words of a query. Good until the index changes. */
export interface Hits {
  readonly terms: readonly QueryTerm[];
  /** What all words of the query say together: no passage scores more than about twice that. */
  readonly whole: number;
  /** The nodes with the best passages, about so many, best first. */
  best(count: number): NodeId[];
  /** All passages of a node in order, 0 where a passage has nothing. */
  of(id: NodeId): readonly PassageHit[];
  /** The best scores of a node's passages, of its message and of its reply; 0 for none. */
  bestOf(id: NodeId): readonly [message: number, reply: number];
  /** Those of the terms that stand in a node. */
  termsIn(id: NodeId): readonly QueryTerm[];
}

interface PassageHit extends PassageSpan {
  readonly score: number;
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
        this.#drop(word);
      }
      this.#nodeOf[passage] = null;
      this.#total -= this.#lengths[passage] as number;
      this.#live -= 1;
    }
    if (this.#nodeOf.length - this.#live > Math.max(MOST_DEAD, this.#live)) this.#anew();
  }

  /** `language`, as ISO 639-1, says which of the query's words are of grammar. */
  search(query: string, language: string | null): Hits {
    const scores = new Float64Array(this.#nodeOf.length);
    const having: { readonly term: QueryTerm; readonly counts: Counts }[] = [];
    let whole = 0;
    const mean = this.#total / Math.max(1, this.#live);
    for (const [word, worth] of termsOf(query, language).words) {
      const counts = this.#countsOf(this.#formsOf(word));
      const passages = counts.passages.length;
      const rarity = this.#rarity(passages);
      const weight = Math.sqrt(worth) * rarity;
      having.push({ term: { word, weight, rarity, passages }, counts });
      whole += weight;
      if (this.#live > MANY && passages > COMMON * this.#live) continue;
      // A loop: there may be tens of thousands of passages.
      for (let i = 0; i < passages; i++) {
        const passage = counts.passages[i] as number;
        const count = counts.times[i] as number;
        const length = (this.#lengths[passage] as number) / mean;
        const gain = (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
        scores[passage] = (scores[passage] as number) + gain;
      }
    }
    const docs = this.#docs;
    const of = (id: NodeId): PassageHit[] => {
      const { first = 0, spans = [] } = docs.get(id) ?? {};
      return spans.map((span, at) => ({ ...span, score: scores[first + at] as number }));
    };
    return {
      terms: having.map(({ term }) => term),
      whole,
      of,
      bestOf: (id) => {
        let [message, reply] = [0, 0];
        const doc = docs.get(id);
        if (doc === undefined) return [message, reply];
        for (let at = 0; at < doc.spans.length; at++) {
          const score = scores[doc.first + at] as number;
          if (doc.spans[at]?.part === 'message') message = Math.max(message, score);
          else reply = Math.max(reply, score);
        }
        return [message, reply];
      },
      best: (count) => this.#best(scores, count),
      termsIn: (id) => {
        const { first = 0, spans = [] } = docs.get(id) ?? {};
        return having.flatMap(({ term, counts }) => (counts.hasAny(first, first + spans.length) ? [term] : []));
      },
    };
  }

  #best(scores: Float64Array, count: number): NodeId[] {
    // A node may have several of them.
    const first = highestOf(scores, 2 * count).filter((at) => (scores[at] as number) > 0);
    return [...new Set(first.map((at) => this.#nodeOf[at] as NodeId))].slice(0, count);
  }

  /** 0–1: how much it tells that a passage has a word that so many have. */
  #rarity(passages: number): number {
    const n = this.#live + ELSEWHERE;
    return Math.log(1 + (n - passages + 0.5) / (passages + 0.5)) / Math.log(1 + (n + 0.5) / 0.5);
  }

  /** How often passages have any of a word's forms, each form by its likeness; only living passages. */
  #countsOf(forms: readonly (readonly [string, number])[]): Counts {
    const found = forms.flatMap(([form, likeness]) => {
      const postings = this.#words.get(form);
      return postings === undefined ? [] : [{ postings, likeness }];
    });
    const [only] = found;
    const counts = new Counts();
    if (only !== undefined && found.length === 1) {
      const { passages, times } = only.postings;
      for (let i = 0; i < passages.length; i++) {
        const passage = passages[i] as number;
        if (this.#nodeOf[passage] !== null) counts.add(passage, only.likeness * (times[i] as number));
      }
      return counts;
    }
    const sums = new Map<number, number>();
    for (const { postings, likeness } of found) {
      const { passages, times } = postings;
      for (let i = 0; i < passages.length; i++) {
        const passage = passages[i] as number;
        if (this.#nodeOf[passage] === null) continue;
        sums.set(passage, (sums.get(passage) ?? 0) + likeness * (times[i] as number));
      }
    }
    for (const passage of Int32Array.from(sums.keys()).sort()) counts.add(passage, sums.get(passage) as number);
    return counts;
  }

  /** The word itself, and those of the index that are written much like it: inflected, mistyped, a part of a compound. */
  #formsOf(word: string): [string, number][] {
    const forms: [string, number][] = [];
    const pieces = piecesOf(word);
    const shared = new Map<string, number>();
    for (const piece of pieces) {
      const others = this.#byPiece.get(piece) ?? [];
      if (others.length > USUAL_PIECE) continue;
      for (const other of others) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    for (const [other, count] of shared) {
      if (other === word) continue;
      const likeness = Math.max((2 * count) / (pieces.length + piecesIn(other)), compounded(word, other));
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

  /** One passage fewer has a word. What nobody says any more is forgotten: it may have been purged. */
  #drop(word: string): void {
    const postings = this.#words.get(word);
    if (postings === undefined || --postings.live > 0) return;
    this.#words.delete(word);
    for (const piece of new Set(piecesOf(word))) {
      const others = this.#byPiece.get(piece)?.filter((other) => other !== word) ?? [];
      if (others.length > 0) this.#byPiece.set(piece, others);
      else this.#byPiece.delete(piece);
    }
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

/** Passages that have a word of a query or a form of it, in ascending order, and how often. */
class Counts {
  readonly passages: number[] = [];
  readonly times: number[] = [];

  add(passage: number, times: number): void {
    this.passages.push(passage);
    this.times.push(times);
  }

  /** There is one from `from` up to `to`. */
  hasAny(from: number, to: number): boolean {
    let [low, high] = [0, this.passages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.passages[middle] as number) < from) low = middle + 1;
      else high = middle;
    }
    return (this.passages[low] ?? Number.POSITIVE_INFINITY) < to;
  }
}

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
