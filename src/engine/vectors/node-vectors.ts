import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { replyText } from '../context/context-text.ts';
import { KeptIndex } from '../place/forest-index.ts';
import type { Embedder } from '../ports.ts';
import type { Storage } from '../storage.ts';
import { VectorTable } from './vector-table.ts';

/** How many texts go to the embedder at once, so that a long forest does not hold up a message. */
const BATCH = 32;

type Cache = Pick<Storage, 'readVectors' | 'saveVectors'>;

/** The embeddings of one conversation's nodes: from the cache where it has them, else computed and cached. */
export class NodeVectors {
  /** By node: its message. */
  readonly table: VectorTable;
  /** By node: how its reply begins; none where it says nothing of its own. */
  readonly replies: VectorTable;
  readonly index: KeptIndex;
  readonly #embedder: Embedder;
  readonly #cache: Cache;
  /** What each vector was made from. A changed reply makes another text, and so another vector. */
  readonly #made = { table: new Map<string, string>(), replies: new Map<string, string>() };

  constructor(embedder: Embedder, cache: Cache) {
    this.#embedder = embedder;
    this.#cache = cache;
    this.table = new VectorTable(embedder.dimensions);
    this.replies = new VectorTable(embedder.dimensions);
    this.index = new KeptIndex(this.table);
  }

  /** Every node has its vector: a turn's message, which is what is embedded of it, never changes. */
  hasAll(forest: Forest): boolean {
    return !this.index.of(forest).lacking;
  }

  /**
   * Makes sure that every given node has its vector. `spoken`: the language that the person writes in. Rejects if the embedder
   * fails.
   */
  async ensure(nodes: readonly Node[], spoken: string | null, signal?: AbortSignal): Promise<void> {
    await this.#make(
      nodes.map((node) => ({ id: node.id, text: textOf(node), in: 'table' })),
      spoken,
      signal,
    );
  }

  /** The same for their replies, where they say something of their own. */
  async ensureReplies(nodes: readonly Node[], spoken: string | null, signal?: AbortSignal): Promise<void> {
    const wanted = nodes.map((node): VectorRequest => ({ id: node.id, text: replyStart(node), in: 'replies' }));
    await this.#make(
      wanted.filter(({ text }) => text !== ''),
      spoken,
      signal,
    );
  }

  async #make(wanted: readonly VectorRequest[], spoken: string | null, signal?: AbortSignal): Promise<void> {
    const missing = wanted.filter((one) => this.#made[one.in].get(one.id) !== one.text);
    for (let i = 0; i < missing.length; i += BATCH) await this.#fill(missing.slice(i, i + BATCH), spoken, signal);
  }

  /** Texts as the embedder is given them: see `readable`. */
  async read(texts: readonly string[], spoken: string | null): Promise<string[]> {
    const { languages } = this.#embedder;
    if (!languages?.includes('en') || spoken === null || languages.includes(spoken)) return [...texts];
    const [{ loadGlossary }, { readable }] = await Promise.all([
      import('../text/glossary.ts'),
      import('../text/glossary.ts'),
    ]);
    await loadGlossary(spoken);
    return texts.map((text) => readable(text, spoken));
  }

  async #fill(batch: readonly VectorRequest[], spoken: string | null, signal?: AbortSignal): Promise<void> {
    const read = await this.read(
      batch.map(({ text }) => text),
      spoken,
    );
    const hashes = read.map(contentHash);
    const cached = await this.#cache.readVectors(this.#embedder.name, hashes);
    const absent = read.flatMap((text, i) => (cached[i] === undefined ? [{ text, i }] : []));
    if (absent.length > 0) {
      const texts = absent.map(({ text }) => text);
      const made = await this.#embedder.embed(texts, signal);
      absent.forEach(({ i }, n) => {
        cached[i] = made[n];
      });
      await this.#cache.saveVectors(
        this.#embedder.name,
        new Map(absent.map(({ i }) => [hashes[i] as string, cached[i] as Float32Array])),
      );
    }
    batch.forEach((one, i) => {
      this[one.in].set(one.id, cached[i] as Float32Array);
      this.#made[one.in].set(one.id, one.text);
    });
  }
}

interface VectorRequest {
  readonly id: NodeId;
  readonly text: string;
  readonly in: 'table' | 'replies';
}

const textOf = (node: Node): string => embeddingText({ message: node.message, reply: replyText(node) });

/** Nodes between two words on how far it has come. */
const STRIDE = 32;

/** Embeds every node of a forest by an embedder that is to answer soon, and caches the vectors. */
export const embedForest = async (
  forest: Forest,
  embedder: Embedder,
  cache: Pick<Storage, 'readVectors' | 'saveVectors'>,
  onDone: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const nodes = recordsOf(forest.nodes);
  const vectors = new NodeVectors(embedder, cache);
  const { languageSpoken, latestMessages } = await import('../text/spoken-language.ts');
  const spoken = languageSpoken(latestMessages(forest));
  for (let done = 0; done < nodes.length; done += STRIDE) {
    onDone(done, nodes.length);
    const some = nodes.slice(done, done + STRIDE);
    await vectors.ensure(some, spoken, signal);
    await vectors.ensureReplies(some, spoken, signal);
    signal.throwIfAborted();
  }
  onDone(nodes.length, nodes.length);
};

/** What of a turn is embedded. */
interface EmbeddableTurn {
  readonly message: string;
  readonly reply: string;
}

/** The text that stands for a turn when it is compared with a message; a message is compared as it is. */
export const embeddingText = ({ message }: EmbeddableTurn): string => message;

/** How much of a reply is compared with a message, in UTF-16 units: what it answers stands at its beginning. */
const START_OF_REPLY = 500;

/** How a turn's reply begins, where it says something of its own and does not only quote; else empty. */
export const replyStart = (node: Node): string => startOf(replyText(node));

export const startOf = (reply: string): string => reply.slice(0, START_OF_REPLY).trim();

/**
 * A short name for a text, for looking up what was computed from it: two 32-bit multiplicative hashes and
 * the length. Not for security. (`crypto.subtle` is missing where a page is served without TLS.)
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
