import type { Forest, NodeId } from './forest.ts';
import { childrenOf, treesOf } from './queries.ts';
import { idsOf, recordsOf, sizeOf } from './table.ts';

/** Checks every rule of a valid forest and describes the violated ones. Empty for a valid forest. */
export const violations = (forest: Forest): string[] => {
  const found: string[] = [];
  const demand = (holds: boolean, rule: string) => {
    if (!holds) found.push(rule);
  };
  const nodes = recordsOf(forest.nodes);
  const walked = new Map<NodeId, boolean>();

  for (const node of nodes) {
    const parent = node.parentId === null ? null : forest.nodes[node.parentId];
    const tree = forest.trees[node.treeId];
    const branch = forest.branches[node.branchId];
    demand(parent !== undefined, `turn ${node.number} is an orphan`);
    demand(tree !== undefined, `turn ${node.number} is in no topic`);
    demand(branch !== undefined && branch.treeId === node.treeId, `turn ${node.number} is on no branch of its topic`);
    if (parent === null) {
      demand(tree?.rootId === node.id, `turn ${node.number} is a second root`);
      demand(branch?.headId === node.id, `root ${node.number} does not head its branch`);
    } else if (parent !== undefined) {
      demand(parent.treeId === node.treeId, `turn ${node.number} is in another topic than its parent`);
      demand(childrenOf(forest, parent.id).includes(node.id), `turn ${node.number} is unknown to its parent`);
      const goesOn = parent.branchId === node.branchId;
      demand(goesOn !== (branch?.headId === node.id), `turn ${node.number} breaks its branch`);
    }
    const children = childrenOf(forest, node.id).map((id) => forest.nodes[id]);
    demand(
      children.every((child) => child?.parentId === node.id),
      `turn ${node.number} has a child that is not its own`,
    );
    demand(
      children.filter((child) => child?.branchId === node.branchId).length <= 1,
      `the branch of turn ${node.number} goes on twice`,
    );
    demand(
      node.replyId === null || node.replies.some((reply) => reply.id === node.replyId),
      `turn ${node.number} counts a reply it does not have`,
    );
    demand(!hasEndlessPath(forest, node.id, walked), `turn ${node.number} is its own ancestor`);
  }
  for (const tree of treesOf(forest)) {
    demand(forest.nodes[tree.rootId]?.parentId === null, `topic ${tree.title} has no root`);
    demand(forest.nodes[tree.activeId]?.treeId === tree.id, `topic ${tree.title} is active outside itself`);
  }
  for (const branch of recordsOf(forest.branches)) {
    demand(forest.nodes[branch.headId]?.branchId === branch.id, `a branch has no head`);
  }
  for (const id of idsOf(forest.children)) {
    demand(forest.nodes[id] !== undefined && childrenOf(forest, id).length > 0, 'children are kept for no turn');
  }
  const { active } = forest;
  const at = active === null ? undefined : forest.nodes[active.nodeId];
  demand((active === null) === (nodes.length === 0), 'the active state is missing, or left over');
  demand(
    active === null || (at?.treeId === active.treeId && at.branchId === active.branchId),
    'the active state is outside the forest',
  );
  demand(nodes.filter(({ hidden }) => hidden).length === forest.hiddenCount, 'hidden turns are miscounted');
  demand(sizeOf(forest.pending) <= 1, 'two messages wait for a place');
  return found;
};

/**
 * Whether the path above a turn never ends. `walked` holds the answer for every turn seen so far and is added to, so that
 * all turns together take linear time.
 */
const hasEndlessPath = (forest: Forest, id: NodeId, walked: Map<NodeId, boolean>): boolean => {
  const path = new Set<NodeId>();
  let next: NodeId | null | undefined = id;
  while (next != null && !walked.has(next) && !path.has(next)) {
    path.add(next);
    next = forest.nodes[next]?.parentId;
  }
  const isEndless = next != null && (walked.get(next) ?? true);
  for (const one of path) walked.set(one, isEndless);
  return isEndless;
};
