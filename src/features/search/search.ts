import type { Kernel } from '../../app/kernel.ts';
import { type SearchExcerpt, searchExcerpt, searchTerms, signTerms, type Term } from '../../app/search-words.ts';
import type { NodeId } from '../../domain/forest.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { Embedder } from '../../engine/ports.ts';
import { type ConversationMeta, StorageFailure } from '../../engine/storage.ts';
import { createYielder, dueEvery, nextPaint } from '../../engine/tasks.ts';
import { textsFor, vectorsAsWritten } from '../../engine/vectors/node-vectors.ts';
import { Sketches } from '../../engine/vectors/sketches.ts';
import { cosine, firstSorted } from '../../engine/vectors/vector-math.ts';
import type { SearchedField, SearchPart } from './searchable-texts.ts';
import { TextCache } from './text-cache.ts';

/** A turn that was found, with its location. */
export interface Hit {
  readonly conversationId: string;
  readonly conversation: string;
  readonly topic: string;
  readonly topicOrder: number;
  readonly nodeId: NodeId;
  readonly number: number;
  readonly at: number;
  readonly hidden: boolean;
  /** The text that the excerpt is from. Excerpts are only cut, and their texts read if necessary, for rows that are displayed. */
  readonly where: SearchedField;
  readonly excerpt: () => SearchExcerpt | Promise<SearchExcerpt>;
  /** Cosine similarity to the query if found by meaning; null if found by words. */
  readonly similarity: number | null;
}

export interface SearchResults {
  /** Matches by words, best first, then those close in meaning. */
  readonly hits: readonly Hit[];
  /** Total number of matches; `hits` holds the first of them. */
  readonly total: number;
  readonly done: boolean;
  /** Number of turns searched so far. */
  readonly turns: number;
  /** Number of turns that could only be found by words, because they have no vectors yet; null until known. */
  readonly wordsOnly: number | null;
  /** Why there was no search by meaning, in words. */
  readonly meaningFailed: string | null;
  /** Number of conversations that could not be read. */
  readonly unread: number;
}

/** Maximum number of hits returned: nobody reads more. */
const LIMIT = 500;
/** Number of hits that are visible at first, and have their texts loaded. */
const IN_SIGHT = 12;
/** Delay before the first partial result, and between further ones, in milliseconds. */
const TELL_FIRST = 20;
const TELL_EVERY = 250;
/** Delay without another query before searching by meaning, in milliseconds. */
const REST = 120;

export const openSearch = (kernel: Kernel): Search => new Search(kernel);

/** Finds turns in all conversations, by words and by meaning. */
export class Search {
  readonly #kernel: Kernel;
  readonly #texts: TextCache;
  readonly #meaning: SemanticSearch;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#texts = new TextCache(kernel);
    this.#meaning = new SemanticSearch(kernel);
  }

  /** Stores search texts beside the logs while the page is idle. */
  storeBehind(): Promise<void> {
    return this.#texts.storeBehind();
  }

  /** Preloads what will be searched. */
  async warm(signal: AbortSignal): Promise<void> {
    const breathe = createYielder(this.#kernel.ports.elapsed);
    for await (const _ of this.#texts.partsOf(this.#kernel.store.getState().conversations, breathe)) {
      await breathe();
      if (signal.aborted) return;
    }
  }

  /** Reports partial results as it goes. Rejects when aborted. */
  async find(query: string, signal: AbortSignal, onPart: (found: SearchResults) => void): Promise<SearchResults> {
    const words = searchTerms(query);
    const terms = words.length > 0 ? words : signTerms(query);
    if (terms.length === 0) return NOTHING;
    const { elapsed } = this.#kernel.ports;
    const breathe = createYielder(elapsed);
    const { conversations } = this.#kernel.store.getState();
    this.#texts.keepOnly(conversations);
    const all: SearchedPart[] = [];
    const best = new Best(terms);
    let turns = 0;
    let unread = 0;
    const isDue = dueEvery(TELL_EVERY, elapsed, TELL_FIRST);
    let toldNothing = false;
    const soFar = (): SearchResults => ({ ...NOTHING, ...best.found(), done: false, turns, unread });
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
      if (!isDue() && !isFirst) continue;
      await best.recall(signal);
      onPart(soFar());
      await nextPaint();
      toldNothing = best.isEmpty;
    }
    await best.recall(signal);
    onPart(soFar());
    // Signs mean nothing to an embedder.
    if (words.length === 0) return { ...soFar(), done: true };

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

const NOTHING: SearchResults = {
  hits: [],
  total: 0,
  done: true,
  turns: 0,
  wordsOnly: null,
  meaningFailed: null,
  unread: 0,
};

/** Rejects if aborted in the meantime. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
};

/** A searched part of a conversation, and which of its turns match by words. */
interface SearchedPart {
  readonly meta: ConversationMeta;
  readonly part: SearchPart;
  /** Whether it is of the open conversation, whose vectors may be pending. */
  readonly open: boolean;
  readonly found: ReadonlySet<number>;
}

interface Candidate {
  readonly meta: ConversationMeta;
  readonly part: SearchPart;
  readonly turn: number;
  readonly score: number;
  readonly where: SearchedField;
  readonly similarity: number | null;
}

/** The best matches, and their total number. */
class Best {
  readonly #terms: readonly Term[];
  #byWords: Candidate[] = [];
  #count = 0;
  #near: Candidate[] = [];
  /** Keeps hits stable per turn, to avoid re-rendering. */
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

  /** Appends a match by meaning, in order, after all matches by words. */
  addNear(candidate: Candidate): void {
    this.#near.push(candidate);
  }

  /** Loads the texts of the hits visible at first, so that they are reported together. */
  async recall(signal: AbortSignal): Promise<void> {
    const parts = new Set(this.#first(IN_SIGHT).map(({ part }) => part));
    await Promise.all([...parts].map((part) => part.recall()));
    signal.throwIfAborted();
  }

  found(): Pick<SearchResults, 'hits' | 'total'> {
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

/** By score; ties go to the newest. */
const byScore = (a: Candidate, b: Candidate): number => b.score - a.score || timeOf(b) - timeOf(a);

const hitOf = ({ meta, part, turn, where, similarity }: Candidate, terms: readonly Term[]): Hit => {
  const { topic, topicOrder } = part.placeOf(turn);
  const { ids, numbers, times, hidden } = part.turns;
  // Nothing is highlighted in a match by meaning.
  const cut = () => searchExcerpt(part.written(turn, where) ?? '', similarity === null ? terms : []);
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

/** Number of vectors requested from storage at a time. */
const BATCH = 256;
/**
 * Similarity threshold for a query, as a fraction of the embedder's θ: a few search words are never as close to a message as
 * another message on the same subject is.
 */
const NEAR = 0.9;
/** Number of conversations, newest first, whose last messages may tell the language of a query. */
const HEARD = 4;
/** Maximum number of matches by meaning. */
const NEAR_LIMIT = 40;
/** Upper bound on how far a cosine is underestimated, exceeded by about one in two thousand estimates: see `Sketches`. */
const DOUBT = 0.11;
/** Number of turns with the highest estimates that are compared exactly. */
const COMPARED = 256;

interface NearTurn {
  readonly of: SearchedPart;
  readonly turn: number;
  readonly similarity: number;
}

/**
 * Finds turns close in meaning to a query, using the chosen embedder's cached vectors: 64 bytes of each are kept here for
 * estimates, and the few candidates are compared exactly.
 */
class SemanticSearch {
  readonly #kernel: Kernel;
  #embedder: Pick<Embedder, 'name' | 'languages'> = { name: '' };
  #sketches = new Sketches(0);
  #rows = new Map<string, number>();
  #free: number[] = [];
  /** Parts whose vectors were already looked up: missing ones are not requested with every search. */
  #looked = new WeakSet<SearchPart>();
  #asked: { readonly model: string; readonly texts: string; readonly vectors: readonly Float32Array[] } | null = null;
  /** The language of the last messages of a part; null if they do not tell. */
  readonly #heard = new WeakMap<SearchPart, string | null>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /**
   * Returns the closest turns first, and how many turns lack a vector, which hidden ones need not have. `all` has the
   * newest parts first. Rejects with a ModelFailure if the query cannot be embedded.
   */
  async near(
    query: string,
    all: readonly SearchedPart[],
    breathe: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ near: NearTurn[]; lacking: number }> {
    const { embed } = this.#kernel.ports.models();
    const asked = query.replace(/["“”]/g, ' ').trim();
    const sought = await this.#embedded(embed, await this.#readings(asked, embed, all), signal);
    const dimensions = sought[0]?.length ?? 0;
    if (this.#embedder.name !== embed.name) this.#forgetAll(embed, dimensions);
    for (;;) {
      const found = await this.#compared(embed, sought, dimensions, all, breathe, signal);
      if (found !== null) return found;
      // The stored vectors have been cleared since they were looked up.
      this.#forgetAll(embed, dimensions);
    }
  }

  /** The query as written, and as the embedder receives it in each language that it may be in: “boot” is a boat in German. */
  async #readings(query: string, embed: Embedder, all: readonly SearchedPart[]): Promise<readonly string[]> {
    // An embedder that names no languages reads every text as it stands.
    if (embed.languages == null) return [query];
    try {
      const texts = new Set([query]);
      for (const language of await this.#languages(query, all)) {
        for (const text of await textsFor(embed, [query], language)) texts.add(text);
      }
      return [...texts];
    } catch (error) {
      if (error instanceof StorageFailure) throw error;
      // Without a glossary, or what tells languages, if it is that which could not be loaded.
      return [query];
    }
  }

  /** The languages that a query may be in: a few words rarely tell, and may be in what the person wrote last, here or elsewhere. */
  async #languages(query: string, all: readonly SearchedPart[]): Promise<ReadonlySet<string | null>> {
    const { languageSpoken, MESSAGES_HEARD } = await import('../../engine/text/spoken-language.ts');
    const told = languageSpoken([query]);
    if (told !== null) return new Set([told]);
    const languages = new Set([this.#kernel.store.getState().language]);
    const newest = new Map<string, SearchPart>();
    for (const { meta, part } of all) {
      if (newest.size < HEARD && !newest.has(meta.id)) newest.set(meta.id, part);
    }
    for (const part of newest.values()) {
      let heard = this.#heard.get(part);
      if (heard === undefined) {
        await part.recall();
        const turns = Array.from({ length: part.size }, (_, turn) => turn).slice(-MESSAGES_HEARD);
        heard = languageSpoken(turns.map((turn) => part.written(turn, 'message') ?? ''));
        this.#heard.set(part, heard);
      }
      languages.add(heard);
    }
    return languages;
  }

  /** null if one of the vectors to compare is no longer stored. */
  async #compared(
    embed: Embedder,
    sought: readonly Float32Array[],
    dimensions: number,
    all: readonly SearchedPart[],
    breathe: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<{ near: NearTurn[]; lacking: number } | null> {
    await this.#fetch(all, dimensions, breathe, signal);
    const least = NEAR * embed.theta;
    const estimates = sought.map((reading) => this.#sketches.estimates(reading).all);
    const used = new Uint8Array(estimates[0]?.length ?? 0);
    const likely: { of: SearchedPart; turn: number; hash: string; estimate: number }[] = [];
    let lacking = 0;
    for (const of of all) {
      for (const [turn, hash] of of.part.turns.hashes.entries()) {
        const row = this.#rows.get(hash);
        if (row === undefined) {
          if (of.part.turns.hidden[turn] === false) lacking += 1;
          continue;
        }
        used[row] = 1;
        let estimate = -1;
        for (const ofReading of estimates) estimate = Math.max(estimate, ofReading[row] as number);
        if (estimate >= least - DOUBT && !of.found.has(turn)) likely.push({ of, turn, hash, estimate });
      }
      await breathe();
      signal.throwIfAborted();
    }
    this.#forget(used, dimensions);
    const compared = firstSorted(likely, COMPARED, (a, b) => b.estimate - a.estimate);
    const vectors = await vectorsAsWritten(
      this.#kernel.storage,
      embed,
      compared.map(({ hash }) => hash),
    );
    signal.throwIfAborted();
    if (vectors.includes(undefined)) return null;
    const near = compared.flatMap(({ of, turn }, at): NearTurn[] => {
      const vector = vectors[at];
      const similarity =
        vector?.length === dimensions ? Math.max(...sought.map((reading) => cosine(reading, vector))) : -1;
      return similarity >= least ? [{ of, turn, similarity }] : [];
    });
    return { near: firstSorted(near, NEAR_LIMIT, (a, b) => b.similarity - a.similarity), lacking };
  }

  /** The vectors of a query's readings; the last ones are cached. */
  async #embedded(embed: Embedder, readings: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const texts = readings.join('\n');
    if (this.#asked?.texts === texts && this.#asked.model === embed.name) return this.#asked.vectors;
    const vectors = await embed.embed(readings, signal);
    if (vectors.length < readings.length) throw new Error(`${embed.name} gave no vector`);
    this.#asked = { model: embed.name, texts, vectors };
    return vectors;
  }

  async #fetch(
    all: readonly SearchedPart[],
    dimensions: number,
    breathe: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    let wanted = new Set<string>();
    let parts: SearchPart[] = [];
    const take = async (): Promise<number> => {
      const hashes = [...wanted];
      const of = parts;
      [wanted, parts] = [new Set(), []];
      let had = 0;
      for (let i = 0; i < hashes.length; i += BATCH) {
        const some = hashes.slice(i, i + BATCH);
        const vectors = await vectorsAsWritten(this.#kernel.storage, this.#embedder, some);
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
      const seen = this.#looked.has(part);
      if (seen && !(open && moreCame)) continue;
      for (const hash of part.turns.hashes) if (!this.#rows.has(hash)) wanted.add(hash);
      parts.push(part);
      if (seen && wanted.size > 0) moreCame = (await take()) > 0;
      else if (wanted.size >= BATCH) await take();
    }
    await take();
  }

  #forgetAll(embedder: Pick<Embedder, 'name' | 'languages'>, dimensions: number): void {
    this.#embedder = embedder;
    this.#sketches = new Sketches(dimensions);
    this.#rows = new Map();
    this.#free = [];
    this.#looked = new WeakSet();
  }

  #keep(hash: string, vector: Float32Array): void {
    const row = this.#free.pop() ?? this.#rows.size;
    this.#rows.set(hash, row);
    this.#sketches.set(row, vector);
  }

  /** Forgets turns that no longer exist: their words may have been purged. */
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
