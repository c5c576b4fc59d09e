import type { NodeId } from '../../../domain/forest.ts';
import { placeWhere } from '../../../domain/long-list.ts';
import { passagesOf, type Span } from '../../text/sentences.ts';
import { countWords, piecesIn, piecesOf, queryWords } from '../../text/terms.ts';
import { highestOf } from '../../vectors/vector-math.ts';

/*
 * A custom index instead of a library: MiniSearch's scores drift as texts are removed, and it does not weigh passages
 * by their neighbours. Scores here equal those of a newly built index. It was not chosen for speed: the two were never
 * timed on the same texts.
 */

/** BM25 (Robertson and Zaragoza 2009): how quickly repeats of a word saturate, and how strongly long passages are penalised. */
const K1 = 1.2;
const B = 0.75;
/** From this many passages on, a word found in more than this share of them is skipped: it says nothing and costs the most. */
const MANY = 1000;
const COMMON = 0.2;
/**
 * Virtual passages that contain none of the words: among a handful of turns it says little that most of them contain a
 * word, and much that it occurs at all.
 */
const ELSEWHERE = 20;
/** Minimum likeness, 0–1, for two words to count as forms of one, and the weight of a word that is merely alike. */
const ALIKE = 0.6;
const FORM = 0.4;
/** Number of words with a piece (mostly an ending) above which the piece is not looked up: it costs the most and says the least. */
const USUAL_PIECE = 1500;
/** Minimum length in letters of a word that counts as part of another one. */
const SHORTEST_PART = 6;
/** Dead passages tolerated before the index is rebuilt. */
const MOST_DEAD = 2000;

type Part = 'message' | 'reply';

/** The two texts of a turn. */
interface IndexedText {
  readonly message: string;
  readonly reply: string;
}

interface PassageSpan extends Span {
  readonly part: Part;
}

/** A query word as the index knows it. */
interface QueryTerm {
  readonly word: string;
  /** How much it says, by its rarity and its kind. */
  readonly weight: number;
  /** 0 for a word found in all passages, 1 for one found in a single passage. */
  readonly rarity: number;
  /** Number of passages with the word or a form of it. */
  readonly passages: number;
}

/** The passages of an index that match a query. Valid until the index changes. */
export interface Hits {
  readonly terms: readonly QueryTerm[];
  /** Combined weight of all query words: no passage scores more than about twice that. */
  readonly whole: number;
  /** The nodes with the best passages, about `count` of them, best first. */
  best(count: number): NodeId[];
  /** All passages of a node in order, with score 0 for those without a match. */
  of(id: NodeId): readonly PassageHit[];
  /** The best passage scores of a node's message and of its reply; 0 for none. */
  bestOf(id: NodeId): readonly [message: number, reply: number];
  /** The query terms that occur in a node. */
  termsIn(id: NodeId): readonly QueryTerm[];
}

interface PassageHit extends PassageSpan {
  readonly score: number;
}

/**
 * Indexes passages of messages and replies by their words. Results depend only on the texts in it, not on how they were
 * added. Stored in columns: with a hundred thousand turns, an object for each passage and each word's lists would block
 * the page during garbage collection.
 */
export class LexicalIndex {
  /** Text numbers by node, in insertion order. */
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

  /** `language` (ISO 639-1) determines which query words are function words. */
  search(query: string, language: string | null): Hits {
    const columns = this.#columns;
    const scores = new Float64Array(columns.owners.length);
    const having: { readonly term: QueryTerm; readonly counts: Counts }[] = [];
    let whole = 0;
    const mean = this.#total / Math.max(1, this.#live);
    for (const [word, worth] of queryWords(query, language)) {
      const counts = this.#countsOf(this.#formsOf(word));
      const passages = counts.passages.length;
      const rarity = this.#rarity(passages);
      const weight = Math.sqrt(worth) * rarity;
      having.push({ term: { word, weight, rarity, passages }, counts });
      whole += weight;
      if (this.#live > MANY && passages > COMMON * this.#live) continue;
      // A plain loop, since there may be tens of thousands of passages.
      for (let i = 0; i < passages; i++) {
        const passage = counts.passages[i] as number;
        const count = counts.times[i] as number;
        const length = (columns.lengths[passage] as number) / mean;
        const gain = (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
        scores[passage] = (scores[passage] as number) + gain;
      }
    }
    /** Range of a node's passages; `to` is exclusive. */
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
    // A node may have several of the best passages.
    const first = highestOf(scores, 2 * count).filter((at) => (scores[at] as number) > 0);
    const { owners, ids } = this.#columns;
    return [...new Set(first.map((at) => ids[owners[at] as number] as NodeId))].slice(0, count);
  }

  /** 0–1: how much it says that a passage has a word that `passages` passages have. */
  #rarity(passages: number): number {
    const n = this.#live + ELSEWHERE;
    return Math.log(1 + (n - passages + 0.5) / (passages + 0.5)) / Math.log(1 + (n + 0.5) / 0.5);
  }

  /** Counts the occurrences of a word's forms per passage, each form weighted by likeness; live passages only. */
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

  /** Scratch space for one number per passage, all 0; callers must reset what they write. */
  #sums(passages: number): Float64Array {
    if (this.#room.length < passages) this.#room = new Float64Array(2 * passages);
    return this.#room;
  }

  /** Returns the word and the words of the index spelled much like it: inflected, mistyped, part of a compound. */
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
    // Sorted regardless of insertion order; otherwise sums would differ in their last digits.
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

  /** Notes that one passage fewer has a word. Words no longer used are forgotten: they may have been purged. */
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

/** Owner of a passage whose text was deleted. */
const DEAD = -1;

/** Texts and their passages, each by its number. A text's passages are contiguous, those of the message first. */
class Columns {
  readonly ids: NodeId[] = [];
  readonly messages: string[] = [];
  readonly replies: string[] = [];
  /** For each text its first passage, and the first of its reply. */
  readonly #starts: number[] = [];
  readonly #replyStarts: number[] = [];
  /** For each passage its text or `DEAD`, its range in the message or the reply, and its number of words. */
  readonly owners: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly lengths: number[] = [];

  /** Adds a text and returns the numbers of its passages; the caller counts their words. */
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

  /** For a text beyond the last one, the end of all passages. */
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

/** Likeness of two words of which one begins or ends with the other, as in compounds. */
const compounded = (a: string, b: string): number => {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return short.length >= SHORTEST_PART && (long.endsWith(short) || long.startsWith(short)) ? ALIKE : 0;
};

/** Passages with a query word or a form of it, in ascending order, and how often they have it. */
class Counts {
  readonly passages: Int32Array;
  readonly times: Float64Array;

  constructor(passages: Int32Array, times: Float64Array) {
    this.passages = passages;
    this.times = times;
  }

  /** Whether a passage lies in [`from`, `to`). */
  hasAny(from: number, to: number): boolean {
    const first = placeWhere(0, this.passages.length, (at) => (this.passages[at] as number) < from);
    return (this.passages[first] ?? Number.POSITIVE_INFINITY) < to;
  }
}

/** The passages with a word, in insertion order, and how often they have it. Dead passages remain listed but are not counted in `live`. */
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
