import type { Forest, Node, NodeId } from '../domain/forest.ts';
import { replyOf } from '../domain/queries.ts';
import { contentHash } from './content-hash.ts';
import { replyText } from './context-text.ts';
import { embeddingText, replyEmbeddingText } from './embedding-text.ts';
import { KeptIndex } from './forest-index.ts';
import type { Embedder, Storage } from './ports.ts';
import { VectorTable } from './vector-table.ts';

/** How many texts go to the embedder at once, so that a long forest does not hold up a message. */
const BATCH = 32;
/** Of how many of the last turns the replies are compared, too: 4 MB of vectors, and a long import waits for no more. */
const REPLIES = 2_000;

type Cache = Pick<Storage, 'readVectors' | 'saveVectors'>;

/** The embeddings of one conversation's nodes and of their replies: from the cache where it has them, else computed and cached. */
export class NodeVectors {
  readonly table: VectorTable;
  readonly index: KeptIndex;
  /** Of the last turns that have a reply of its own words, by node. */
  readonly replies = new Map<NodeId, Float32Array>();
  readonly #embedder: Embedder;
  readonly #cache: Cache;
  /** What each vector was made from. */
  readonly #made = new Map<NodeId, string>();
  readonly #madeOfReplies = new Map<NodeId, string>();

  constructor(embedder: Embedder, cache: Cache) {
    this.#embedder = embedder;
    this.#cache = cache;
    this.table = new VectorTable(embedder.dimensions);
    this.index = new KeptIndex(this.table);
  }

  /**
   * Every node has its vector: a turn's message, which is what is embedded of it, never changes. And the replies
   * that are shown have theirs; of those only the latest are looked at, for the others came before them.
   */
  hasAll(forest: Forest): boolean {
    const { lacking, latest } = this.index.of(forest);
    return !lacking && this.#withNewReply(latest).length === 0;
  }

  /** Makes sure that every given node has its vector, and the last of them those of their replies. Rejects if the embedder fails. */
  async ensure(nodes: readonly Node[], signal?: AbortSignal): Promise<void> {
    const messages = nodes.map((node) => ({ id: node.id, text: textOf(node) }));
    const missing = messages.filter(({ id, text }) => this.#made.get(id) !== text);
    await this.#embed(missing, signal, ({ id, text }, vector) => {
      this.table.set(id, vector);
      this.#made.set(id, text);
    });
    const replies = this.#withNewReply(nodes.slice(-REPLIES));
    for (const { id } of replies) this.replies.delete(id);
    await this.#embed(replies, signal, ({ id, text }, vector) => {
      if (vector.length > 0) this.replies.set(id, vector);
      this.#madeOfReplies.set(id, text);
    });
  }

  /** The empty text stands for a reply that has nothing to compare. */
  #withNewReply(nodes: readonly Node[]): Text[] {
    return nodes
      .map((node) => ({ id: node.id, text: replyEmbeddingText(replyOf(node)) }))
      .filter(({ id, text }) => text !== (this.#madeOfReplies.get(id) ?? ''));
  }

  /** Of the empty text no vector is made. */
  async #embed(
    texts: readonly Text[],
    signal: AbortSignal | undefined,
    take: (text: Text, vector: Float32Array) => void,
  ): Promise<void> {
    for (let from = 0; from < texts.length; from += BATCH) {
      const batch = texts.slice(from, from + BATCH);
      const vectors = await this.#vectorsOf(
        batch.filter(({ text }) => text !== ''),
        signal,
      );
      let next = 0;
      for (const text of batch) take(text, text.text === '' ? NONE : (vectors[next++] as Float32Array));
    }
  }

  async #vectorsOf(batch: readonly Text[], signal?: AbortSignal): Promise<readonly (Float32Array | undefined)[]> {
    if (batch.length === 0) return [];
    const hashes = batch.map(({ text }) => contentHash(text));
    const cached = await this.#cache.readVectors(this.#embedder.name, hashes);
    const absent = batch.flatMap(({ text }, i) => (cached[i] === undefined ? [{ text, i }] : []));
    if (absent.length === 0) return cached;
    const texts = absent.map(({ text }) => text);
    const made = await this.#embedder.embed(texts, signal);
    absent.forEach(({ i }, n) => {
      cached[i] = made[n];
    });
    await this.#cache.saveVectors(
      this.#embedder.name,
      new Map(absent.map(({ i }) => [hashes[i] as string, cached[i] as Float32Array])),
    );
    return cached;
  }
}

const NONE = new Float32Array(0);

interface Text {
  readonly id: NodeId;
  readonly text: string;
}

const textOf = (node: Node): string => embeddingText({ message: node.message, reply: replyText(node) });
