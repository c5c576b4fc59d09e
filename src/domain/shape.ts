import type { Path } from './changes.ts';
import type { Forest, Node, NodeId } from './forest.ts';
import { childrenOf, nodeOf } from './queries.ts';

/* What keeps nodes, children, branches, topics and the active state in step with each other. */

/** Writes one value into the draft; the recording kind also keeps what it takes to undo it. */
export type Write = (path: Path, value: unknown) => void;

/** Links a node to its parent, branch and topic, and makes those that are new. */
export const hang = (forest: Forest, write: Write, { id, parentId, branchId, treeId, message }: Node): void => {
  if (forest.branches[branchId] === undefined)
    write(['branches', branchId], { id: branchId, treeId, headId: id, title: null });
  if (parentId !== null) {
    const siblings = [...childrenOf(forest, parentId), id];
    write(['children', parentId], inOrderOfTime(forest, siblings));
  } else {
    const order = forest.topicCount;
    write(['topicCount'], order + 1);
    write(['trees', treeId], { id: treeId, rootId: id, title: message, titledBy: 'engine', activeId: id, order });
  }
};

/** Unlinks a node, with its family under it, from its parent, branch and topic. */
export const unhang = (forest: Forest, write: Write, node: Node, family: ReadonlySet<NodeId>): void => {
  const { id, parentId, branchId, treeId } = node;
  if (forest.branches[branchId]?.headId === id) write(['branches', branchId], undefined);
  if (parentId === null) return write(['trees', treeId], undefined);
  const siblings = childrenOf(forest, parentId).filter((child) => child !== id);
  write(['children', parentId], siblings.length === 0 ? undefined : siblings);
  const tree = forest.trees[treeId];
  if (tree !== undefined && family.has(tree.activeId)) write(['trees', treeId, 'activeId'], parentId);
};

export const inOrderOfTime = (forest: Forest, ids: readonly NodeId[]): NodeId[] =>
  [...ids].sort((a, b) => nodeOf(forest, a).number - nodeOf(forest, b).number);

export const activate = (forest: Forest, write: Write, nodeId: NodeId): void => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return;
  const { treeId, branchId } = node;
  write(['active'], { treeId, branchId, nodeId });
  write(['trees', treeId, 'activeId'], nodeId);
};
