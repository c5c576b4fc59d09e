import type { Kernel } from '../../app/kernel.ts';
import { type Excerpt, excerptOf, type Term, termsOf } from '../../app/search-words.ts';
import type { NodeId } from '../../domain/forest.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { Embedder } from '../../engine/ports.ts';
import type { ConversationMeta } from '../../engine/storage.ts';
import { breathing, drawn } from '../../engine/tasks.ts';
import { Sketches } from '../../engine/vectors/sketches.ts';
import { cosine, foremost } from '../../engine/vectors/vector-math.ts';
import { SearchTexts } from './search-texts.ts';
import type { Part, Where } from './texts.ts';

/** A turn that was found, and where it is. */
export interface Hit {
  readonly conversationId: string;
  readonly conversation: string;
  readonly topic: string;
  readonly topicOrder: number;
  readonly nodeId: NodeId;
  readonly number: number;
  readonly at: number;
  readonly hidden: boolean;
  /** Which of its texts the excerpt is from. Only what is looked at is cut out of it, and read for that where it is not at hand. */
  readonly where: Where;
  readonly excerpt: () => Excerpt | Promise<Excerpt>;
  /** Cosine to the query, where it was found by meaning; null where the words are there. */
  readonly similarity: number | null;
}

export interface Found {
  /** Those that have the words, best first, then those near in meaning. */
  readonly hits: readonly Hit[];
  /** All that there are; `hits` holds the first of them. */
  readonly total: number;
  readonly done: boolean;
  /** Turns looked through so far. */
  readonly turns: number;
  /** Turns that could be found by their words only: nobody has made their vectors yet. Null until that is known. */
  readonly wordsOnly: number | null;
  /** Why nothing was sought by meaning, in words. */
  readonly meaningFailed: string | null;
  /** Conversations that could not be read. */
  readonly unread: number;
}

/** Hits handed out: nobody reads more. */
const LIMIT = 500;
/** Of which so many are in sight, and have their texts at hand. */
const IN_SIGHT = 12;
/** Milliseconds before the first word on what there is so far, and between two. */
const TELL_FIRST = 20;
const TELL_EVERY = 250;
/** Milliseconds without another query before it looks for what is near in meaning. */
const REST = 120;

export const openSearch = (kernel: Kernel): Search => new Search(kernel);

/** Finds turns in all conversations, by their words and by what they mean. */
export class Search {
  readonly #kernel: Kernel;
  readonly #texts: SearchTexts;
  readonly #meaning: SemanticSearch;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#texts = new SearchTexts(kernel);
    this.#meaning = new SemanticSearch(kernel);
  }

  /** Stores what is searched beside the logs, while the page has time for it. */
  storeBehind(): Promise<void> {
    return this.#texts.storeBehind();
  }

  /** Has at hand what will be searched. */
  async warm(signal: AbortSignal): Promise<void> {
    const breathe = breathing(this.#kernel.ports.elapsed);
    for await (const _ of this.#texts.partsOf(this.#kernel.store.getState().conversations, breathe)) {
      await breathe();
      if (signal.aborted) return;
    }
  }

  /** Tells what it has by and by. Rejects when aborted. */
  async find(query: string, signal: AbortSignal, onPart: (found: Found) => void): Promise<Found> {
    const terms = termsOf(query);
    if (terms.length === 0) return NOTHING;
    const { elapsed } = this.#kernel.ports;
    const breathe = breathing(elapsed);
    const { conversations } = this.#kernel.store.getState();
    this.#texts.keepOnly(conversations);
    const all: SearchedPart[] = [];
    const best = new Best(terms);
    let turns = 0;
    let unread = 0;
    let tellAt = elapsed() + TELL_FIRST;
    let toldNothing = false;
    const soFar = (): Found => ({ ...NOTHING, ...best.found(), done: false, turns, unread });
    for await (const { meta, part } of this.#texts.partsOf(conversations, breathe)) {
      signal.throwIfAborted();
      if (part === null) {
        unread += 1;
        continue;
      }
      const matches = part.matches(terms);
      for (const match of matches) best.add({ meta, part, ...match, similarity: null });
      all.push({ meta, part, open: this.#texts.isOpen(meta), found: new Set(matches.map(({ turn }) => turn)) });
      turns += part.size;
      await breathe();
      const isFirst = toldNothing && !best.isEmpty;
      if (elapsed() < tellAt && !isFirst) continue;
      await best.recall(signal);
      onPart(soFar());
      await drawn();
      tellAt = elapsed() + TELL_EVERY;
      toldNothing = best.isEmpty;
    }
    await best.recall(signal);
    onPart(soFar());

    try {
      await pause(REST, signal);
      const { near, lacking } = await this.#meaning.near(query, all, breathe, signal);
      for (const { of, turn, similarity } of near) {
        best.addNear({ meta: of.meta, part: of.part, turn, score: similarity, where: 'message', similarity });
      }
      await best.recall(signal);
      return { ...soFar(), done: true, wordsOnly: lacking };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelFailure)) throw error;
      return { ...soFar(), done: true, meaningFailed: error.message };
    }
  }
}

const NOTHING: Found = {
  hits: [],
  total: 0,
  done: true,
  turns: 0,
  wordsOnly: null,
  meaningFailed: null,
  unread: 0,
};

/** Rejects when aborted meanwhile. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
};

/** A part of a conversation that was looked through, and which of its turns have the words. */
interface SearchedPart {
  readonly meta: ConversationMeta;
  readonly part: Part;
  /** Of the open conversation, whose vectors may be on their way. */
  readonly open: boolean;
  readonly found: ReadonlySet<number>;
}

interface Candidate {
  readonly meta: ConversationMeta;
  readonly part: Part;
  readonly turn: number;
  readonly score: number;
  readonly where: Where;
  readonly similarity: number | null;
}

/** The best of what was found, and how many there are. */
class Best {
  readonly #terms: readonly Term[];
  #byWords: Candidate[] = [];
  #count = 0;
  #near: Candidate[] = [];
  /** The same turn is the same hit, so that it is not drawn again. */
  readonly #hits = new Map<Candidate, Hit>();

  constructor(terms: readonly Term[]) {
    this.#terms = terms;
  }

  add(candidate: Candidate): void {
    this.#count += 1;
    this.#byWords.push(candidate);
    if (this.#byWords.length > 4 * LIMIT) this.#cut();
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** In their order, after all that have the words. */
  addNear(candidate: Candidate): void {
    this.#near.push(candidate);
  }

  /** Reads the texts of what is seen first, to be told together with it. */
  async recall(signal: AbortSignal): Promise<void> {
    const parts = new Set(this.#first(IN_SIGHT).map(({ part }) => part));
    await Promise.all([...parts].map((part) => part.recall()));
    signal.throwIfAborted();
  }

  found(): Pick<Found, 'hits' | 'total'> {
    return { hits: this.#first(LIMIT).map((one) => this.#hitOf(one)), total: this.#count + this.#near.length };
  }

  #first(count: number): Candidate[] {
    this.#cut();
    return [...this.#byWords, ...this.#near].slice(0, count);
  }

  #cut(): void {
    this.#byWords = this.#byWords.sort(byScore).slice(0, LIMIT);
  }

  #hitOf(candidate: Candidate): Hit {
    const known = this.#hits.get(candidate) ?? hitOf(candidate, this.#terms);
    this.#hits.set(candidate, known);
    return known;
  }
}

const timeOf = ({ part, turn }: Candidate): number => part.turns.times[turn] as number;

/** The newest first among those that are as good. */
const byScore = (a: Candidate, b: Candidate): number => b.score - a.score || timeOf(b) - timeOf(a);

const hitOf = ({ meta, part, turn, where, similarity }: Candidate, terms: readonly Term[]): Hit => {
  const { topic, topicOrder } = part.placeOf(turn);
  const { ids, numbers, times, hidden } = part.turns;
  // Nothing of it is marked where it was found by its meaning.
  const cut = () => excerptOf(part.written(turn, where) ?? '', similarity === null ? terms : []);
  return {
    conversationId: meta.id,
    conversation: meta.title || 'Untitled',
    topic,
    topicOrder,
    nodeId: ids[turn] as NodeId,
    number: numbers[turn] as number,
    at: times[turn] as number,
    hidden: hidden[turn] as boolean,
    where,
    excerpt: () => (part.written(turn, where) === null ? part.recall().then(cut) : cut()),
    similarity,
  };
};

/** Vectors asked of the storage at once. */
const BATCH = 256;
/**
 * What is near to a query, as a share of the embedder's θ: a few sought words are never as near to a message as
 * another message on the same thing is.
 */
const NEAR = 0.9;
/** Turns near in meaning that are found. */
const NEAR_LIMIT = 40;
/** By how much a cosine may be estimated too low, of which about one in two thousand are by more: see `Sketches`. */
const DOUBT = 0.11;
/** Turns of the highest estimates that are compared exactly. */
const COMPARED = 256;

interface NearTurn {
  readonly of: SearchedPart;
  readonly turn: number;
  readonly similarity: number;
}

/**
 * Finds turns that are near to a query in meaning, by the chosen embedder's vectors that are in the cache: of each 64 bytes are kept
 * here to estimate by, and the few that come into question are compared themselves.
 */
class SemanticSearch {
  readonly #kernel: Kernel;
  #model = '';
  #sketches = new Sketches(0);
  #rows = new Map<string, number>();
  #free: number[] = [];
  /** Parts whose vectors were looked for: what was not there then is not asked for with every search. */
  #looked = new WeakSet<Part>();
  #asked: { readonly model: string; readonly query: string; readonly vector: Float32Array } | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The nearest first, and how many turns have no vector. Newest parts first. Rejects with a ModelFailure if the query cannot be embedded. */
  async near(
    query: string,
    all: readonly SearchedPart[],
    breathe: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ near: NearTurn[]; lacking: number }> {
    const { embed } = this.#kernel.ports.models();
    const sought = await this.#embedded(embed, query.replace(/["“”]/g, ' ').trim(), signal);
    if (this.#model !== embed.name) {
      this.#model = embed.name;
      this.#sketches = new Sketches(sought.length);
      this.#rows = new Map();
      this.#free = [];
      this.#looked = new WeakSet();
    }
    await this.#fetch(all, sought.length, breathe, signal);
    const least = NEAR * embed.theta;
    const estimates = this.#sketches.estimates(sought).all;
    const used = new Uint8Array(estimates.length);
    const likely: { of: SearchedPart; turn: number; hash: string; estimate: number }[] = [];
    let lacking = 0;
    for (const of of all) {
      for (const [turn, hash] of of.part.turns.hashes.entries()) {
        const row = this.#rows.get(hash);
        if (row === undefined) {
          lacking += 1;
          continue;
        }
        used[row] = 1;
        const estimate = estimates[row] as number;
        if (estimate >= least - DOUBT && !of.found.has(turn)) likely.push({ of, turn, hash, estimate });
      }
      await breathe();
      signal.throwIfAborted();
    }
    this.#forget(used, sought.length);
    const compared = foremost(likely, COMPARED, (a, b) => b.estimate - a.estimate);
    const vectors = await this.#kernel.storage.readVectors(
      embed.name,
      compared.map(({ hash }) => hash),
    );
    signal.throwIfAborted();
    const near = compared.flatMap(({ of, turn }, at): NearTurn[] => {
      const vector = vectors[at];
      const similarity = vector?.length === sought.length ? cosine(sought, vector) : -1;
      return similarity >= least ? [{ of, turn, similarity }] : [];
    });
    return { near: foremost(near, NEAR_LIMIT, (a, b) => b.similarity - a.similarity), lacking };
  }

  /** The query's vector; the same query is embedded once. */
  async #embedded(embed: Embedder, query: string, signal: AbortSignal): Promise<Float32Array> {
    if (this.#asked?.query === query && this.#asked.model === embed.name) return this.#asked.vector;
    const [vector] = await embed.embed([query], signal);
    if (vector === undefined) throw new Error(`${embed.name} gave no vector`);
    this.#asked = { model: embed.name, query, vector };
    return vector;
  }

  async #fetch(
    all: readonly SearchedPart[],
    dimensions: number,
    breathe: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    let wanted = new Set<string>();
    let parts: Part[] = [];
    const take = async (): Promise<number> => {
      const hashes = [...wanted];
      const of = parts;
      [wanted, parts] = [new Set(), []];
      let had = 0;
      for (let i = 0; i < hashes.length; i += BATCH) {
        const some = hashes.slice(i, i + BATCH);
        const vectors = await this.#kernel.storage.readVectors(this.#model, some);
        signal.throwIfAborted();
        for (const [at, hash] of some.entries()) {
          const vector = vectors[at];
          if (vector?.length !== dimensions) continue;
          this.#keep(hash, vector);
          had += 1;
        }
        await breathe();
      }
      for (const part of of) this.#looked.add(part);
      return had;
    };
    let moreCame = true;
    for (const { part, open } of all) {
      const again = this.#looked.has(part);
      if (again && !(open && moreCame)) continue;
      for (const hash of part.turns.hashes) if (!this.#rows.has(hash)) wanted.add(hash);
      parts.push(part);
      if (again && wanted.size > 0) moreCame = (await take()) > 0;
      else if (wanted.size >= BATCH) await take();
    }
    await take();
  }

  #keep(hash: string, vector: Float32Array): void {
    const row = this.#free.pop() ?? this.#rows.size;
    this.#rows.set(hash, row);
    this.#sketches.set(row, vector);
  }

  /** Nothing is kept of turns that are no longer there: their words may have been purged. */
  #forget(used: Uint8Array, dimensions: number): void {
    const nothing = new Float32Array(dimensions);
    for (const [hash, row] of this.#rows) {
      if (used[row] !== 0) continue;
      this.#rows.delete(hash);
      this.#sketches.set(row, nothing);
      this.#free.push(row);
    }
  }
}
