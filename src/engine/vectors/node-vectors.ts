import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { contentHash } from '../content-hash.ts';
import { replyText } from '../context/context-text.ts';
import { KeptIndex } from '../place/forest-index.ts';
import type { Embedder, Storage } from '../ports.ts';
import { embeddingText, replyStart } from './embedding-text.ts';
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
    const wanted = nodes.map((node): Wanted => ({ id: node.id, text: replyStart(node), in: 'replies' }));
    await this.#make(
      wanted.filter(({ text }) => text !== ''),
      spoken,
      signal,
    );
  }

  async #make(wanted: readonly Wanted[], spoken: string | null, signal?: AbortSignal): Promise<void> {
    const missing = wanted.filter((one) => this.#made[one.in].get(one.id) !== one.text);
    for (let i = 0; i < missing.length; i += BATCH) await this.#fill(missing.slice(i, i + BATCH), spoken, signal);
  }

  /** Texts as the embedder is given them: see `readable`. */
  async read(texts: readonly string[], spoken: string | null): Promise<string[]> {
    const { languages } = this.#embedder;
    if (!languages?.includes('en') || spoken === null || languages.includes(spoken)) return [...texts];
    const [{ loadGlossary }, { readable }] = await Promise.all([
      import('../text/glossary.ts'),
      import('../text/readable.ts'),
    ]);
    await loadGlossary(spoken);
    return texts.map((text) => readable(text, spoken));
  }

  async #fill(batch: readonly Wanted[], spoken: string | null, signal?: AbortSignal): Promise<void> {
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

interface Wanted {
  readonly id: NodeId;
  readonly text: string;
  readonly in: 'table' | 'replies';
}

const textOf = (node: Node): string => embeddingText({ message: node.message, reply: replyText(node) });
