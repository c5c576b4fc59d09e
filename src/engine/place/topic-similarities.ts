import type { TreeId } from '../../domain/forest.ts';
import { highestOf, worthComparingOfAll } from '../vectors/nearest-rows.ts';
import type { Estimates } from '../vectors/sketches.ts';
import type { ForestIndex, IndexedTopic } from './forest-index.ts';
import { listedAnyhow } from './listed-topics.ts';
import type { Nearness } from './views.ts';

/** Topics that are compared at least: the nearest, by estimate; more than a trace lists. */
const NEAREST_TOPICS = 128;

/** Of a topic that was not compared. */
const NOT_COMPARED = -1;

/**
 * Of each topic the cosine of its nearest node to the message. In a large forest only topics that a question may list
 * are compared: those that may be among the nearest, and those that it lists anyhow; the others are `NOT_COMPARED`.
 * Thousands of vectors all over the memory would have to be read only to say how far exactly they are.
 */
export const topicSimilarities = (
  index: ForestIndex,
  near: Nearness,
  named: readonly (TreeId | null | undefined)[],
): Float64Array => {
  const estimates = near.estimates();
  return estimates === null ? exactly(index, near) : likely(index, near, estimates, named);
};

const exactly = ({ topics, rows }: ForestIndex, near: Nearness): Float64Array => {
  const similarities = near.toRows(rows);
  const highest = new Float64Array(topics.length);
  for (let at = 0; at < topics.length; at++) {
    const { start, end } = topics[at] as IndexedTopic;
    let high = -1;
    for (let i = start; i < end; i++) high = Math.max(high, similarities[i] as number);
    highest[at] = high;
  }
  return highest;
};

const likely = (
  index: ForestIndex,
  near: Nearness,
  estimates: Estimates,
  named: readonly (TreeId | null | undefined)[],
): Float64Array => {
  const { topics, rows, topicOfRow, lacking } = index;
  const highest = new Float64Array(topics.length).fill(NOT_COMPARED);
  const compare = (compared: Int32Array) => raise(highest, topicOfRow, compared, near.toRows(compared));
  const high = worthComparingOfAll(rows.length, estimates.all);
  compare(estimates.from(high));
  compare(Int32Array.from(rowsToAdd(index, estimates.all, highest, named)));
  if (lacking) {
    for (const topic of topics) if (topic.lacking) highest[topic.at] = Math.max(0, highest[topic.at] as number);
  }
  return highest;
};

/** A loop in a function of its own, here and below: so it is compiled once, whatever comes before and after it. */
const raise = (highest: Float64Array, topicOfRow: Int32Array, rows: Int32Array, similarities: Float64Array): void => {
  for (let i = 0; i < rows.length; i++) {
    const at = topicOfRow[rows[i] as number] as number;
    const similarity = similarities[i] as number;
    if (at >= 0 && similarity > (highest[at] as number)) highest[at] = similarity;
  }
};

/** What is compared beside the rows of the highest estimates. */
const rowsToAdd = (
  index: ForestIndex,
  estimates: Float32Array,
  highest: Float64Array,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  const { topics, rows } = index;
  const whole = comparedAsWhole(index, named);
  const added: number[] = [];
  for (const at of whole) {
    const { start, end } = topics[at] as IndexedTopic;
    for (let i = start; i < end; i++) if ((rows[i] as number) >= 0) added.push(rows[i] as number);
  }
  // The highest estimates of the others that were compared are among those that were.
  const isMissing = (at: number) => highest[at] === NOT_COMPARED && !whole.has(at);
  const nearest = (at: number) => nearestRow(index, topics[at] as IndexedTopic, estimates);
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

/** Nodes up to which a topic is compared as a whole, if it may be gone on with without being near. */
const SMALL = 64;

/** Places of such topics: the active one, those of the last turns and the largest. */
const comparedAsWhole = (
  { topics, topicOf, latest, largestTopics }: ForestIndex,
  named: readonly (TreeId | null | undefined)[],
): Set<number> => {
  const whole = new Set(largestTopics.slice(0, 1));
  for (const treeId of [...named, ...latest.map((node) => node.treeId)]) {
    const topic = treeId ? topicOf.get(treeId) : undefined;
    if (topic !== undefined) whole.add(topic.at);
  }
  for (const at of whole) {
    const { start, end } = topics[at] as IndexedTopic;
    if (end - start > SMALL) whole.delete(at);
  }
  return whole;
};

/** The row of a topic's highest estimate; −1 for none. */
const nearestRow = ({ rows }: ForestIndex, { start, end }: IndexedTopic, estimates: Float32Array): number => {
  let nearest = -1;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const row = rows[i] as number;
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
