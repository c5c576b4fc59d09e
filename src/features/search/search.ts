import type { Kernel } from '../../app/kernel.ts';
import { type Excerpt, excerptOf, type Term, termsOf } from '../../app/search-words.ts';
import type { NodeId } from '../../domain/forest.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ConversationMeta } from '../../engine/storage.ts';
import { Breath } from './breath.ts';
import { Meaning } from './meaning.ts';
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
  readonly #meaning: Meaning;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#texts = new SearchTexts(kernel);
    this.#meaning = new Meaning(kernel);
  }

  /** Stores what is searched beside the logs, while the page has time for it. */
  storeBehind(): Promise<void> {
    return this.#texts.storeBehind();
  }

  /** Has at hand what will be searched. */
  async warm(signal: AbortSignal): Promise<void> {
    const breath = new Breath(this.#kernel.ports.elapsed);
    for await (const _ of this.#texts.partsOf(this.#kernel.store.getState().conversations, breath)) {
      if (breath.due()) await breath.take();
      if (signal.aborted) return;
    }
  }

  /** Tells what it has by and by. Rejects when aborted. */
  async find(query: string, signal: AbortSignal, onPart: (found: Found) => void): Promise<Found> {
    const terms = termsOf(query);
    if (terms.length === 0) return NOTHING;
    const { elapsed } = this.#kernel.ports;
    const breath = new Breath(elapsed);
    const { conversations } = this.#kernel.store.getState();
    this.#texts.keepOnly(conversations);
    const all: Searched[] = [];
    const best = new Best(terms);
    let turns = 0;
    let unread = 0;
    let tellAt = elapsed() + TELL_FIRST;
    const soFar = (): Found => ({ ...NOTHING, ...best.found(), done: false, turns, unread });
    for await (const { meta, part } of this.#texts.partsOf(conversations, breath)) {
      signal.throwIfAborted();
      if (part === null) {
        unread += 1;
        continue;
      }
      const matches = part.matches(terms);
      for (const match of matches) best.add({ meta, part, ...match, similarity: null });
      all.push({ meta, part, open: this.#texts.isOpen(meta), found: new Set(matches.map(({ turn }) => turn)) });
      turns += part.size;
      if (breath.due()) await breath.take();
      if (elapsed() < tellAt) continue;
      await best.recall(signal);
      onPart(soFar());
      tellAt = elapsed() + TELL_EVERY;
    }
    await best.recall(signal);
    onPart(soFar());

    try {
      await pause(REST, signal);
      const { near, lacking } = await this.#meaning.near(query, all, breath, signal);
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
interface Searched {
  readonly meta: ConversationMeta;
  readonly part: Part;
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
