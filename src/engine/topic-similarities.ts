import type { ForestIndex, IndexedTopic } from './forest-index.ts';
import { count, leastOfHighest, newCounts, worthComparing } from './nearest-rows.ts';
import { NO_ESTIMATE, type Tally } from './sketches.ts';
import type { Nearness } from './views.ts';

/** Topics whose similarity is exact in any case: the nearest, by estimate; more than a trace lists. */
const NEAREST_TOPICS = 128;

/**
 * Of each topic the cosine of its nearest node to the message. In a large forest that is exact for the topics that may
 * be among the nearest, and for those of the last turns, the largest and the active one. Of the others it is an
 * estimate, and no higher than what is exact of any of the nearest: thousands of vectors all over the memory would
 * have to be read only to say how far exactly they are.
 */
export const topicSimilarities = (index: ForestIndex, near: Nearness, active: string | undefined): Float64Array => {
  const tally = near.tally(index);
  return tally === null ? exactly(index, near) : likely(index, near, tally, active);
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

const likely = (index: ForestIndex, near: Nearness, tally: Tally, active: string | undefined): Float64Array => {
  const { topics, topicOfRow } = index;
  const compared = rowsToCompare(index, tally, alwaysExact(index, active));
  const similarities = near.toRows(compared);
  const highest = new Float64Array(topics.length).fill(-1);
  const isExact = new Uint8Array(topics.length);
  let lowest = 1;
  for (let i = 0; i < compared.length; i++) {
    const at = topicOfRow[compared[i] as number] as number;
    const similarity = similarities[i] as number;
    isExact[at] = 1;
    if (similarity < lowest) lowest = similarity;
    if (similarity > (highest[at] as number)) highest[at] = similarity;
  }
  for (let at = 0; at < topics.length; at++) {
    const estimate = tally.highest[at] as number;
    if (isExact[at] === 0 && estimate !== NO_ESTIMATE) highest[at] = Math.min(estimate, lowest);
  }
  if (index.lacking) {
    for (const { at, lacking } of topics) if (lacking) highest[at] = Math.max(0, highest[at] as number);
  }
  return highest;
};

/** Places of the topics that are exact in any case. */
const alwaysExact = ({ topicOf, latest, largestTopics }: ForestIndex, active: string | undefined): Set<number> => {
  const always = new Set(largestTopics.slice(0, 1));
  for (const treeId of [active, ...latest.map((node) => node.treeId)]) {
    const topic = treeId === undefined ? undefined : topicOf.get(treeId);
    if (topic !== undefined) always.add(topic.at);
  }
  return always;
};

/** Those of the highest estimates, the nearest of each of the nearest topics, and what is compared always. */
const rowsToCompare = (
  { topics, rows, topicOfRow }: ForestIndex,
  tally: Tally,
  always: ReadonlySet<number>,
): Int32Array => {
  const { highest, rows: nearestRow } = tally;
  const high = worthComparing(rows, tally.estimates);
  const selected = tally.from(high);
  const farCounts = newCounts();
  for (let at = 0; at < highest.length; at++) {
    const estimate = highest[at] as number;
    if (estimate < high && estimate !== NO_ESTIMATE) count(farCounts, estimate);
  }
  const far = leastOfHighest(farCounts, NEAREST_TOPICS);
  const compared = new Int32Array(selected.length + highest.length + always.size * SMALL);
  let found = 0;
  for (let i = 0; i < selected.length; i++) {
    const row = selected[i] as number;
    if ((topicOfRow[row] as number) >= 0) compared[found++] = row;
  }
  for (let at = 0; at < highest.length; at++) {
    const estimate = highest[at] as number;
    if (estimate < high && estimate >= far && estimate !== NO_ESTIMATE) compared[found++] = nearestRow[at] as number;
  }
  for (const at of always) {
    const { start, end } = topics[at] as IndexedTopic;
    const all = end - start <= SMALL ? rows.subarray(start, end) : nearestRow.subarray(at, at + 1);
    for (const row of all) if (row >= 0) compared[found++] = row;
  }
  return compared.subarray(0, found);
};

/** Nodes up to which a topic that is always exact is compared as a whole. */
const SMALL = 64;
