import type { Forest, Node, TreeId } from '../../domain/forest.ts';
import { summaryText } from '../context/overview.ts';
import type { TopicVectors, TopicView } from '../ports.ts';
import { type ForestIndex, type IndexedTopic, rowsOf } from './forest-index.ts';
import type { Nearness } from './views.ts';

/** What every view of a question is made from. */
export interface Asked {
  readonly index: ForestIndex;
  readonly near: Nearness;
  readonly forest: Forest;
}

/** Of a topic, so many of the last replies are compared with a message. */
const REPLIES = 32;
/** The same of those whose vectors are averaged. */
const AVERAGED = 8;

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
  #replySimilarity: number | undefined;
  #vectors: TopicVectors | undefined;
  #meanSimilarity: number | undefined;

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
    this.#meanSimilarity ??= near.toMean(this.treeId, rowsOf(index, this.#topic));
    return this.#meanSimilarity;
  }

  get activeSimilarity(): number {
    return this.#asked.near.to(this.#topic.tree.activeId) ?? 0;
  }

  get replySimilarity(): number {
    this.#replySimilarity ??= this.#highestReply();
    return this.#replySimilarity;
  }

  #highestReply(): number {
    const { near, index } = this.#asked;
    const { start, end } = this.#topic;
    let highest = 0;
    for (let at = Math.max(start, end - REPLIES); at < end; at++) {
      highest = Math.max(highest, near.toReply((index.nodes[at] as Node).id) ?? 0);
    }
    return highest;
  }

  get activeReplySimilarity(): number {
    return this.#asked.near.toReply(this.#topic.tree.activeId) ?? 0;
  }

  get vectors(): TopicVectors {
    this.#vectors ??= this.#readVectors();
    return this.#vectors;
  }

  #readVectors(): TopicVectors {
    const { near, index } = this.#asked;
    const { tree, start, end } = this.#topic;
    const last = index.nodes.slice(Math.max(start, end - AVERAGED), end).map(({ id }) => id);
    return {
      tipMessage: near.meanOf([tree.activeId], 'messages'),
      tipReply: near.meanOf([tree.activeId], 'replies'),
      messages: near.meanOf(last, 'messages'),
      replies: near.meanOf(last, 'replies'),
    };
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
