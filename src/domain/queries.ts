import type { Context } from './context.ts';
import { type BranchAction, type Fallback, wordOf } from './decision.ts';
import {
  type Branch,
  byNumber,
  type Forest,
  GIVEN,
  type Node,
  type NodeId,
  type PendingTurn,
  RECALL,
  type Reply,
  type Step,
  type Tree,
  type TreeId,
} from './forest.ts';
import { answerOf } from './reply.ts';
import { briefReplyOf, isWithoutContext } from './stored-forest.ts';
import { recordsOf, sizeOf } from './table.ts';

/** Nodes from the root to the given one, in order; empty for null. Throws if the node is not in the forest. */
export const pathTo = (forest: Forest, nodeId: NodeId | null): Node[] => {
  const path: Node[] = [];
  for (let id = nodeId; id !== null; ) {
    const node = nodeOf(forest, id);
    path.push(node);
    id = node.parentId;
  }
  return path.reverse();
};

/** Nodes from the root to the active one. */
export const activePath = (forest: Forest): Node[] => pathTo(forest, forest.active?.nodeId ?? null);

/** Throws if the node is not in the forest: ids inside a forest are always valid. */
export const nodeOf = (forest: Forest, id: NodeId): Node => {
  const node = forest.nodes[id];
  if (node === undefined) throw new Error(`no turn ${id} in the forest`);
  return node;
};

const NO_CHILDREN: readonly NodeId[] = [];
export const childrenOf = (forest: Forest, id: NodeId): readonly NodeId[] => forest.children[id] ?? NO_CHILDREN;

export const replyOf = (node: Node): Reply | null => node.replies.find((reply) => reply.id === node.replyId) ?? null;

/** What was sent for the chosen reply. To find out that nothing is known of it, as in an import, no stored turn is read. */
export const contextOf = (node: Node): Context | null =>
  isWithoutContext(node) ? null : (replyOf(node)?.context ?? null);

/** Whether nothing was sent for a reply, whatever its context: it came with its dialogue, or a what-if built the context. */
export const isUnsent = ({ model, context }: { readonly model: string | null; readonly context: Context | null }) =>
  model === GIVEN || context?.simulated === true;

/** The policy whose context was sent for the chosen reply; null if none was. */
export const sentPolicy = (node: Node | undefined): string | null => {
  const reply = node === undefined ? null : replyOf(node);
  return reply === null || isUnsent(reply) ? null : (reply.context?.policy ?? null);
};

/** Models that failed for a turn and their fallbacks: first for its decision, then for the context of its reply. */
export const fallbacksOf = (node: Node): readonly Fallback[] => [
  ...(node.decision.trace?.fallbacks ?? []),
  ...(contextOf(node)?.fallbacks ?? []),
];

/** Whether a reply ended before it was complete, so that it can be resumed. */
export const brokeOff = ({ state, usage }: Reply): boolean =>
  state === 'done' ? usage?.cut === true : state !== 'streaming';

/** Topics in the order they were created. */
export const treesOf = (forest: Forest): Tree[] => recordsOf(forest.trees).toSorted((a, b) => a.order - b.order);

const firstTree = (forest: Forest): Tree | null =>
  recordsOf(forest.trees).reduce<Tree | null>((first, one) => (first && first.order <= one.order ? first : one), null);

/** Nodes of a topic in chronological order. */
export const nodesOf = (forest: Forest, treeId: TreeId): Node[] => {
  const tree = forest.trees[treeId];
  return tree === undefined ? [] : subtree(forest, tree.rootId).sort(byNumber);
};

/** The node and all of its descendants, parents before children. */
export const subtree = (forest: Forest, id: NodeId): Node[] => {
  const found: Node[] = [];
  const stack = [id];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    found.push(nodeOf(forest, next));
    stack.push(...childrenOf(forest, next).toReversed());
  }
  return found;
};

/** Nodes of a branch from head to tip. */
export const branchNodes = (forest: Forest, branch: Branch): Node[] => {
  const run: Node[] = [];
  for (let id: NodeId | undefined = branch.headId; id !== undefined; ) {
    run.push(nodeOf(forest, id));
    id = childrenOf(forest, id).find((child) => nodeOf(forest, child).branchId === branch.id);
  }
  return run;
};

/** The last node on the branch of a node. */
export const tipOf = (forest: Forest, node: Node): Node => {
  let tip = node;
  for (;;) {
    const next = childrenOf(forest, tip.id).find((child) => nodeOf(forest, child).branchId === tip.branchId);
    if (next === undefined) return tip;
    tip = nodeOf(forest, next);
  }
};

/** Where the conversation goes on along the branch of a node: its last turn from there on that is not hidden, or the node. */
export const endOf = (forest: Forest, node: Node): Node => {
  let end = tipOf(forest, node);
  while (end.hidden && end.id !== node.id && end.parentId !== null) end = nodeOf(forest, end.parentId);
  return end;
};

/** What follows a node on its branch, including all descendants. Other branches that fork from the node are excluded. */
export const followingOnBranch = (forest: Forest, nodeId: NodeId): Node[] => {
  const { branchId } = nodeOf(forest, nodeId);
  const next = childrenOf(forest, nodeId).find((child) => nodeOf(forest, child).branchId === branchId);
  return next === undefined ? [] : subtree(forest, next);
};

/** The nodes that are not descendants of another given one: what is done to their subtrees is done to all. */
export const outermost = (forest: Forest, ids: readonly NodeId[]): NodeId[] => {
  const given = new Set(ids);
  /** Whether a given node is above, by the nodes passed on the way up: thousands of nodes share most of it. */
  const known = new Map<NodeId, boolean>();
  const isBelowGiven = (id: NodeId): boolean => {
    const passed: NodeId[] = [];
    let found: boolean | undefined;
    for (let at: NodeId | null = id; at !== null && found === undefined; ) {
      passed.push(at);
      at = nodeOf(forest, at).parentId;
      if (at !== null) found = given.has(at) || known.get(at);
    }
    for (const one of passed) known.set(one, found ?? false);
    return found ?? false;
  };
  return ids.filter((id) => forest.nodes[id] !== undefined && !isBelowGiven(id));
};

/** The turns with all their descendants, each once. */
export const familyOf = (forest: Forest, ids: readonly NodeId[]): NodeId[] =>
  outermost(forest, ids).flatMap((id) => subtree(forest, id).map((node) => node.id));

export const isAncestor = (forest: Forest, ancestor: NodeId, of: NodeId): boolean => {
  for (let id = nodeOf(forest, of).parentId; id !== null; id = nodeOf(forest, id).parentId) {
    if (id === ancestor) return true;
  }
  return false;
};

/** Whether a step placed the turn. */
export const isStepOf = ({ changes }: Step, nodeId: NodeId): boolean =>
  changes.some(
    (undo) => undo.kind === 'record' && undo.table === 'nodes' && undo.id === nodeId && undo.record === undefined,
  );

/** How many turns there are, including one that waits for its place. `turnCount`, by which they are numbered, also counts deleted ones. */
export const turnsIn = ({ nodes, pending }: Forest): number => sizeOf(nodes) + sizeOf(pending);

export const pendingTurn = (forest: Forest): PendingTurn | null => recordsOf(forest.pending)[0] ?? null;

/** A text up to a length in UTF-16 units. A character that would be cut in two is left out. */
export const beginning = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

export const conversationTitle = (forest: Forest): string =>
  forest.title ?? firstTree(forest)?.title ?? beginning(pendingTurn(forest)?.message ?? '', 60);

/** Whether a turn's reply only quotes and so does not answer it. */
export const isUnanswered = (node: Node): boolean => briefReplyOf(node)?.model === RECALL;

/** What a turn's chosen reply says, without a thinking model's reasoning; empty if there is none. */
export const answerTo = (node: Node): string => answerOf(briefReplyOf(node)?.text ?? '');

/** The same, but empty if it only quotes earlier turns, since those were said elsewhere and answer nothing. */
export const replyText = (node: Node): string => (isUnanswered(node) ? '' : answerTo(node));

/**
 * What a decision did about the branch. A person who goes back to an earlier turn and writes is said to have continued
 * from where they stood, but after a turn that others already follow, that is a new branch.
 */
export const branchTaken = (
  { branches }: Forest,
  { id, parentId, branchId, decision, label }: Node,
): BranchAction | null => {
  const { by, branch } = decision;
  if (by !== 'person' || branch !== 'continue-branch' || parentId === null) return branch;
  // Moved since, it may head a branch that it did not open.
  const isMoved = label !== null && wordOf(label) === 'corrected';
  return !isMoved && branches[branchId]?.headId === id ? 'create-branch' : branch;
};
