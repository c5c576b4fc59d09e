import type { Forest, Node } from '../domain/forest.ts';
import { contentHash } from './content-hash.ts';
import { replyText } from './context-text.ts';
import { embeddingText } from './embedding-text.ts';
import { KeptIndex } from './forest-index.ts';
import type { Embedder, Storage } from './ports.ts';
import { VectorTable } from './vector-table.ts';

/** How many texts go to the embedder at once, so that a long forest does not hold up a message. */
const BATCH = 32;

type Cache = Pick<Storage, 'readVectors' | 'saveVectors'>;

/** The embeddings of one conversation's nodes: from the cache where it has them, else computed and cached. */
export class NodeVectors {
  readonly table: VectorTable;
  readonly index: KeptIndex;
  readonly #embedder: Embedder;
  readonly #cache: Cache;
  /** What each node's vector was made from. A changed reply makes another text, and so another vector. */
  readonly #made = new Map<string, string>();

  constructor(embedder: Embedder, cache: Cache) {
    this.#embedder = embedder;
    this.#cache = cache;
    this.table = new VectorTable(embedder.dimensions);
    this.index = new KeptIndex(this.table);
  }

  /** Every node has its vector: a turn's message, which is what is embedded of it, never changes. */
  hasAll(forest: Forest): boolean {
    return !this.index.of(forest).lacking;
  }

  /** Makes sure that every given node has its vector. Rejects if the embedder fails. */
  async ensure(nodes: readonly Node[], signal?: AbortSignal): Promise<void> {
    const texts = nodes.map((node) => ({ id: node.id, text: textOf(node) }));
    const missing = texts.filter(({ id, text }) => this.#made.get(id) !== text);
    for (let i = 0; i < missing.length; i += BATCH) await this.#fill(missing.slice(i, i + BATCH), signal);
  }

  async #fill(batch: readonly { id: string; text: string }[], signal?: AbortSignal): Promise<void> {
    const hashes = batch.map(({ text }) => contentHash(text));
    const cached = await this.#cache.readVectors(this.#embedder.name, hashes);
    const absent = batch.flatMap(({ text }, i) => (cached[i] === undefined ? [{ text, i }] : []));
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
    batch.forEach(({ id, text }, i) => {
      this.table.set(id, cached[i] as Float32Array);
      this.#made.set(id, text);
    });
  }
}

const textOf = (node: Node): string => embeddingText({ message: node.message, reply: replyText(node) });
