import type { Forest, Target } from '../../../domain/forest.ts';
import { childrenOf } from '../../../domain/queries.ts';

/** In words, where the next message goes on; without a target, where it would if the message said nothing else. */
export const targetWords = (forest: Forest, target: Target | null): string => {
  if (target?.kind === 'new-topic') return 'new topic';
  const node = forest.nodes[target?.nodeId ?? forest.active?.nodeId ?? ''];
  if (node === undefined) return 'starts the first topic';
  if (node.id === forest.active?.nodeId) return `goes on from turn ${node.number}`;
  const forks = childrenOf(forest, node.id).length > 0;
  const tree = forest.trees[node.treeId];
  if (tree === undefined || tree.id === forest.active?.treeId) {
    return forks ? `new branch from turn ${node.number}` : `continues turn ${node.number}`;
  }
  return `returns to ${tree.title}, ${forks ? 'new branch from' : 'after'} turn ${node.number}`;
};
