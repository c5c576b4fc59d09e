import type { Kernel } from '../../app/kernel.ts';
import { folded } from '../../app/search-words.ts';
import { apply } from '../../domain/apply.ts';
import { emptyForest, type Forest, type Node, type NodeId } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { answerOf } from '../../domain/reasoning.ts';
import { contentHash } from '../../engine/content-hash.ts';
import type { ConversationMeta } from '../../engine/ports.ts';
import { embeddingText } from '../../engine/vectors/embedding-text.ts';
import type { Breath } from './breath.ts';

export type Where = 'message' | 'note' | 'summary' | 'reply';

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
    for (const node of Object.values(forest.nodes)) {
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
    ];
    const fields = written.flatMap(([where, text]) => (text === '' ? [] : [{ where, text, folded: folded(text) }]));
    const made = { fields, hash: contentHash(embeddingText({ message: node.message, reply })) };
    this.#fields.set(node, made);
    return made;
  }
}
