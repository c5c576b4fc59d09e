import type { Forest, Node, TreeId } from '../domain/forest.ts';
import { type ForestIndex, type IndexedTopic, rowsOf } from './forest-index.ts';
import { summaryText } from './overview.ts';
import type { TopicView } from './ports.ts';
import type { Nearness } from './views.ts';

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
  #turns: readonly Node[] | undefined;

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

  get summary(): string {
    return this.turns.map(summaryText).join(' ');
  }

  get turns(): readonly Node[] {
    const { start, end } = this.#topic;
    this.#turns ??= this.#asked.index.nodes.slice(start, end);
    return this.#turns;
  }
}
