import type { NodeId } from '../../../domain/forest.ts';
import { placeWhere } from '../../../domain/long-list.ts';
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

/**
 * Passages of messages and replies by their words. What it finds hangs on the texts that are in it alone, not on how they came there. It lies in
 * columns: of a hundred thousand turns, an object for each passage and each word's lists would keep the page waiting whenever memory is cleared up.
 */
export class LexicalIndex {
  /** Texts by their nodes: numbers of the order in which they came. */
  readonly #numberOf = new Map<NodeId, number>();
  #columns = new Columns();
  #words = new Map<string, Postings>();
  #byPiece = new Map<string, string[]>();
  #live = 0;
  #total = 0;
  #room = new Float64Array(0);

  get size(): number {
    return this.#numberOf.size;
  }

  ids(): IterableIterator<NodeId> {
    return this.#numberOf.keys();
  }

  has(id: NodeId, { message, reply }: IndexedText): boolean {
    const number = this.#numberOf.get(id);
    const { messages, replies } = this.#columns;
    return number !== undefined && messages[number] === message && replies[number] === reply;
  }

  set(id: NodeId, text: IndexedText): void {
    if (this.has(id, text)) return;
    this.delete(id);
    this.#add(id, text);
  }

  delete(id: NodeId): void {
    const number = this.#numberOf.get(id);
    if (number === undefined) return;
    this.#numberOf.delete(id);
    const columns = this.#columns;
    for (let passage = columns.startOf(number); passage < columns.startOf(number + 1); passage++) {
      for (const word of countWords(columns.textOf(passage)).counts.keys()) this.#drop(word);
      columns.owners[passage] = DEAD;
      this.#total -= columns.lengths[passage] as number;
      this.#live -= 1;
    }
    columns.messages[number] = '';
    columns.replies[number] = '';
    if (columns.owners.length - this.#live > Math.max(MOST_DEAD, this.#live)) this.#anew();
  }

  /** `language`, as ISO 639-1, says which of the query's words are of grammar. */
  search(query: string, language: string | null): Hits {
    const columns = this.#columns;
    const scores = new Float64Array(columns.owners.length);
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
        const length = (columns.lengths[passage] as number) / mean;
        const gain = (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
        scores[passage] = (scores[passage] as number) + gain;
      }
    }
    /** From the first of a node's passages up to the next node's first. */
    const passagesOfNode = (id: NodeId): readonly [from: number, to: number] => {
      const number = this.#numberOf.get(id);
      return number === undefined ? [0, 0] : [columns.startOf(number), columns.startOf(number + 1)];
    };
    return {
      terms: having.map(({ term }) => term),
      whole,
      of: (id) => {
        const [from, to] = passagesOfNode(id);
        return Array.from({ length: to - from }, (_, at) => ({
          ...columns.spanOf(from + at),
          score: scores[from + at] as number,
        }));
      },
      bestOf: (id) => {
        let [message, reply] = [0, 0];
        const [from, to] = passagesOfNode(id);
        for (let passage = from; passage < to; passage++) {
          const score = scores[passage] as number;
          if (columns.partOf(passage) === 'message') message = Math.max(message, score);
          else reply = Math.max(reply, score);
        }
        return [message, reply];
      },
      best: (count) => this.#best(scores, count),
      termsIn: (id) => {
        const [from, to] = passagesOfNode(id);
        return having.flatMap(({ term, counts }) => (counts.hasAny(from, to) ? [term] : []));
      },
    };
  }

  #best(scores: Float64Array, count: number): NodeId[] {
    // A node may have several of them.
    const first = highestOf(scores, 2 * count).filter((at) => (scores[at] as number) > 0);
    const { owners, ids } = this.#columns;
    return [...new Set(first.map((at) => ids[owners[at] as number] as NodeId))].slice(0, count);
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
    const { owners } = this.#columns;
    const sums = this.#sums(owners.length);
    const passages = new Int32Array(found.reduce((sum, { postings }) => sum + postings.passages.length, 0));
    let count = 0;
    for (const { postings, likeness } of found) {
      for (let i = 0; i < postings.passages.length; i++) {
        const passage = postings.passages[i] as number;
        if (owners[passage] === DEAD) continue;
        if (sums[passage] === 0) passages[count++] = passage;
        sums[passage] = (sums[passage] as number) + likeness * (postings.times[i] as number);
      }
    }
    const having = passages.subarray(0, count);
    if (found.length > 1) having.sort();
    const times = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      times[i] = sums[having[i] as number] as number;
      sums[having[i] as number] = 0;
    }
    return new Counts(having, times);
  }

  /** Room for a number of each passage, all 0; whoever writes to it leaves it so. */
  #sums(passages: number): Float64Array {
    if (this.#room.length < passages) this.#room = new Float64Array(2 * passages);
    return this.#room;
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
    const columns = this.#columns;
    this.#numberOf.set(id, columns.ids.length);
    for (const passage of columns.add(id, text)) {
      const { counts, length } = countWords(columns.textOf(passage));
      columns.lengths.push(length);
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
    const { messages, replies } = this.#columns;
    const texts = [...this.#numberOf].map(([id, number]): [NodeId, IndexedText] => [
      id,
      { message: messages[number] as string, reply: replies[number] as string },
    ]);
    this.#numberOf.clear();
    this.#columns = new Columns();
    this.#words = new Map();
    this.#byPiece = new Map();
    this.#live = 0;
    this.#total = 0;
    for (const [id, text] of texts) this.#add(id, text);
  }
}

/** Owner of a passage whose text is gone. */
const DEAD = -1;

/** Texts and their passages, each by its number. A text's passages stand in a row, those of the message first. */
class Columns {
  readonly ids: NodeId[] = [];
  readonly messages: string[] = [];
  readonly replies: string[] = [];
  /** Of each text its first passage, and the first of its reply. */
  readonly #starts: number[] = [];
  readonly #replyStarts: number[] = [];
  /** Of each passage its text, or `DEAD`; in the message or the reply from where to where it goes; and its words. */
  readonly owners: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly lengths: number[] = [];

  /** Its passages, by their numbers; whoever adds them counts their words. */
  add(id: NodeId, { message, reply }: IndexedText): number[] {
    const number = this.ids.push(id) - 1;
    this.messages.push(message);
    this.replies.push(reply);
    this.#starts.push(this.owners.length);
    const spans = passagesOf(message);
    this.#replyStarts.push(this.owners.length + spans.length);
    return [...spans, ...passagesOf(reply)].map(({ from, to }) => {
      this.#from.push(from);
      this.#to.push(to);
      return this.owners.push(number) - 1;
    });
  }

  /** Of a text beyond the last one, what comes after all passages. */
  startOf(text: number): number {
    return this.#starts[text] ?? this.owners.length;
  }

  partOf(passage: number): Part {
    const owner = this.owners[passage] as number;
    return passage < (this.#replyStarts[owner] as number) ? 'message' : 'reply';
  }

  spanOf(passage: number): PassageSpan {
    const [from, to] = [this.#from[passage] as number, this.#to[passage] as number];
    return { part: this.partOf(passage), from, to };
  }

  textOf(passage: number): string {
    const { part, from, to } = this.spanOf(passage);
    const texts = part === 'message' ? this.messages : this.replies;
    return (texts[this.owners[passage] as number] as string).slice(from, to);
  }
}

/** Of a word that another one ends or begins with, as compounds do. */
const compounded = (a: string, b: string): number => {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return short.length >= SHORTEST_PART && (long.endsWith(short) || long.startsWith(short)) ? ALIKE : 0;
};

/** Passages that have a word of a query or a form of it, in ascending order, and how often. */
class Counts {
  readonly passages: Int32Array;
  readonly times: Float64Array;

  constructor(passages: Int32Array, times: Float64Array) {
    this.passages = passages;
    this.times = times;
  }

  /** There is one from `from` up to `to`. */
  hasAny(from: number, to: number): boolean {
    const first = placeWhere(0, this.passages.length, (at) => (this.passages[at] as number) < from);
    return (this.passages[first] ?? Number.POSITIVE_INFINITY) < to;
  }
}

/** The passages that have a word, in the order in which they came, and how often; those that died are still there, and not in `live`. */
class Postings {
  live = 0;
  readonly passages: number[] = [];
  readonly times: number[] = [];

  add(passage: number, times: number): void {
    this.passages.push(passage);
    this.times.push(times);
    this.live += 1;
  }
}
