import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { pathTo } from '../../domain/queries.ts';
import type { NodeView } from '../ports.ts';
import type { Nearness } from './views.ts';

export const viewOf = (near: Nearness, node: Node): NodeView => ({
  node,
  nodeId: node.id,
  similarity: near.to(node.id) ?? 0,
});

export const viewsOf = (near: Nearness, nodes: readonly Node[]): NodeView[] => {
  const similarities = near.toNodes(nodes);
  return nodes.map((node, i) => ({ node, nodeId: node.id, similarity: similarities[i] as number }));
};

/** Of a longer path a question shows the root and so many of its last turns: more than any decider reads. */
const PATH_SHOWN = 64;

/** The path as a question shows it. */
export const shownPath = (forest: Forest, nodeId: NodeId | null, near: Nearness): NodeView[] => {
  const path = near.pathTo(forest, nodeId);
  return viewsOf(near, path.length <= PATH_SHOWN ? path : [path[0] as Node, ...path.slice(1 - PATH_SHOWN)]);
};

export const pathViews = (forest: Forest, nodeId: string, near: Nearness): NodeView[] =>
  viewsOf(near, pathTo(forest, nodeId));
