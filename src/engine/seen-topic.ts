import type { Forest, Node, TreeId } from '../domain/forest.ts';
import type { ForestIndex, IndexedTopic } from './forest-index.ts';
import { summaryText } from './overview.ts';
import type { TopicView } from './ports.ts';
import type { Nearness } from './views.ts';

/** How many of a topic's last turns are looked at for a reply that is near to the message. */
const REPLIES = 8;

/** What every view of a question is made from. */
export interface Asked {
  readonly index: ForestIndex;
  readonly near: Nearness;
  readonly forest: Forest;
}

/** A topic, seen from a message. There may be thousands: what few of them are asked for is computed then. */
export class SeenTopic implements TopicView {
  readonly treeId: TreeId;
  readonly title: string;
  readonly active: boolean;
  readonly similarity: number;
  readonly size: number;
  readonly age: number;
  readonly #asked: Asked;
  readonly #topic: IndexedTopic;
  /** Asked for again and again, once for every topic beside it. */
  #turns: readonly Node[] | undefined;
  #replySimilarity: { readonly of: number | null } | undefined;

  constructor(asked: Asked, topic: IndexedTopic, similarity: number) {
    const { tree, start, end } = topic;
    const { forest, index } = asked;
    this.treeId = tree.id;
    this.title = tree.title;
    this.active = forest.active?.treeId === tree.id;
    this.similarity = similarity;
    this.size = end - start;
    this.age = forest.turnCount - 1 - (index.nodes[end - 1]?.number ?? 0);
    this.#asked = asked;
    this.#topic = topic;
  }

  get meanSimilarity(): number {
    const { near, index } = this.#asked;
    return near.toMean(this.treeId, rowsOf(index, this.#topic));
  }

  get activeSimilarity(): number {
    return this.#asked.near.to(this.#topic.tree.activeId) ?? 0;
  }

  get activeReplySimilarity(): number | null {
    return this.#asked.near.toReply(this.#topic.tree.activeId);
  }

  get replySimilarity(): number | null {
    this.#replySimilarity ??= { of: this.#nearestReply() };
    return this.#replySimilarity.of;
  }

  #nearestReply(): number | null {
    const { start, end } = this.#topic;
    const { near, index } = this.#asked;
    let nearest: number | null = null;
    for (let at = Math.max(start, end - REPLIES); at < end; at++) {
      const similarity = near.toReply((index.nodes[at] as Node).id);
      if (similarity !== null && (nearest === null || similarity > nearest)) nearest = similarity;
    }
    return nearest;
  }

  get summary(): string {
    return this.turns.map(summaryText).join(' ');
  }

  get turns(): readonly Node[] {
    const { start, end } = this.#topic;
    this.#turns ??= this.#asked.index.nodes.slice(start, end);
    return this.#turns;
  }
}

export const rowsOf = ({ rows }: ForestIndex, { start, end }: IndexedTopic): Int32Array => rows.subarray(start, end);
