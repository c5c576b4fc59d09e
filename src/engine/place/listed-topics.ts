import type { TreeId } from '../../domain/forest.ts';
import { highestOf } from '../vectors/nearest-rows.ts';
import type { ForestIndex } from './forest-index.ts';

/** Topics up to which a question lists them all. Thousands, read and logged with every turn, would outweigh what was said. */
const LISTED = 100;
/** Of more, how many of the nearest. */
const NEAREST = 64;

/**
 * Places in the index of the topics that a question lists, in order of creation: all, or of very many the nearest and
 * those listed anyhow.
 */
export const listedTopics = (
  index: ForestIndex,
  similarities: Float64Array,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  if (index.topics.length <= LISTED) return Array.from(similarities.keys());
  const kept = new Set([...highestOf(similarities, NEAREST), ...listedAnyhow(index, named)]);
  return [...kept].sort((a, b) => a - b);
};

/** Places of the topics that are listed, however far: all if there are few, or the first, the latest, the largest and those named. */
export const listedAnyhow = (
  { topics, topicOf, latestTopics, largestTopics }: ForestIndex,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  if (topics.length <= LISTED) return topics.map(({ at }) => at);
  const places = named.map((treeId) => (treeId ? topicOf.get(treeId)?.at : undefined));
  return [0, ...latestTopics, ...largestTopics, ...places.filter((at) => at !== undefined)];
};
