import type { Kernel } from '../../app/kernel.ts';
import { type Excerpt, excerptOf, type Term, termsOf } from '../../app/search-words.ts';
import type { NodeId } from '../../domain/forest.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import { type ConversationMeta, StorageFailure } from '../../engine/ports.ts';
import { Breath } from './breath.ts';
import { Meaning } from './search-meaning.ts';
import { matchOf } from './search-rank.ts';
import { SearchTexts, type TurnText, type Where } from './search-texts.ts';

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
  /** Which of its texts the excerpt is from. Only what is looked at is cut out of it. */
  readonly where: Where;
  readonly excerpt: () => Excerpt;
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
/** Milliseconds between two words on what there is so far. */
const TELL_EVERY = 150;
/** Of those near in meaning only. */
const NEAR_LIMIT = 40;

interface Candidate {
  readonly meta: ConversationMeta;
  readonly turn: TurnText;
  readonly score: number;
  readonly where: Where;
  readonly similarity: number | null;
}

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

  /** Tells what it has by and by. Rejects when aborted. */
  async find(query: string, signal: AbortSignal, onPart: (found: Found) => void): Promise<Found> {
    const terms = termsOf(query);
    const breath = new Breath(this.#kernel.ports.elapsed);
    const { conversations } = this.#kernel.store.getState();
    this.#texts.keepOnly(new Set(conversations.map(({ id }) => id)));
    const all: { meta: ConversationMeta; turn: TurnText }[] = [];
    const byWords: Candidate[] = [];
    const found: Found = { ...NOTHING, done: false };
    if (terms.length === 0) return NOTHING;

    let unread = 0;
    const soFar = (): Found => ({ ...found, ...shown(byWords, [], terms), turns: all.length, unread });
    let told = this.#kernel.ports.elapsed();
    const tellSometimes = () => {
      if (this.#kernel.ports.elapsed() - told < TELL_EVERY) return;
      onPart(soFar());
      told = this.#kernel.ports.elapsed();
    };
    for (const meta of conversations) {
      const texts = await this.#texts.of(meta, breath).catch((error: unknown) => {
        if (!(error instanceof StorageFailure)) throw error;
        unread += 1;
        return [];
      });
      signal.throwIfAborted();
      for (const turn of texts) {
        all.push({ meta, turn });
        const match = matchOf(turn, terms);
        if (match !== null) byWords.push({ meta, turn, ...match, similarity: null });
        if (!breath.due()) continue;
        await breath.take();
        signal.throwIfAborted();
      }
      tellSometimes();
    }
    onPart(soFar());

    try {
      const turns = all.map(({ turn }) => turn);
      const { similarities, lacking, least } = await this.#meaning.similarities(query, turns, breath, signal);
      const has = new Set(byWords.map(({ turn }) => turn));
      const near = all.flatMap(({ meta, turn }): Candidate[] => {
        const similarity = similarities.get(turn) ?? -1;
        if (similarity < least || has.has(turn)) return [];
        return [{ meta, turn, score: similarity, where: 'message', similarity }];
      });
      return { ...soFar(), ...shown(byWords, near, terms), done: true, wordsOnly: lacking };
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

const shown = (byWords: Candidate[], near: Candidate[], terms: readonly Term[]): Pick<Found, 'hits' | 'total'> => {
  const best = [...byWords.sort(byScore), ...near.sort(byScore).slice(0, NEAR_LIMIT)];
  return { hits: best.slice(0, LIMIT).map((candidate) => hitOf(candidate, terms)), total: best.length };
};

/** The newest first among those that are as good. */
const byScore = (a: Candidate, b: Candidate): number => b.score - a.score || b.turn.at - a.turn.at;

const hitOf = ({ meta, turn, where, similarity }: Candidate, terms: readonly Term[]): Hit => ({
  conversationId: meta.id,
  conversation: meta.title || 'Untitled',
  topic: turn.topic,
  topicOrder: turn.topicOrder,
  nodeId: turn.nodeId,
  number: turn.number,
  at: turn.at,
  hidden: turn.hidden,
  where,
  // Nothing of it is marked where it was found by its meaning.
  excerpt: () =>
    excerptOf(turn.fields.find((field) => field.where === where)?.text ?? '', similarity === null ? terms : []),
  similarity,
});
