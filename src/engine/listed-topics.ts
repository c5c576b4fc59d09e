import type { TreeId } from '../domain/forest.ts';
import type { ForestIndex } from './forest-index.ts';
import { highestOf } from './nearest-rows.ts';

/** Topics up to which a question lists them all. Thousands, read and logged with every turn, would outweigh what was said. */
const LISTED = 100;
/** Of more, how many of the nearest. */
const NEAREST = 64;

/**
 * Places in the index of the topics that a question lists, in order of creation: all, or of very many the foremost, the
 * first and those named.
 */
export const listedTopics = (
  { topics, topicOf, latestTopics, largestTopics }: ForestIndex,
  similarities: Float64Array,
  named: readonly (TreeId | null | undefined)[],
): number[] => {
  if (topics.length <= LISTED) return Array.from(similarities.keys());
  const kept = new Set([0, ...highestOf(similarities, NEAREST), ...latestTopics, ...largestTopics]);
  for (const treeId of named) {
    const topic = treeId ? topicOf.get(treeId) : undefined;
    if (topic !== undefined) kept.add(topic.at);
  }
  return [...kept].sort((a, b) => a - b);
};
