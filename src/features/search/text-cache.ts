import { type Kernel, reportUnexpected } from '../../app/kernel.ts';
import { apply } from '../../domain/apply.ts';
import { emptyForest, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { type ConversationMeta, StorageFailure, type TextsRow } from '../../engine/storage.ts';
import { createYielder, whenIdle } from '../../engine/tasks.ts';
import {
  locationOf,
  parsedTexts,
  partOf,
  SearchPart,
  searchableText,
  searchableTexts,
  type TextLocation,
  type Texts,
  textOfTurns,
} from './searchable-texts.ts';

/** Version of the text format. Texts stored in another version are rebuilt. */
const FORMAT = 1;
/** Maximum UTF-16 units of texts kept in memory; the rest is read with every search. */
const MOST_KEPT = 40_000_000;
/** Entries read at a time. */
const PORTION = 500;
/** Number of conversations whose first part is read at a time, and of parts of one conversation. */
const AHEAD = 64;
const PARTS_AHEAD = 8;

interface CachedTexts {
  /** Changes when the conversation changes. */
  readonly stamp: string;
  readonly parts: readonly SearchPart[];
  readonly length: number;
}

/** First parts that were read, which may include conversations besides those requested. */
type FirstParts = Map<string, TextsRow | undefined>;

const stampOf = ({ updatedAt, turns, title }: ConversationMeta): string => `${updatedAt} ${turns} ${title}`;

/**
 * The searchable texts of all conversations. For the open one they are built from the forest, and only changed parts are
 * rebuilt; for the others they are stored beside the logs and built while the page is idle.
 */
export class TextCache {
  readonly #kernel: Kernel;
  readonly #open = new OpenTexts();
  readonly #kept = new Map<string, CachedTexts>();
  /** The conversations that are being read and have not changed meanwhile. */
  readonly #reading = new Set<string>();
  /** Logs that are being read for the excerpts of several parts. */
  readonly #logs = new Map<string, Promise<Forest>>();
  /** Conversations whose stored texts are of no use: of another version of the format, or damaged. */
  readonly #unusable = new Set<string>();
  #length = 0;
  /** Has what is not stored be stored, once `storeBehind` has begun. */
  #storeMore = (): void => undefined;
  /** The conversation whose texts are being made to be stored, as long as it has not changed meanwhile. */
  #storing: string | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    kernel.ports.watchLog((id) => this.#followChange(id));
    // Not all that is written to the open one changes its stamp: summaries do not.
    kernel.store.subscribe((now, before) => {
      if (now.entries !== before.entries) this.#followChange(now.conversationId);
    });
  }

  isOpen({ id }: ConversationMeta): boolean {
    return this.#kernel.store.getState().conversationId === id;
  }

  /** Drops conversations that no longer exist: deleted ones are not found, and their words are not kept. */
  keepOnly(conversations: readonly ConversationMeta[]): void {
    const ids = new Set(conversations.map(({ id }) => id));
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#drop(id);
  }

  /**
   * Yields the parts of one conversation after the other, newest first; null for a conversation that cannot be read. If
   * memory is short, a part is released when the next one is requested.
   */
  async *partsOf(
    conversations: readonly ConversationMeta[],
    breathe: () => Promise<void>,
  ): AsyncGenerator<{ meta: ConversationMeta; part: SearchPart | null }> {
    const first: FirstParts = new Map();
    for (const [at, meta] of conversations.entries()) {
      const { conversationId, forest } = this.#kernel.store.getState();
      if (meta.id === conversationId) {
        this.#drop(meta.id);
        for (const part of this.#open.partsOf(meta.id, forest)) yield { meta, part };
        continue;
      }
      const kept = this.#kept.get(meta.id);
      if (kept?.stamp === stampOf(meta)) {
        for (const part of kept.parts) yield { meta, part };
        continue;
      }
      this.#drop(meta.id);
      try {
        if (!first.has(meta.id)) await this.#readFirst(conversations.slice(at), first);
        yield* this.#stored(meta, first.get(meta.id), breathe);
      } catch (error) {
        if (!(error instanceof StorageFailure)) throw error;
        yield { meta, part: null };
      }
      first.delete(meta.id);
    }
  }

  async *#stored(
    meta: ConversationMeta,
    first: TextsRow | undefined,
    breathe: () => Promise<void>,
  ): AsyncGenerator<{ meta: ConversationMeta; part: SearchPart }> {
    const parts: SearchPart[] = [];
    this.#reading.add(meta.id);
    // They were cleared, or the log has changed.
    if (first === undefined) this.#storeMore();
    let room = MOST_KEPT - this.#length;
    for await (const part of first === undefined ? this.#made(meta.id, breathe) : this.#read(meta.id, first)) {
      room -= part.length;
      if (room >= 0) parts.push(part);
      yield { meta, part };
      if (room < 0) part.release();
    }
    if (room < 0 || !this.#reading.has(meta.id)) return;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    this.#drop(meta.id);
    this.#kept.set(meta.id, { stamp: stampOf(meta), parts, length });
    this.#length += length;
  }

  #followChange(id: string): void {
    this.#drop(id);
    if (this.#storing === id) this.#storing = null;
  }

  #drop(id: string): void {
    this.#reading.delete(id);
    this.#length -= this.#kept.get(id)?.length ?? 0;
    this.#kept.delete(id);
  }

  /** Reads the first parts of the next conversations that are not in memory. */
  async #readFirst(conversations: readonly ConversationMeta[], first: FirstParts): Promise<void> {
    const ids: string[] = [];
    for (const meta of conversations) {
      if (ids.length === AHEAD) break;
      if (!this.isOpen(meta) && this.#kept.get(meta.id)?.stamp !== stampOf(meta)) ids.push(meta.id);
    }
    const rows = await this.#kernel.storage.readTexts(ids.map((id) => [id, 0]));
    for (const [at, id] of ids.entries()) {
      const part = sound(rows[at]);
      if (part === undefined && rows[at] !== undefined) this.#unusable.add(id);
      first.set(id, part);
    }
  }

  /** The stored parts of a conversation. */
  async *#read(id: string, first: TextsRow): AsyncGenerator<SearchPart> {
    const written =
      (part: number, { turns }: Texts) =>
      async (): Promise<string | null> => {
        const [row] = await this.#kernel.storage.readTexts([[id, part]]);
        const texts = row?.seq === first.seq ? parsedTexts(row) : null;
        if (texts !== null) return texts.text;
        // They went with a change to the log, or were cleared.
        this.#drop(id);
        return this.#writtenNow(id, turns.ids);
      };
    for (let end = Number(first.of); end > 1; end -= PARTS_AHEAD) {
      const numbers = Array.from({ length: Math.min(PARTS_AHEAD, end - 1) }, (_, i) => end - 1 - i);
      const rows = await this.#kernel.storage.readTexts(numbers.map((part) => [id, part]));
      for (const [at, row] of rows.entries()) {
        const texts = row?.seq === first.seq ? parsedTexts(row) : null;
        if (texts === null) {
          this.#unusable.add(id);
          this.#storeMore();
          throw new StorageFailure('damaged', `The searchable text of ${id} changed while it was being read`);
        }
        yield new SearchPart(texts, written(numbers[at] as number, texts));
      }
    }
    const texts = parsedTexts(first);
    if (texts !== null) yield new SearchPart(texts, written(0, texts));
  }

  /** The parts of a conversation that has none stored yet. */
  async *#made(id: string, breathe: () => Promise<void>): AsyncGenerator<SearchPart> {
    const { texts } = await this.#fromLog(id, breathe);
    for (const one of texts) yield new SearchPart(one, async () => one.text);
  }

  /** The texts of turns as the log has them now; null if it cannot be read. */
  async #writtenNow(id: string, turns: readonly NodeId[]): Promise<string | null> {
    const { conversationId, forest } = this.#kernel.store.getState();
    if (id === conversationId) return textOfTurns(turns, forest);
    const pause = createYielder(this.#kernel.ports.elapsed);
    const reading = this.#logs.get(id) ?? this.#readLog(id, pause).then((read) => read.forest);
    this.#logs.set(id, reading);
    try {
      return textOfTurns(turns, await reading);
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      return null;
    } finally {
      this.#logs.delete(id);
    }
  }

  async #readLog(id: string, pause: () => Promise<unknown>): Promise<{ seq: number; forest: Forest }> {
    const forest = emptyForest();
    let seq = 0;
    for (;;) {
      const portion = await this.#kernel.storage.read(id, seq, PORTION);
      for (const entry of portion) apply(forest, entry);
      seq = portion.at(-1)?.seq ?? seq;
      if (portion.length < PORTION) break;
      await pause();
    }
    return { seq, forest };
  }

  async #fromLog(id: string, pause: () => Promise<unknown>): Promise<{ seq: number; texts: Texts[] }> {
    const { seq, forest } = await this.#readLog(id, pause);
    const texts: Texts[] = [];
    for (const nodes of inParts(forest)) {
      texts.push(searchableTexts(nodes, forest));
      await pause();
    }
    return { seq, texts };
  }

  /** Stores the texts of conversations that are not open, while the page is idle; runs again whenever another one is opened or added, or a search found none. */
  async storeBehind(): Promise<void> {
    const { store, ports } = this.#kernel;
    const unreadable = new Set<string>();
    let wanted = true;
    let running = false;
    const run = async () => {
      if (running) return;
      running = true;
      try {
        while (wanted) {
          wanted = false;
          await ports.exclusive('coppice-texts', 0, () => this.#storeAll(unreadable));
        }
      } finally {
        running = false;
      }
    };
    const more = () => {
      wanted = true;
      run().catch((error) => reportUnexpected(this.#kernel, 'Preparing the search', error));
    };
    this.#storeMore = more;
    store.subscribe((now, before) => {
      const same = now.conversationId === before.conversationId;
      if (!same || now.conversations.length !== before.conversations.length) more();
    });
    await run();
  }

  async #storeAll(unreadable: Set<string>): Promise<void> {
    const { store, storage } = this.#kernel;
    const idle = () => new Promise<void>((resolve) => whenIdle(resolve));
    const there = new Set(await storage.textsKept());
    for (const meta of store.getState().conversations) {
      if ((there.has(meta.id) && !this.#unusable.has(meta.id)) || unreadable.has(meta.id)) continue;
      await idle();
      if (this.isOpen(meta)) continue;
      if (store.getState().storage.kind !== 'indexeddb') return;
      try {
        if (await this.#store(meta.id, idle)) this.#unusable.delete(meta.id);
      } catch (error) {
        // This is only a copy: without it, the conversation is read from its log.
        if (!(error instanceof StorageFailure)) throw error;
        unreadable.add(meta.id);
      }
    }
  }

  /** Resolves to false if the log has changed meanwhile. */
  async #store(id: string, idle: () => Promise<void>): Promise<boolean> {
    this.#storing = id;
    const { seq, texts } = await this.#fromLog(id, idle);
    // Built and stored newest first; part 0, stored last, vouches for all of them.
    const parts = texts.length === 0 ? [searchableTexts([], emptyForest())] : texts.toReversed();
    for (let part = parts.length - 1; part >= 0; part--) {
      const row = { conversationId: id, part, seq, of: parts.length, format: FORMAT, ...(parts[part] as Texts) };
      // Of a log that is read in portions, some may be from before a purge, and others have its newest entry.
      if (this.#storing !== id || !(await this.#kernel.storage.saveTexts(row))) return false;
      if (part > 0) await idle();
    }
    return true;
  }
}

/** The row if it is a valid first part of this version. */
const sound = (row: TextsRow | undefined): TextsRow | undefined =>
  row?.format === FORMAT && parsedTexts(row) !== null ? row : undefined;

/** Splits the turns of a forest into parts, newest first. */
const inParts = (forest: Forest): Node[][] => {
  const parts: Node[][] = [];
  for (const node of recordsOf(forest.nodes)) {
    const at = partOf(node);
    parts[at] ??= [];
    parts[at].push(node);
  }
  return parts.filter((nodes) => nodes !== undefined).reverse();
};

/** The parts of the open conversation. Nodes are replaced when they change, so a part is valid as long as its nodes are the same. */
class OpenTexts {
  #id = '';
  #forest: Forest | null = null;
  #nodes: readonly Node[][] = [];
  #made = new Map<number, { readonly nodes: readonly Node[]; readonly part: SearchPart }>();

  *partsOf(id: string, forest: Forest): Generator<SearchPart> {
    if (this.#id !== id) this.#made = new Map();
    this.#id = id;
    if (this.#forest !== forest) this.#nodes = inParts(forest);
    this.#forest = forest;
    for (const nodes of this.#nodes) yield this.#partOf(nodes, forest);
  }

  #partOf(nodes: readonly Node[], forest: Forest): SearchPart {
    const at = partOf(nodes[0] as Node);
    const made = this.#made.get(at);
    if (made?.nodes.length === nodes.length && isSame(made.nodes, nodes, made.part, forest)) return made.part;
    const part = new SearchPart(searchableTexts(nodes, forest), async () => searchableText(nodes));
    this.#made.set(at, { nodes, part });
    return part;
  }
}

const isSame = (before: readonly Node[], now: readonly Node[], { turns }: SearchPart, forest: Forest): boolean => {
  let places = 0;
  return now.every((node, at) => {
    if (node !== before[at]) return false;
    // Places are numbered in order of appearance.
    if (turns.placed[at] !== places) return true;
    const place = turns.places[places] as TextLocation;
    const { topic, topicOrder, branch } = locationOf(forest, node);
    places += 1;
    return place.topic === topic && place.topicOrder === topicOrder && place.branch === branch;
  });
};
