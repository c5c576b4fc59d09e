import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { beginning, replyText } from '../../domain/queries.ts';
import { recordsOf } from '../../domain/table.ts';
import type { Embedder } from '../ports.ts';
import { type Storage, StorageFailure } from '../storage.ts';
import { createYielder } from '../tasks.ts';
import type { LanguageOfTurn } from '../text/spoken-language.ts';
import { ForestIndexCache } from './forest-index.ts';
import { VectorTable } from './vector-table.ts';

/** How many texts go to the embedder at once, so that a long forest does not hold up a message. */
const BATCH = 32;
/** How many vectors are read at once: they arrive within a few milliseconds. */
const READ = 256;
/** How many of the last turns are embedded first when all are: the conversation continues from there. */
const LAST = 512;
/** Most turns re-embedded at once when the person's language is known: a message waits for them. */
const READ_ANEW = 64;

type Cache = Pick<Storage, 'readVectors' | 'saveVectors'>;

/** The conversation as it is by now: a turn may be purged while it is being embedded. */
interface LiveTurns {
  isThere(id: NodeId): boolean;
  /** Runs a task while no turn is purged. */
  inQueue<T>(task: () => Promise<T>): Promise<T>;
}

const ALL_STAY: LiveTurns = { isThere: () => true, inQueue: (task) => task() };

/** The embeddings of one conversation's nodes, read from the cache or else computed and cached. */
export class NodeVectors {
  /** Message vectors, by node. */
  readonly table: VectorTable;
  /** Vectors of the beginnings of replies, by node; none for a reply that says nothing of its own. */
  readonly replies: VectorTable;
  readonly index: ForestIndexCache;
  #embedder: Embedder;
  readonly #cache: Cache;
  readonly #known: NodeVectors | null;
  readonly #live: LiveTurns;
  /** Which text each vector was made from, and its key in the cache. A changed reply has another text, and so another vector. */
  readonly #made = { table: new Map<NodeId, MadeVector>(), replies: new Map<NodeId, MadeVector>() };
  /** Nodes embedded before the person's language was known. */
  readonly #untold = { table: new Set<NodeId>(), replies: new Set<NodeId>() };

  #makingUp: Promise<void> | null = null;

  /** `known`: others by the same embedder, whose vectors of the same texts are used as well. Only those of `live` turns are cached, by default theirs. */
  constructor(embedder: Embedder, cache: Cache, known: NodeVectors | null = null, live?: LiveTurns) {
    this.#embedder = embedder;
    this.#cache = cache;
    this.#known = known;
    this.#live = live ?? (known === null ? ALL_STAY : known.#live);
    this.table = new VectorTable(embedder.dimensions);
    this.replies = new VectorTable(embedder.dimensions, false);
    this.index = new ForestIndexCache(this.table);
  }

  /**
   * Has an embedder that makes the same vectors embed from now on: one that is loaded again is another one, and the one
   * before is closed.
   */
  use(embedder: Embedder): void {
    this.#embedder = embedder;
  }

  /**
   * Counts the nodes that have no vector yet, except hidden ones: what is embedded of a turn is its message, which never
   * changes.
   */
  countLacking(forest: Forest): number {
    return this.index.of(forest).lacking;
  }

  /**
   * Embeds all nodes and their replies where missing. Concurrent calls wait for the one in progress. It runs when the
   * page and the embedder have time, the last turns first.
   */
  makeUp(nodes: readonly Node[], languages: LanguageOfTurn, signal?: AbortSignal): Promise<void> {
    this.#makingUp ??= this.#makeUpAll(nodes, languages, signal).finally(() => {
      this.#makingUp = null;
    });
    return this.#makingUp;
  }

  async #makeUpAll(nodes: readonly Node[], languages: LanguageOfTurn, signal?: AbortSignal): Promise<void> {
    for (const some of nodes.length > LAST ? [nodes.slice(-LAST), nodes] : [nodes]) {
      await this.#make(await this.#lacking(some, 'table', languages, 'idle'), signal, 'idle');
      await this.#make(await this.#lacking(some, 'replies', languages, 'idle'), signal, 'idle');
    }
  }

  /**
   * Ensures that every given node that is not hidden has its vector. `languages`: what the person wrote in then, so that
   * a text is read alike, and found in the cache, whatever they write in by now. Rejects if the embedder fails.
   */
  async ensure(nodes: readonly Node[], languages: LanguageOfTurn, signal?: AbortSignal): Promise<void> {
    await this.#make(await this.#lacking(nodes, 'table', languages), signal);
  }

  /** The same for their replies, if they say something of their own; the vector of one that no longer does is dropped. */
  async ensureReplies(nodes: readonly Node[], languages: LanguageOfTurn, signal?: AbortSignal): Promise<void> {
    await this.#make(await this.#lacking(nodes, 'replies', languages), signal);
  }

  /** Caches the vectors of these nodes and their replies, as far as they are known. */
  async save(nodes: readonly Node[]): Promise<void> {
    const known: CachedVector[] = [];
    for (const where of ['table', 'replies'] as const) {
      for (const node of nodes) {
        const made = this.#made[where].get(node.id);
        const vector = this[where].vectorOf(node.id);
        const text = where === 'table' ? embeddingText(node) : replyStart(node);
        if (vector !== undefined && isMadeOf(made, text)) {
          known.push({ ...made, id: node.id, in: where, vector: vector.slice() });
        }
      }
    }
    await this.#saveAll(known);
  }

  async #saveAll(vectors: readonly CachedVector[]): Promise<void> {
    const { name } = this.#embedder;
    await this.#cache.saveVectors(name, new Map(vectors.map(({ hash, vector }) => [hash, vector])));
    const put = vectors.filter(isPutInEnglish);
    if (put.length === 0) return;
    await this.#cache.saveVectors(asWritten(name), new Map(put.map(({ of, vector }) => [of, vector])));
  }

  /** Caches vectors of turns that are still there. */
  async #keep(vectors: readonly CachedVector[]): Promise<void> {
    await this.#live.inQueue(async () => {
      const there = vectors.filter(({ id }) => this.#live.isThere(id));
      if (there.length > 0) await this.#saveAll(there);
    });
  }

  /**
   * Re-embeds earlier texts once the language the person writes in is known: “mein Fahrrad quietscht” alone is too
   * short to tell by, and as it stands resembles nothing that comes after it. The latest first, so many that a message
   * can wait for them; the others follow with the next messages. Rejects if the embedder fails.
   */
  async readAnew(forest: Forest, languages: LanguageOfTurn, signal?: AbortSignal): Promise<void> {
    if (languages({ number: forest.turnCount + 1 }) === null) return;
    for (const where of ['table', 'replies'] as const) {
      const untold = this.#untold[where];
      const nodes: Node[] = [];
      for (const id of [...untold].slice(-READ_ANEW)) {
        const node = forest.nodes[id];
        if (node !== undefined && this.isForeign(languages(node))) nodes.push(node);
        else untold.delete(id);
      }
      for (const { id } of nodes) this.#made[where].delete(id);
      await this.#make(await this.#lacking(nodes, where, languages), signal);
    }
  }

  async #lacking(
    nodes: readonly Node[],
    where: VectorTarget,
    languages: LanguageOfTurn,
    when?: 'idle',
  ): Promise<VectorRequest[]> {
    const breathe = breather(when);
    const isTold = readsEnglish(this.#embedder);
    const made = this.#made[where];
    const lacking: VectorRequest[] = [];
    for (const node of nodes) {
      await breathe();
      // No model sees it.
      if (node.hidden) continue;
      const text = where === 'table' ? embeddingText(node) : replyStart(node);
      if (where === 'replies' && text === '') {
        this.replies.drop(node.id);
        made.delete(node.id);
        continue;
      }
      if (isMadeOf(made.get(node.id), text) || this.#takeKnown(node.id, text, where)) continue;
      lacking.push({ id: node.id, text, in: where, language: isTold ? languages(node) : undefined });
    }
    return lacking;
  }

  #takeKnown(id: NodeId, text: string, where: VectorTarget): boolean {
    const known = this.#known;
    if (known === null) return false;
    const made = known.#made[where].get(id);
    const vector = known[where].vectorOf(id);
    if (!isMadeOf(made, text) || vector === undefined) return false;
    this[where].set(id, vector);
    this.#made[where].set(id, made);
    return true;
  }

  /** Ordered by hash, so that the vectors of a long conversation are neighbours in the cache. */
  async #make(lacking: readonly VectorRequest[], signal?: AbortSignal, when?: 'idle'): Promise<void> {
    const breathe = breather(when);
    const named: NamedText[] = [];
    for (const one of lacking) {
      await breathe();
      const [text = one.text] = await this.read([one.text], one.language ?? null);
      const hash = contentHash(text);
      named.push({ one, text, of: text === one.text ? hash : contentHash(one.text), hash });
    }
    if (named.length > READ) named.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
    for (let i = 0; i < named.length; i += READ) {
      const absent = await this.#recall(named.slice(i, i + READ), when);
      for (let at = 0; at < absent.length; at += BATCH) await this.#embed(absent.slice(at, at + BATCH), signal, when);
      signal?.throwIfAborted();
    }
  }

  /** Whether the embedder knows English but not this language. */
  isForeign(spoken: string | null): spoken is string {
    return isForeignTo(this.#embedder, spoken);
  }

  /** Returns texts as the embedder receives them. */
  read(texts: readonly string[], spoken: string | null): Promise<string[]> {
    return textsFor(this.#embedder, texts, spoken);
  }

  /** Takes the cached vectors, and returns the texts without one. */
  async #recall(texts: readonly NamedText[], when?: 'idle'): Promise<NamedText[]> {
    const kept = await this.#cache.readVectors(
      this.#embedder.name,
      texts.map(({ hash }) => hash),
    );
    const breathe = breather(when);
    const absent: NamedText[] = [];
    const put: CachedVector[] = [];
    for (const [at, text] of texts.entries()) {
      await breathe();
      const vector = kept[at];
      if (vector === undefined) {
        absent.push(text);
        continue;
      }
      this.#take(text, vector);
      const cached = cachedVector(text, vector);
      if (isPutInEnglish(cached)) put.push(cached);
    }
    if (put.length > 0) await this.#keepAsWritten(put);
    return absent;
  }

  /** A message in other words may have been put into the same English, and vectors were once cached by that alone. */
  async #keepAsWritten(vectors: readonly CachedVector[]): Promise<void> {
    const kept = await this.#cache.readVectors(
      asWritten(this.#embedder.name),
      vectors.map(({ of }) => of),
    );
    const lacking = vectors.filter((_, at) => kept[at] === undefined);
    if (lacking.length === 0) return;
    await this.#keep(lacking).catch((error: unknown) => {
      // Only a search lacks them, until there is room.
      if (!(error instanceof StorageFailure)) throw error;
    });
  }

  async #embed(all: readonly NamedText[], signal?: AbortSignal, when?: 'idle'): Promise<void> {
    // A request that could not wait may have embedded them in the meantime, or the conversation may have been left.
    const isWanted = ({ id, text, in: where }: VectorRequest): boolean =>
      !isMadeOf(this.#made[where].get(id), text) && (when !== 'idle' || this.#live.isThere(id));
    const texts = all.filter(({ one }) => isWanted(one));
    if (texts.length === 0) return;
    const made = await this.#embedder.embed(
      texts.map(({ text }) => text),
      signal,
      when,
    );
    // First, so that messages are compared with them even if there is no room to cache them.
    for (const [at, text] of texts.entries()) this.#take(text, made[at] as Float32Array);
    await this.#keep(texts.map((text, at) => cachedVector(text, made[at] as Float32Array)));
  }

  #take({ one, of, hash }: NamedText, vector: Float32Array): void {
    this[one.in].set(one.id, vector);
    this.#made[one.in].set(one.id, { of, hash });
    if (one.language === null) this.#untold[one.in].add(one.id);
    else this.#untold[one.in].delete(one.id);
  }
}

/** What nobody waits for takes no turns with a message or a layout. */
const breather = (when?: 'idle') =>
  createYielder(() => performance.now(), undefined, undefined, when === 'idle' ? 'background' : undefined);

type VectorTarget = 'table' | 'replies';

/** Only by hashes: the texts of a long conversation take hundreds of megabytes, and are stored. */
interface MadeVector {
  /** Hash of the text of the turn. */
  readonly of: string;
  /** Hash of that text as the embedder received it: its key in the cache. */
  readonly hash: string;
}

/** A text as the embedder receives it, and the hashes of a vector that is made from it. */
interface NamedText extends MadeVector {
  readonly one: VectorRequest;
  readonly text: string;
}

/** A vector as it is cached. */
interface CachedVector extends MadeVector {
  readonly id: NodeId;
  readonly in: VectorTarget;
  readonly vector: Float32Array;
}

const cachedVector = ({ one, of, hash }: NamedText, vector: Float32Array): CachedVector => ({
  id: one.id,
  in: one.in,
  of,
  hash,
  vector,
});

/** Whether a message was put into English for the embedder: then its vector is also cached by what was written. */
const isPutInEnglish = ({ in: where, of, hash }: CachedVector): boolean => where === 'table' && of !== hash;

/**
 * The name under which vectors of messages that were put into English are cached by what was written, which is all that
 * a search knows of them. It is another one than the embedder's, since they are not what it makes of that text as it stands.
 */
const asWritten = (embedder: string): string => `${embedder}, as written`;

/**
 * Returns the cached vectors of messages by the hashes of what was written, whatever the embedder received of it;
 * undefined for a missing one.
 */
export const vectorsAsWritten = async (
  cache: Pick<Storage, 'readVectors'>,
  embedder: Pick<Embedder, 'name' | 'languages'>,
  hashes: readonly string[],
): Promise<(Float32Array | undefined)[]> => {
  const { name } = embedder;
  const put = readsEnglish(embedder) ? await cache.readVectors(asWritten(name), hashes) : [];
  const others = await cache.readVectors(
    name,
    hashes.filter((_, at) => put[at] === undefined),
  );
  let next = 0;
  return hashes.map((_, at) => put[at] ?? others[next++]);
};

const readsEnglish = ({ languages }: Pick<Embedder, 'languages'>): boolean => languages?.includes('en') === true;

/** Whether an embedder knows English but not this language. */
const isForeignTo = (embedder: Pick<Embedder, 'languages'>, spoken: string | null): spoken is string =>
  spoken !== null && readsEnglish(embedder) && embedder.languages?.includes(spoken) === false;

/** Returns texts as an embedder receives them from somebody who speaks a language: see `glossedForEmbedder`. */
export const textsFor = async (
  embedder: Pick<Embedder, 'languages'>,
  texts: readonly string[],
  spoken: string | null,
): Promise<string[]> => {
  if (!isForeignTo(embedder, spoken)) return [...texts];
  const { loadGlossary, glossedForEmbedder: readable } = await import('../text/glossary.ts');
  await loadGlossary(spoken);
  return texts.map((text) => readable(text, spoken));
};

const isMadeOf = (made: MadeVector | undefined, text: string): made is MadeVector => made?.of === contentHash(text);

interface VectorRequest {
  readonly id: NodeId;
  readonly text: string;
  readonly in: VectorTarget;
  /** What the person wrote in then; null if that could not be told, undefined if the embedder reads all languages alike. */
  readonly language: string | null | undefined;
}

/** Nodes between two progress reports. */
const STRIDE = 32;

/** Embeds every node of a forest with an embedder that will be used soon, and caches the vectors of those that are still there. */
export const embedForest = async (
  forest: Forest,
  embedder: Embedder,
  cache: Pick<Storage, 'readVectors' | 'saveVectors'>,
  live: LiveTurns,
  onDone: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const nodes = recordsOf(forest.nodes);
  const vectors = new NodeVectors(embedder, cache, null, live);
  const { languageOfTurns, languageSpoken, latestMessages } = await import('../text/spoken-language.ts');
  const languages = languageOfTurns(forest, languageSpoken(latestMessages(forest)));
  for (let done = 0; done < nodes.length; done += STRIDE) {
    onDone(done, nodes.length);
    const some = nodes.slice(done, done + STRIDE).filter(({ id }) => live.isThere(id));
    await vectors.ensure(some, languages, signal);
    await vectors.ensureReplies(some, languages, signal);
    signal.throwIfAborted();
  }
  onDone(nodes.length, nodes.length);
};

/** Returns the text that represents a turn when it is compared with a message; a message is compared as is. */
export const embeddingText = ({ message }: Pick<Node, 'message'>): string => message;

/** How much of a reply is compared with a message, in UTF-16 units: its beginning says what it answers. */
const START_OF_REPLY = 500;

/** Returns the beginning of a turn's reply; empty if it only quotes and says nothing of its own. */
export const replyStart = (node: Node): string => startOf(replyText(node));

export const startOf = (reply: string): string => beginning(reply, START_OF_REPLY).trim();

/**
 * Returns a short key for a text, for looking up what was computed from it: two 32-bit multiplicative hashes and the
 * length. Not for security. (`crypto.subtle` is missing on pages served without TLS.)
 */
export const contentHash = (text: string): string => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}.${text.length.toString(36)}`;
};
