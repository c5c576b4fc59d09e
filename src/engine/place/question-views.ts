import type { Forest, Node, NodeId, TreeId } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import { placeOf } from '../../domain/turns-in-order.ts';
import { summaryText } from '../context/overview.ts';
import type { NodeView, TopicQuestion, TopicVectors, TopicView } from '../ports.ts';
import { type ForestIndex, type IndexedTopic, RECENT, topicOf } from '../vectors/forest-index.ts';
import { type Estimates, worthComparing, worthComparingOfAll } from '../vectors/sketches.ts';
import { firstSorted, highestOf } from '../vectors/vector-math.ts';
import { EXACT_UP_TO } from '../vectors/vector-table.ts';
import type { ComparedMessage } from './compared-message.ts';

/** Builds the topic question about a message; `also` is a topic that is listed in any case. */
export const topicQuestion = (forest: Forest, near: ComparedMessage, also: TreeId | null = null): TopicQuestion => {
  const index = near.indexOf(forest);
  const named = [forest.active?.treeId, also];
  const similarities = topicSimilarities(index, near, named);
  const asked = { near, forest };
  const listed = listedTopics(index, similarities, named);
  return {
    message: near.message,
    embedding: near.embedding,
    spoken: near.spoken,
    topics: listed.map((at) => new SeenTopic(asked, index.topics[at] as IndexedTopic, similarities[at] as number)),
    path: shownPath(forest, forest.active?.nodeId ?? null, near),
    recent: viewsOf(
      near,
      index.latest.filter(({ number }) => number > forest.turnCount - 1 - RECENT),
    ),
  };
};

/** How many nodes are retrieved from a topic too large to sort. */
const RETRIEVED = 256;

/**
 * Returns the nodes of a topic that have a vector, most similar first (Context-Agent §3.3, step 2); only the top ones
 * of a very large topic. The forest must be the one the topic question was about, unchanged.
 */
export const retrieve = (forest: Forest, treeId: TreeId, near: ComparedMessage): NodeView[] => {
  const index = near.indexOf(forest, true);
  const topic = topicOf(index, treeId);
  if (topic === undefined || near.embedding === null) return [];
  const { nodes, rows } = topic;
  const estimates = nodes.length > EXACT_UP_TO ? near.estimates() : null;
  const places =
    estimates === null ? placesFrom(rows) : placesFrom(rows, estimates.all, worthComparing(rows, estimates.all));
  const wanted = new Int32Array(places.length);
  for (let i = 0; i < places.length; i++) wanted[i] = rows[places[i] as number] as number;
  const similarities = near.toRows(wanted);
  const views = places.map((place, i): NodeView => {
    const node = nodes[place] as Node;
    return { node, nodeId: node.id, similarity: similarities[i] as number };
  });
  return estimates === null ? views.sort(bySimilarity) : firstSorted(views, RETRIEVED, bySimilarity);
};

/** Returns the positions whose node has a vector and, if estimates are given, an estimate of at least `least`. */
const placesFrom = (rows: Int32Array, estimates: Float32Array | null = null, least = 0): number[] => {
  const places: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row >= 0 && (estimates === null || (estimates[row] as number) >= least)) places.push(i);
  }
  return places;
};

/** Returns the nodes that have a vector, most similar first; ties go to the newer one. */
export const nearestFirst = (nodes: readonly Node[], near: ComparedMessage): NodeView[] =>
  nodes
    .flatMap((node) => {
      const similarity = near.to(node.id);
      return similarity === null ? [] : [{ node, nodeId: node.id, similarity }];
    })
    .sort(bySimilarity);

/** Returns the `count` turns before a turn most similar to its message; in a very large forest, the candidates are selected by estimate. */
export const nearestTurns = (forest: Forest, near: ComparedMessage, count: number, turn: Node): NodeView[] => {
  const estimates = near.estimates();
  const { topics, topicOfRow, placeOfRow, size } = near.indexOf(forest);
  const likely =
    estimates === null
      ? Int32Array.from(topicOfRow, (_, row) => row)
      : estimates.from(worthComparingOfAll(size, estimates.all));
  const similarities = near.toRows(likely);
  // A turn that is replied to again may be followed by others.
  const placesBefore = topics.map(({ nodes }) => placeOf(nodes, turn.number + 1));
  for (let i = 0; i < likely.length; i++) {
    const row = likely[i] as number;
    const topic = topicOfRow[row] ?? -1;
    const isBefore = topic >= 0 && (placeOfRow[row] as number) < (placesBefore[topic] as number);
    if (!isBefore) similarities[i] = Number.NEGATIVE_INFINITY;
  }
  const views = highestOf(similarities, count + 1).flatMap((i): NodeView[] => {
    const row = likely[i] as number;
    const node = topics[topicOfRow[row] ?? -1]?.nodes[placeOfRow[row] as number];
    return node === undefined || node.number >= turn.number
      ? []
      : [{ node, nodeId: node.id, similarity: similarities[i] as number }];
  });
  return views.sort(bySimilarity).slice(0, count);
};

/** Six standard errors of an estimate: no cosine is that much higher than estimated. */
const FARTHEST_OFF = 0.2;

/**
 * Returns the `count` turns most similar to the message among those whose cosine is at least `least`; ties go to the
 * newer one. In a very large forest, only those whose estimate allows for it are compared.
 */
export const nearestFrom = (forest: Forest, near: ComparedMessage, least: number, count: number): NodeView[] => {
  const { topics, topicOfRow, placeOfRow, size } = near.indexOf(forest, true);
  const nearestOf = (rows: Int32Array, from: number): NodeView[] => {
    const similarities = near.toRows(rows);
    const views: NodeView[] = [];
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const similarity = similarities[i] as number;
      const node = similarity < from ? undefined : topics[topicOfRow[row] ?? -1]?.nodes[placeOfRow[row] as number];
      if (node !== undefined) views.push({ node, nodeId: node.id, similarity });
    }
    return views.sort(bySimilarity).slice(0, count);
  };
  const estimates = near.estimates();
  if (estimates === null)
    return nearestOf(
      Int32Array.from(topicOfRow, (_, row) => row),
      least,
    );
  const likely = nearestOf(estimates.from(worthComparingOfAll(size, estimates.all)), least);
  const from = likely[count - 1]?.similarity ?? least;
  return nearestOf(estimates.from(from - FARTHEST_OFF), from);
};

const bySimilarity = (a: NodeView, b: NodeView): number => b.similarity - a.similarity || b.node.number - a.node.number;

export const viewOf = (near: ComparedMessage, node: Node): NodeView => ({
  node,
  nodeId: node.id,
  similarity: near.to(node.id) ?? 0,
});

const viewsOf = (near: ComparedMessage, nodes: readonly Node[]): NodeView[] => {
  const similarities = near.toNodes(nodes);
  return nodes.map((node, i) => ({ node, nodeId: node.id, similarity: similarities[i] as number }));
};

/** Most turns of a path that a question shows: the root and the last ones. More than any decider reads. */
const PATH_SHOWN = 64;

/** Returns the path as a question shows it. */
export const shownPath = (forest: Forest, nodeId: NodeId | null, near: ComparedMessage): NodeView[] => {
  const path = near.pathTo(forest, nodeId);
  return viewsOf(near, path.length <= PATH_SHOWN ? path : [path[0] as Node, ...path.slice(1 - PATH_SHOWN)]);
};

export const pathViews = (forest: Forest, nodeId: string, near: ComparedMessage): NodeView[] =>
  viewsOf(near, pathTo(forest, nodeId));

/** The source of every view in a question. */
interface ViewSource {
  readonly near: ComparedMessage;
  readonly forest: Forest;
}

/** How many of a topic's last replies are compared with a message. */
const REPLIES = 32;
/** How many of a topic's last turns have their vectors averaged. */
const AVERAGED = 8;

/** A topic as seen from a message. There may be thousands, so rarely needed properties are computed on demand. */
class SeenTopic implements TopicView {
  readonly treeId: TreeId;
  readonly title: string;
  readonly active: boolean;
  readonly similarity: number;
  readonly size: number;
  readonly age: number;
  readonly #asked: ViewSource;
  readonly #topic: IndexedTopic;
  #replySimilarity: number | undefined;
  #vectors: TopicVectors | undefined;
  #meanSimilarity: number | undefined;

  constructor(asked: ViewSource, topic: IndexedTopic, similarity: number) {
    const { tree, nodes } = topic;
    const { forest } = asked;
    this.treeId = tree.id;
    this.title = tree.title;
    this.active = forest.active?.treeId === tree.id;
    this.similarity = similarity;
    this.size = nodes.length;
    this.age = forest.turnCount - 1 - (nodes.at(-1)?.number ?? 0);
    this.#asked = asked;
    this.#topic = topic;
  }

  get meanSimilarity(): number {
    this.#meanSimilarity ??= this.#asked.near.toMean(this.treeId, this.#topic.rows);
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
    const last = this.#topic.nodes.slice(-REPLIES);
    return Math.max(0, ...last.map(({ id }) => this.#asked.near.toReply(id) ?? 0));
  }

  get activeReplySimilarity(): number {
    return this.#asked.near.toReply(this.#topic.tree.activeId) ?? 0;
  }

  get vectors(): TopicVectors {
    this.#vectors ??= this.#readVectors();
    return this.#vectors;
  }

  #readVectors(): TopicVectors {
    const { near } = this.#asked;
    const { tree, nodes } = this.#topic;
    const last = nodes.slice(-AVERAGED).map(({ id }) => id);
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
    return this.#topic.nodes;
  }
}

/** Least number of topics to compare, nearest by estimate; more than a trace lists. */
const NEAREST_TOPICS = 128;

/** Similarity of a topic that was not compared. */
const NOT_COMPARED = -1;

/**
 * Returns the cosine of each topic's nearest node to the message. In a large forest only topics that a question may
 * list are compared: those that may be among the nearest, and those listed anyway; the others are `NOT_COMPARED`.
 * Comparing them too would read thousands of vectors across memory only to know exactly how far they are.
 */
const topicSimilarities = (
  index: ForestIndex,
  near: ComparedMessage,
  named: readonly (TreeId | null | undefined)[],
): Float64Array => {
  const estimates = near.estimates();
  return estimates === null ? exactly(index, near) : likely(index, near, estimates, named);
};

const exactly = ({ topics }: ForestIndex, near: ComparedMessage): Float64Array =>
  Float64Array.from(topics, ({ rows }) => highest(near.toRows(rows)));

const highest = (similarities: Float64Array): number => {
  let high = -1;
  for (let i = 0; i < similarities.length; i++) {
    const similarity = similarities[i] as number;
    if (similarity > high) high = similarity;
  }
  return high;
};

const likely = (
  index: ForestIndex,
  near: ComparedMessage,
  estimates: Estimates,
  named: readonly (TreeId | null | undefined)[],
): Float64Array => {
  const { topics, topicOfRow, size, lacking } = index;
  const highest = new Float64Array(topics.length).fill(NOT_COMPARED);
  const compare = (compared: Int32Array) => raise(highest, topicOfRow, compared, near.toRows(compared));
  const high = worthComparingOfAll(size, estimates.all);
  compare(estimates.from(high));
  compare(Int32Array.from(rowsToAdd(index, estimates.all, highest, named)));
  if (lacking > 0) {
    for (const topic of topics) if (topic.lacking > 0) highest[topic.at] = Math.max(0, highest[topic.at] as number);
  }
  return highest;
};

/** Each loop, here and below, has its own function so that it is compiled once, independently of the code around it. */
const raise = (highest: Float64Array, topicOfRow: Int32Array, rows: Int32Array, similarities: Float64Array): void => {
  for (let i = 0; i < rows.length; i++) {
    const at = topicOfRow[rows[i] as number] as number;
    const similarity = similarities[i] as number;
    if (at >= 0 && similarity > (highest[at] as number)) highest[at] = similarity;
  }
};

/** Returns the rows to compare in addition to those with the highest estimates. */
const rowsToAdd = (
  index: ForestIndex,
  estimates: Float32Array,
  highest: Float64Array,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  const { topics } = index;
  const whole = comparedAsWhole(index, named);
  const added: number[] = [];
  for (const at of whole) {
    for (const row of (topics[at] as IndexedTopic).rows) if (row >= 0) added.push(row);
  }
  // For other topics already compared, the row with the highest estimate was among those compared.
  const isMissing = (at: number) => highest[at] === NOT_COMPARED && !whole.has(at);
  const nearest = (at: number) => nearestRow(topics[at] as IndexedTopic, estimates);
  const missing = new Map(
    listedAnyhow(index, named)
      .filter(isMissing)
      .map((at) => [at, nearest(at)]),
  );
  const lack = NEAREST_TOPICS - countAbove(highest, NOT_COMPARED);
  if (lack > 0) {
    const others = topics.flatMap(({ at }) => (isMissing(at) && !missing.has(at) ? [[at, nearest(at)] as const] : []));
    const values = Float64Array.from(others, ([, row]) => estimates[row] ?? Number.NEGATIVE_INFINITY);
    for (const place of highestOf(values, lack)) missing.set(...(others[place] as [number, number]));
  }
  for (const row of missing.values()) if (row >= 0) added.push(row);
  return added;
};

/** Largest topic, in nodes, that is compared in full if the message may continue it without being near. */
const SMALL = 64;

/** Returns the positions of such topics: the active one, those of the last turns and the largest. */
const comparedAsWhole = (index: ForestIndex, named: readonly (TreeId | null | undefined)[]): Set<number> => {
  const { topics, latest, largestTopics } = index;
  const whole = new Set(largestTopics.slice(0, 1));
  for (const treeId of [...named, ...latest.map((node) => node.treeId)]) {
    const topic = treeId ? topicOf(index, treeId) : undefined;
    if (topic !== undefined) whole.add(topic.at);
  }
  for (const at of whole) if ((topics[at] as IndexedTopic).nodes.length > SMALL) whole.delete(at);
  return whole;
};

/** Returns the row of a topic's highest estimate; −1 if there is none. */
const nearestRow = ({ rows }: IndexedTopic, estimates: Float32Array): number => {
  let nearest = -1;
  let high = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const estimate = estimates[row] ?? Number.NEGATIVE_INFINITY;
    if (estimate > high) [nearest, high] = [row, estimate];
  }
  return nearest;
};

const countAbove = (values: Float64Array, least: number): number => {
  let count = 0;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > least) count += 1;
  return count;
};

/** Up to this many topics, a question lists them all. Thousands, read and logged with every turn, would outweigh what was said. */
const LISTED = 100;
/** Beyond that, how many of the nearest it lists. */
const LISTED_NEAREST = 64;

/**
 * Returns the index positions of the topics that a question lists, in order of creation: all, or if there are very
 * many, the nearest and those listed anyway.
 */
const listedTopics = (
  index: ForestIndex,
  similarities: Float64Array,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  if (index.topics.length <= LISTED) return Array.from(similarities.keys());
  const kept = new Set([...highestOf(similarities, LISTED_NEAREST), ...listedAnyhow(index, named)]);
  return [...kept].sort((a, b) => a - b);
};

/**
 * Returns the positions of the topics listed regardless of similarity: all if there are few; otherwise the first, the
 * latest, the largest and those named.
 */
const listedAnyhow = (
  { topics, placeOfTopic, latestTopics, largestTopics }: ForestIndex,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  if (topics.length <= LISTED) return topics.map(({ at }) => at);
  const places = named.map((treeId) => (treeId ? placeOfTopic.get(treeId) : undefined));
  return [0, ...latestTopics, ...largestTopics, ...places.filter((at) => at !== undefined)];
};
