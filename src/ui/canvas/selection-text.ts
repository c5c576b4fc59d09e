import type { Forest, NodeId } from '../../domain/forest.ts';
import { childrenOf } from '../../domain/queries.ts';
import { type Standings, standingOf } from './standing.ts';

const STANDING = {
  path: 'on the active path',
  summary: 'in the context as a summary',
  'left-out': 'not in the context',
};

/** The selected turn in words, for those who do not see it. */
export const selectionText = (forest: Forest, standings: Standings, id: NodeId | null): string => {
  const node = id === null ? undefined : forest.nodes[id];
  if (node === undefined)
    return Object.keys(forest.nodes).length === 0 ? 'The forest is empty.' : 'No turn is selected.';
  const children = childrenOf(forest, node.id).length;
  const where = forest.active?.nodeId === node.id ? 'active' : STANDING[standingOf(standings, node.id)];
  const after =
    children === 0 ? 'the tip of its branch' : children === 1 ? 'one turn follows' : `${children} turns follow`;
  return `Turn ${node.number}, ${where}, ${after}. ${forest.trees[node.treeId]?.title ?? ''}: ${node.message.slice(0, 200)}`;
};
