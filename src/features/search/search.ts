import type { Kernel } from '../../app/kernel.ts';
import { type Excerpt, excerptOf, fitOf, folded, type Term, termsOf } from '../../app/search-words.ts';
import { apply } from '../../domain/apply.ts';
import { emptyForest, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { answerOf } from '../../domain/reply.ts';
import { recordsOf } from '../../domain/table.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { Embedder } from '../../engine/ports.ts';
import { type ConversationMeta, StorageFailure } from '../../engine/storage.ts';
import { contentHash, embeddingText } from '../../engine/vectors/node-vectors.ts';
import { cosine } from '../../engine/vectors/vector-math.ts';

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

/** Vectors asked of the storage at once. */
const BATCH = 256;
/**
 * What is near to a query, as a share of the embedder's θ: a few sought words are never as near to a message as
 * another message on the same thing is.
 */
const NEAR = 0.9;

interface Similarities {
  readonly similarities: ReadonlyMap<TurnText, number>;
  /** Turns without a vector. */
  readonly lacking: number;
  /** From which similarity on a turn is near. */
  readonly least: number;
}

/** How near turns are to a query in meaning, by the chosen embedder's vectors that are in the cache. */
export class Meaning {
  readonly #kernel: Kernel;
  #vectors: { model: string; byHash: Map<string, Float32Array> } = { model: '', byHash: new Map() };
  #asked: { model: string; query: string; vector: Float32Array } | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Rejects with a ModelFailure if the query cannot be embedded. */
  async similarities(
    query: string,
    turns: readonly TurnText[],
    breath: Breath,
    signal: AbortSignal,
  ): Promise<Similarities> {
    const { embed } = this.#kernel.ports.models();
    const sought = await this.#embedded(embed, query.replace(/["“”]/g, ' ').trim(), signal);
    await this.#fetch(embed.name, turns, breath, signal);
    const similarities = new Map<TurnText, number>();
    for (const turn of turns) {
      const vector = this.#vectors.byHash.get(turn.hash);
      if (vector?.length === sought.length) similarities.set(turn, cosine(sought, vector));
      if (breath.due()) await breath.take();
    }
    return { similarities, lacking: turns.length - similarities.size, least: NEAR * embed.theta };
  }

  /** The query's vector; the same query is embedded once. */
  async #embedded(embed: Embedder, query: string, signal: AbortSignal): Promise<Float32Array> {
    if (this.#asked?.query === query && this.#asked.model === embed.name) return this.#asked.vector;
    const [vector] = await embed.embed([query], signal);
    if (vector === undefined) throw new Error(`${embed.name} gave no vector`);
    this.#asked = { model: embed.name, query, vector };
    return vector;
  }

  /** Keeps the vectors of these turns and of no others: those of purged words go. */
  async #fetch(model: string, turns: readonly TurnText[], breath: Breath, signal: AbortSignal): Promise<void> {
    const before = this.#vectors.model === model ? this.#vectors.byHash : new Map<string, Float32Array>();
    const byHash = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const { hash } of turns) {
      const known = before.get(hash);
      if (known === undefined) missing.push(hash);
      else byHash.set(hash, known);
    }
    for (let i = 0; i < missing.length; i += BATCH) {
      const hashes = missing.slice(i, i + BATCH);
      const vectors = await this.#kernel.storage.readVectors(model, hashes);
      signal.throwIfAborted();
      for (const [at, hash] of hashes.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) byHash.set(hash, vector);
      }
      if (breath.due()) await breath.take();
    }
    this.#vectors = { model, byHash };
  }
}

/** What a word counts where it stands: most in what the person wrote themselves. */
const WEIGHT: Readonly<Record<Where, number>> = { message: 4, note: 4, summary: 3, reply: 2, file: 2 };
/** In the title of the topic or branch above the turn. */
const IN_TITLE = 1;
/** A phrase that stands there as it was sought counts more than its words. */
const PHRASE = 1.5;

export interface Match {
  readonly score: number;
  /** The text that has the words best. */
  readonly where: Where;
}

/** How well a turn has all the terms; null if it lacks one, or if only the titles above it have them. */
const matchOf = (turn: TurnText, terms: readonly Term[]): Match | null => {
  const byField = new Map<Where, number>();
  let score = 0;
  for (const term of terms) {
    let best = 0;
    for (const { where, folded } of turn.fields) {
      const worth = fitOf(folded, term) * WEIGHT[where] * (term.phrase ? PHRASE : 1);
      if (worth > 0) byField.set(where, (byField.get(where) ?? 0) + worth);
      best = Math.max(best, worth);
    }
    if (best === 0) best = fitOf(turn.titles, term) * IN_TITLE;
    if (best === 0) return null;
    score += best;
  }
  const [foremost] = [...byField].sort((a, b) => b[1] - a[1]);
  return foremost === undefined ? null : { score, where: foremost[0] };
};

/** `file`: the names of the files that came with the message, and what was read from them. */
export type Where = 'message' | 'note' | 'summary' | 'reply' | 'file';

/** One text of a turn, as written and as compared. */
interface Field {
  readonly where: Where;
  readonly text: string;
  readonly folded: string;
}

/** What of a turn can be found. */
export interface TurnText {
  readonly nodeId: NodeId;
  readonly number: number;
  readonly at: number;
  readonly hidden: boolean;
  readonly topic: string;
  readonly topicOrder: number;
  /** Titles above the turn; they alone find nothing. */
  readonly titles: string;
  readonly fields: readonly Field[];
  /** Under which its vector is in the cache. */
  readonly hash: string;
}

/** Entries that are read at once. */
const PORTION = 500;

interface Kept {
  /** Another one means that the conversation has changed. */
  readonly stamp: unknown;
  readonly texts: Promise<readonly TurnText[]>;
}

/** The texts of all conversations: each log is read once, in portions, and again only when it has changed. */
export class SearchTexts {
  readonly #kernel: Kernel;
  readonly #kept = new Map<string, Kept>();
  /** Nodes are replaced when they change, so what was made of one holds as long as it is there. */
  readonly #fields = new WeakMap<Node, Pick<TurnText, 'fields' | 'hash'>>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Lets go of what is no longer there: deleted conversations are not found, and their words not kept. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id);
  }

  /** Rejects with a StorageFailure. Reading goes on when who asked has lost interest: the next will want it. */
  of(meta: ConversationMeta, breath: Breath): Promise<readonly TurnText[]> {
    const { conversationId, forest } = this.#kernel.store.getState();
    const open = meta.id === conversationId;
    const stamp = open ? forest : `${meta.updatedAt} ${meta.turns}`;
    const kept = this.#kept.get(meta.id);
    if (kept?.stamp === stamp) return kept.texts;
    const texts = open ? this.#textsOf(forest, breath) : this.#read(meta.id, breath);
    this.#kept.set(meta.id, { stamp, texts });
    texts.catch(() => this.#kept.delete(meta.id));
    return texts;
  }

  async #read(id: string, breath: Breath): Promise<readonly TurnText[]> {
    const forest = emptyForest();
    for (let seq = 0; ; ) {
      const portion = await this.#kernel.storage.read(id, seq, PORTION);
      for (const entry of portion) {
        apply(forest, entry);
        seq = entry.seq;
      }
      if (portion.length < PORTION) break;
      await breath.take();
    }
    return this.#textsOf(forest, breath);
  }

  async #textsOf(forest: Forest, breath: Breath): Promise<readonly TurnText[]> {
    const texts: TurnText[] = [];
    for (const node of recordsOf(forest.nodes)) {
      const { id, number, at, hidden, treeId, branchId } = node;
      const tree = forest.trees[treeId];
      const topic = tree?.title ?? '';
      const titles = folded(`${topic}\n${forest.branches[branchId]?.title ?? ''}`);
      const own = this.#fieldsOf(node);
      texts.push({ nodeId: id, number, at, hidden, topic, topicOrder: tree?.order ?? 0, titles, ...own });
      if (breath.due()) await breath.take();
    }
    return texts;
  }

  #fieldsOf(node: Node): Pick<TurnText, 'fields' | 'hash'> {
    const kept = this.#fields.get(node);
    if (kept !== undefined) return kept;
    const reply = answerOf(replyOf(node)?.text ?? '');
    const written: [Where, string][] = [
      ['message', node.message],
      ['note', node.note ?? ''],
      ['summary', node.summary?.text ?? ''],
      ['reply', reply],
      ['file', (node.attachments ?? []).map(({ name, text = '' }) => `${name}\n${text}`).join('\n\n')],
    ];
    const fields = written.flatMap(([where, text]) => (text === '' ? [] : [{ where, text, folded: folded(text) }]));
    const made = { fields, hash: contentHash(embeddingText({ message: node.message, reply })) };
    this.#fields.set(node, made);
    return made;
  }
}

/** How long the page may be busy without a pause, in milliseconds: half a frame. */
const SPELL = 8;

/** Lets the page breathe during long work: input and drawing come in between. */
export class Breath {
  readonly #elapsed: () => number;
  #since: number;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#since = elapsed();
  }

  due(): boolean {
    return this.#elapsed() - this.#since > SPELL;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#since = this.#elapsed();
  }
}
