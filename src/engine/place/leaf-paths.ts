import type { Forest, Node, TreeId } from '../../domain/forest.ts';
import { childrenOf, nodeOf, treesOf } from '../../domain/queries.ts';
import type { TopicView } from '../ports.ts';
import type { Nearness } from './views.ts';

/** The way from the root of a topic to a turn with none after it, or to where the topic stands. */
export interface LeafPath {
  readonly treeId: TreeId;
  readonly leaf: Node;
}

/**
 * Every path that a message could go on in, in the order in which they are asked about: the active topic's first, then
 * those of the others in order of creation. Of each topic the path to where it stands (the active node; of another topic
 * its most recently active one) comes first, though that turn may have others after it, then the other leaves in the
 * order in which their branches began.
 */
export const leafPaths = (forest: Forest): LeafPath[] => {
  const leaves = new Map<TreeId, Node[]>();
  for (const node of Object.values(forest.nodes)) {
    if (childrenOf(forest, node.id).length > 0) continue;
    const others = leaves.get(node.treeId);
    if (others === undefined) leaves.set(node.treeId, [node]);
    else others.push(node);
  }
  const own = forest.active?.treeId;
  const trees = treesOf(forest).sort((a, b) => Number(b.id === own) - Number(a.id === own));
  const began = ({ branchId, number }: Node): number =>
    forest.nodes[forest.branches[branchId]?.headId ?? '']?.number ?? number;
  return trees.flatMap((tree) => {
    const stands = nodeOf(forest, tree.id === own && forest.active !== null ? forest.active.nodeId : tree.activeId);
    const others = (leaves.get(tree.id) ?? [])
      .filter(({ id }) => id !== stands.id)
      .sort((a, b) => began(a) - began(b) || a.number - b.number);
    return [stands, ...others].map((leaf) => ({ treeId: tree.id, leaf }));
  });
};

/** Paths that are asked about for one message: each is a question of its own, and a new topic takes them all. */
export const MOST_PATHS = 32;

/**
 * Of very many paths those worth a question, in the same order: of each topic the first before any other of it, those
 * of the topics nearest to the message, and of one topic those with the nearest last turns.
 */
export const worthAsking = (
  paths: readonly LeafPath[],
  topics: readonly TopicView[],
  near: Nearness,
): readonly LeafPath[] => {
  if (paths.length <= MOST_PATHS) return paths;
  const nearness = new Map(topics.map(({ treeId, similarity }) => [treeId, similarity]));
  const topicOf = ({ treeId }: LeafPath): number => nearness.get(treeId) ?? -1;
  const leafOf = ({ leaf }: LeafPath): number => near.to(leaf.id) ?? -1;
  const firsts = new Set(paths.filter(({ treeId }, at) => paths[at - 1]?.treeId !== treeId));
  // The active path is always asked about.
  const rank = (path: LeafPath): number => (path === paths[0] ? 2 : firsts.has(path) ? 1 : 0);
  const kept = new Set(
    paths
      .toSorted((a, b) => rank(b) - rank(a) || topicOf(b) - topicOf(a) || leafOf(b) - leafOf(a))
      .slice(0, MOST_PATHS),
  );
  return paths.filter((path) => kept.has(path));
};
