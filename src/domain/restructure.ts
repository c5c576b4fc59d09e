import type { Draft } from './changes.ts';
import { type Decision, forkedFrom, type Label, type Placement } from './decision.ts';
import { byNumber, type Forest, type Node, type NodeId, newTurnDefaults, type StepId, type TreeId } from './forest.ts';
import { PURGED } from './purge.ts';
import { childrenOf, followingOnBranch, nodeOf, subtree, treesOf } from './queries.ts';
import { recordsOf } from './table.ts';

/* Keeps nodes, children, branches, topics and the active state consistent. */

/** Links a node to its parent, branch and topic, creating the branch and topic if new. */
export const attach = (draft: Draft, { id, parentId, branchId, treeId, message }: Node): void => {
  const { forest } = draft;
  if (forest.branches[branchId] === undefined) {
    draft.put('branches', branchId, { id: branchId, treeId, headId: id, title: null });
  }
  if (parentId !== null) return setChildren(draft, parentId, [...childrenOf(forest, parentId), id]);
  beginTree(draft, { id, treeId, message }, id);
};

/** Adds a topic that begins with a turn. Until it has a proper title, its first message serves as one. */
const beginTree = (draft: Draft, root: Pick<Node, 'id' | 'treeId' | 'message'>, activeId: NodeId): void => {
  const { id, treeId, message } = root;
  const order = draft.forest.topicCount;
  draft.set('topicCount', order + 1);
  draft.put('trees', treeId, { id: treeId, rootId: id, title: message, titledBy: null, activeId, order });
};

/** Unlinks a node and its subtree from its parent, branch and topic. */
const detach = (draft: Draft, node: Node, family: ReadonlySet<NodeId>): void => {
  const { forest } = draft;
  const { id, parentId, branchId, treeId } = node;
  if (forest.branches[branchId]?.headId === id) draft.remove('branches', branchId);
  if (parentId === null) return draft.remove('trees', treeId);
  const siblings = childrenOf(forest, parentId).filter((child) => child !== id);
  setChildren(draft, parentId, siblings);
  const tree = forest.trees[treeId];
  if (tree !== undefined && family.has(tree.activeId)) {
    draft.edit('trees', treeId, { activeId: standsWithout(forest, node, parentId) });
  }
};

/**
 * Where a topic stands once the turn it stood at has been unlinked from its parent: at the parent. A turn that forked
 * from there and takes its branch along leaves what had been said after the parent, so the topic stands at the end of
 * that, as far as it is not hidden.
 */
const standsWithout = (forest: Forest, node: Node, parentId: NodeId): NodeId => {
  if (forest.branches[node.branchId] !== undefined || wentBack(node)) return parentId;
  const { branchId } = nodeOf(forest, parentId);
  const later = followingOnBranch(forest, parentId).filter((one) => one.branchId === branchId && !one.hidden);
  return later.at(-1)?.id ?? parentId;
};

/** Whether the person had gone back to a turn's parent: chose to reply from it, or made it active before they wrote. */
const wentBack = ({ label, decision }: Node): boolean => {
  if (label !== null) return label.beforehand === true;
  // It went on from where the topic stood, which had turns after it: it heads a branch of its own.
  if (decision.by !== 'import' && decision.branch === 'continue-branch') return true;
  // The engine forks from the active turn where that has turns after it.
  return decision.by === 'engine' && decision.branch === 'create-branch' && forkedFrom(decision) === null;
};

const setChildren = (draft: Draft, id: NodeId, children: readonly NodeId[]): void => {
  if (children.length === 0) draft.remove('children', id);
  else draft.put('children', id, inOrderOfTime(draft.forest, children));
};

const inOrderOfTime = (forest: Forest, ids: readonly NodeId[]): NodeId[] =>
  [...ids].sort((a, b) => nodeOf(forest, a).number - nodeOf(forest, b).number);

export const activate = (draft: Draft, nodeId: NodeId): void => {
  const node = draft.forest.nodes[nodeId];
  if (node === undefined) return;
  const { treeId, branchId } = node;
  draft.set('active', { treeId, branchId, nodeId });
  draft.edit('trees', treeId, { activeId: nodeId });
};

interface TurnPlacement {
  readonly nodeId: NodeId;
  readonly placement: Placement;
  readonly decision: Decision;
  readonly label?: Label | undefined;
}

/** Makes a turn of a message that was waiting for its place, and the turn active. */
export const placeTurn = (
  draft: Draft,
  { nodeId, placement, decision, label }: TurnPlacement,
  { step }: { readonly step: StepId | null },
): void => {
  const pending = draft.forest.pending[nodeId];
  if (pending === undefined) return;
  // Imports once added turns outside the steps: undoing an earlier step would leave these without a place.
  if (step === null) draft.endHistory();
  const { id, number, message, at, attachments } = pending;
  const node = {
    id,
    number,
    ...placement,
    message,
    at,
    replies: [],
    replyId: null,
    summary: null,
    decision,
    label: label ?? null,
    ...newTurnDefaults,
    ...(attachments !== undefined && { attachments }),
  };
  draft.remove('pending', id);
  draft.put('nodes', id, node);
  attach(draft, node);
  activate(draft, id);
};

/** Moves a turn with its subtree. A topic or branch that it opens keeps the person's name for the branch or topic it headed. */
export const moveTurn = (
  draft: Draft,
  { nodeId, placement, label }: { nodeId: NodeId; placement: Placement; label: Label | null },
): void => {
  const { forest } = draft;
  const family = subtree(forest, nodeId);
  const familyIds = new Set(family.map((node) => node.id));
  const { branchId: formerBranch, treeId: formerTree, parentId: formerParent } = nodeOf(forest, nodeId);
  const { treeId, parentId } = placement;
  const branch = forest.branches[formerBranch];
  const opensBranch = forest.branches[placement.branchId] === undefined;
  const headed = formerParent === null ? forest.trees[formerTree] : undefined;
  // A topic's first branch goes by the topic's title.
  const topicName = headed?.titledBy === 'person' ? headed.title : null;
  const own = opensBranch && branch?.headId === nodeId ? (branch.title ?? topicName) : null;
  const name = own === PURGED ? null : own;
  const leftAt = forest.trees[formerTree]?.activeId;
  const enteredAt = forest.trees[treeId]?.activeId;
  detach(draft, nodeOf(forest, nodeId), familyIds);

  for (const { id, branchId } of family) {
    if (branchId === formerBranch) draft.edit('nodes', id, { treeId, branchId: placement.branchId });
    else {
      draft.edit('nodes', id, { treeId });
      draft.edit('branches', branchId, { treeId });
    }
  }
  draft.edit('nodes', nodeId, label === null ? { parentId } : { parentId, label });
  attach(draft, nodeOf(forest, nodeId));
  if (name !== null && parentId === null) draft.edit('trees', treeId, { title: name, titledBy: 'person' });
  else if (name !== null) draft.edit('branches', placement.branchId, { title: name });

  const last = leftAt !== undefined && familyIds.has(leftAt) ? leftAt : (newestOf(family)?.id ?? nodeId);
  const goesOn = !opensBranch && enteredAt === parentId;
  // A message that returns to the topic goes on from there.
  if (enteredAt === undefined || goesOn || familyIds.has(enteredAt)) draft.edit('trees', treeId, { activeId: last });
  const { active } = forest;
  if (active === null) return;
  if (familyIds.has(active.nodeId)) activate(draft, active.nodeId);
  else if (goesOn && active.nodeId === parentId) activate(draft, last);
};

/**
 * Takes a turn out of its path, to a place of its own or (null) out of the forest. Its children move up to its parent,
 * in its place. If it is a root, its first child becomes the root, and the others hang from that one. The topic that it
 * opens keeps the name of the branch that it headed and that is gone with it, as in `moveTurn`.
 */
export const extractTurn = (
  draft: Draft,
  { nodeId, placement, label }: { nodeId: NodeId; placement: Placement | null; label: Label | null },
): void => {
  const { forest } = draft;
  const node = forest.nodes[nodeId];
  if (node === undefined) return;
  const branch = forest.branches[node.branchId];
  closeGap(draft, node);
  const own = forest.branches[node.branchId] === undefined ? branch?.title : null;
  if (placement === null) {
    removeNode(draft, node);
    return settleActive(draft, node.treeId);
  }
  // Not the whole turn: undone later, it keeps what it was given since, such as the rest of its reply.
  draft.edit('nodes', nodeId, { ...placement, label: label ?? node.label });
  attach(draft, nodeOf(forest, nodeId));
  if (own && own !== PURGED) draft.edit('trees', placement.treeId, { title: own, titledBy: 'person' });
  if (forest.active?.nodeId === nodeId) activate(draft, nodeId);
};

const closeGap = (draft: Draft, node: Node): void => {
  const { forest } = draft;
  const { id, parentId, branchId, treeId, message } = node;
  const children = childrenOf(forest, id);
  const continuation = children.find((child) => nodeOf(forest, child).branchId === branchId);
  for (const child of children) draft.edit('nodes', child, { parentId });
  draft.remove('children', id);
  if (forest.branches[branchId]?.headId === id) {
    if (continuation === undefined) draft.remove('branches', branchId);
    else draft.edit('branches', branchId, { headId: continuation });
  }
  const tree = forest.trees[treeId];
  if (tree === undefined) return;
  if (parentId !== null) {
    const siblings = childrenOf(forest, parentId).filter((sibling) => sibling !== id);
    setChildren(draft, parentId, [...siblings, ...children]);
    if (tree.activeId === id) draft.edit('trees', treeId, { activeId: standsWithout(forest, node, parentId) });
    return;
  }
  const [heir, ...others] = children;
  if (heir === undefined) return draft.remove('trees', treeId);
  for (const child of others) draft.edit('nodes', child, { parentId: heir });
  if (others.length > 0) setChildren(draft, heir, [...childrenOf(forest, heir), ...others]);
  // As in `beginTree`.
  const title = tree.titledBy !== 'person' && tree.title === message ? nodeOf(forest, heir).message : tree.title;
  const titledBy = tree.titledBy === 'person' ? tree.titledBy : null;
  draft.edit('trees', treeId, { rootId: heir, activeId: tree.activeId === id ? heir : tree.activeId, title, titledBy });
};

/** Removes turns and their subtrees from the forest. */
export const deleteTurns = (draft: Draft, nodeIds: readonly NodeId[]): void => {
  const { forest } = draft;
  for (const id of nodeIds) {
    const node = forest.nodes[id];
    // Already removed with an ancestor.
    if (node === undefined) continue;
    const family = subtree(forest, id);
    detach(draft, node, new Set(family.map((one) => one.id)));
    for (const one of family) {
      if (forest.branches[one.branchId]?.headId === one.id) draft.remove('branches', one.branchId);
      if (forest.children[one.id] !== undefined) draft.remove('children', one.id);
      removeNode(draft, one);
    }
    settleActive(draft, node.treeId);
  }
};

/** Takes turns whose words are gone from the log out of the forest, for good. Their children close the gap. */
export const purgeTurns = (draft: Draft, nodeIds: readonly NodeId[]): void => {
  const { forest } = draft;
  // Last ones first: if a whole subtree goes, there are no gaps to close.
  for (const nodeId of nodeIds.toReversed()) extractTurn(draft, { nodeId, placement: null, label: null });
  // What is left of a title is no name: a topic is titled anew, from the turns that it still has.
  for (const { id, rootId, title } of recordsOf(forest.trees)) {
    if (title === PURGED) draft.edit('trees', id, { title: nodeOf(forest, rootId).message, titledBy: null });
  }
  for (const { id, title } of recordsOf(forest.branches)) {
    if (title === PURGED) draft.edit('branches', id, { title: null });
  }
  draft.endHistory();
};

/** Where a turn should go. */
export interface TurnArrangement {
  readonly nodeId: NodeId;
  readonly placement: Placement;
}

/**
 * Moves many turns at once. Everything that depends on their places (children, branches, topics, the active turn of
 * each topic) is rebuilt for the affected topics, so that a long path costs no more than a short one.
 */
export const arrangeTurns = (draft: Draft, turns: readonly TurnArrangement[]): void => {
  const { forest } = draft;
  const there = turns.filter(({ nodeId }) => forest.nodes[nodeId] !== undefined);
  const touched = new Set(there.flatMap(({ nodeId, placement }) => [nodeOf(forest, nodeId).treeId, placement.treeId]));
  const before = recordsOf(forest.nodes).filter(({ treeId }) => touched.has(treeId));
  const formerBranches = new Set(before.map(({ branchId }) => branchId));
  for (const { nodeId, placement } of there) draft.edit('nodes', nodeId, placement);

  const nodes = before.map(({ id }) => nodeOf(forest, id)).sort(byNumber);
  const children = new Map<NodeId, NodeId[]>();
  for (const { id, parentId } of nodes) {
    if (parentId !== null) children.set(parentId, [...(children.get(parentId) ?? []), id]);
  }
  for (const { id } of nodes) {
    const [was, is] = [childrenOf(forest, id), children.get(id) ?? []];
    if (was.length !== is.length || was.some((child, at) => child !== is[at])) setChildren(draft, id, is);
  }

  const branches = new Set<string>();
  for (const { id, parentId, branchId, treeId } of nodes) {
    branches.add(branchId);
    const isHead = parentId === null || nodeOf(forest, parentId).branchId !== branchId;
    if (!isHead) continue;
    const known = forest.branches[branchId];
    if (known === undefined) draft.put('branches', branchId, { id: branchId, treeId, headId: id, title: null });
    else if (known.treeId !== treeId || known.headId !== id) draft.edit('branches', branchId, { treeId, headId: id });
  }
  for (const id of formerBranches) if (!branches.has(id)) draft.remove('branches', id);

  const latest = new Map(nodes.map(({ treeId, id }) => [treeId, id]));
  for (const { id, parentId, treeId, message } of nodes) {
    if (parentId !== null) continue;
    const known = forest.trees[treeId];
    const stays = known !== undefined && forest.nodes[known.activeId]?.treeId === treeId;
    const activeId = stays ? known.activeId : (latest.get(treeId) ?? id);
    if (known !== undefined) draft.edit('trees', treeId, { rootId: id, activeId });
    else beginTree(draft, { id, treeId, message }, activeId);
  }
  for (const treeId of touched) if (!latest.has(treeId)) draft.remove('trees', treeId);
  if (forest.active !== null) activate(draft, forest.active.nodeId);
};

const removeNode = (draft: Draft, { id, hidden }: Node): void => {
  draft.remove('nodes', id);
  if (hidden) draft.set('hiddenCount', draft.forest.hiddenCount - 1);
};

/** Chooses the new active turn when the current one is gone: where its topic stands, otherwise the most recently active turn elsewhere. */
const settleActive = (draft: Draft, treeId: TreeId): void => {
  const { forest } = draft;
  if (forest.active === null || forest.nodes[forest.active.nodeId] !== undefined) return;
  const latest = newestOf(treesOf(forest).map(({ activeId }) => nodeOf(forest, activeId)));
  const next = forest.trees[treeId]?.activeId ?? latest?.id;
  if (next === undefined) draft.set('active', null);
  else activate(draft, next);
};

const newestOf = (nodes: readonly Node[]): Node | undefined => nodes.toSorted(byNumber).at(-1);
