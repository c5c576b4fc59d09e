import type { Context, Segment } from '../../domain/context.ts';
import type { Target } from '../../domain/decision.ts';
import { type Branch, byNumber, type Forest, type Node, type NodeId, RECALL, type Tree } from '../../domain/forest.ts';
import { beginning, childrenOf, nodeOf, subtree } from '../../domain/queries.ts';
import { changedNode } from '../../domain/stored-forest.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';

/** Length in UTF-16 units of a message that stands in for a title. */
const TITLE_LENGTH = 60;

/** The most recent result, for repeated calls about the same turn. */
let last: { readonly of: Forest; readonly shown: NodeId | null; readonly visible: Forest } | null = null;

/**
 * A forest as models may see it: without hidden turns, whose children take their places. Read-only: decisions and
 * contexts are made from it but refer to the whole forest. `shown`: a turn to include even if hidden, such as the one
 * being replied to.
 */
export const visibleForest = (forest: Forest, shown: NodeId | null = null): Forest => {
  if (forest.hiddenCount === 0) return forest;
  const known = last !== null && last.shown === shown && sameTurns(last.of, forest) ? last : null;
  if (known?.of === forest) return known.visible;
  const visible =
    known === null ? without(forest, (node) => node.hidden && node.id !== shown) : withTurnsOf(known.visible, forest);
  last = { of: forest, shown, visible };
  return visible;
};

const sameTurns = (a: Forest, b: Forest): boolean =>
  a.nodes === b.nodes &&
  a.trees === b.trees &&
  a.children === b.children &&
  a.branches === b.branches &&
  a.active === b.active;

/** The turns as they are in one forest, and everything else, such as the number of turns sent, as in the other. */
const withTurnsOf = ({ nodes, trees, children, branches, active }: Forest, forest: Forest): Forest => ({
  ...forest,
  hiddenCount: 0,
  nodes,
  trees,
  children,
  branches,
  active,
});

/** The turn itself, or its nearest visible ancestor. */
const standInOf = (forest: Forest, visible: Forest, nodeId: NodeId): NodeId | null => {
  for (let id: NodeId | null = nodeId; id !== null; id = nodeOf(forest, id).parentId) {
    if (visible.nodes[id] !== undefined) return id;
  }
  return null;
};

const without = (forest: Forest, hides: (node: Node) => boolean): Forest => {
  const nodes: Record<NodeId, Node> = {};
  const children: Record<NodeId, NodeId[]> = {};
  const trees: Record<string, Tree> = {};
  const branches: Record<string, Branch> = {};
  for (const tree of recordsOf(forest.trees)) {
    const family = subtree(forest, tree.rootId);
    const roots: NodeId[] = [];
    for (const node of family) {
      if (hides(node)) continue;
      const parentId = nearestShown(forest, node.parentId, hides);
      nodes[node.id] = parentId === node.parentId ? node : changedNode(node, { parentId });
      if (parentId === null) roots.push(node.id);
      else children[parentId] = [...(children[parentId] ?? []), node.id];
      const branch = forest.branches[node.branchId];
      // Parents come before children, so the first turn of a branch heads it.
      if (branch !== undefined && branches[branch.id] === undefined)
        branches[branch.id] = { ...branch, headId: node.id };
    }
    const [rootId, ...others] = roots;
    if (rootId === undefined) continue;
    // A single root reaches everything left of the topic; the path to each other root starts at that turn itself.
    if (others.length > 0) children[rootId] = [...(children[rootId] ?? []), ...others];
    const activeId = nearestShown(forest, tree.activeId, hides) ?? rootId;
    // An engine-made title uses words of the root, or of the first two turns, so it is replaced if one of them is hidden.
    // The root is not the first one where earlier turns were moved under it.
    const titling = [nodeOf(forest, tree.rootId), ...family.toSorted(byNumber).slice(0, 2)];
    const ownTitle = tree.titledBy === 'person' || !titling.some(hides);
    const title = ownTitle ? tree.title : titleOf(nodeOf(forest, rootId));
    trees[tree.id] = { ...tree, rootId, activeId, title };
  }
  const activeId = forest.active === null ? null : activeOf(forest, trees, hides);
  const at = activeId === null ? undefined : nodes[activeId];
  return {
    ...forest,
    hiddenCount: 0,
    nodes: inTheSameOrder(forest, nodes),
    children,
    trees,
    branches,
    active: at === undefined ? null : { treeId: at.treeId, branchId: at.branchId, nodeId: at.id },
  };
};

const titleOf = ({ message }: Node): string => beginning(message, TITLE_LENGTH);

const nearestShown = (forest: Forest, nodeId: NodeId | null, hides: (node: Node) => boolean): NodeId | null => {
  let id = nodeId;
  while (id !== null && hides(nodeOf(forest, id))) id = nodeOf(forest, id).parentId;
  return id;
};

/** If the topic is entirely hidden, the conversation stands at the topic visited last. */
const activeOf = (forest: Forest, trees: Record<string, Tree>, hides: (node: Node) => boolean): NodeId | null => {
  const { active } = forest;
  const own = active === null ? undefined : trees[active.treeId];
  if (active !== null && own !== undefined) return nearestShown(forest, active.nodeId, hides) ?? own.rootId;
  const latest = recordsOf(trees).toSorted(
    (a, b) => nodeOf(forest, b.activeId).number - nodeOf(forest, a.activeId).number,
  );
  return latest[0]?.activeId ?? null;
};

const inTheSameOrder = (forest: Forest, nodes: Record<NodeId, Node>): Record<NodeId, Node> =>
  Object.fromEntries(idsOf(forest.nodes).flatMap((id) => (nodes[id] === undefined ? [] : [[id, nodes[id]]])));

/** Maps the parent that a decision chose in the visible forest to the parent in the whole forest. */
export const realParent = (forest: Forest, visible: Forest, parentId: NodeId | null): NodeId | null => {
  if (parentId === null || visible === forest) return parentId;
  const { treeId } = nodeOf(forest, parentId);
  const here = forest.active?.treeId === treeId ? forest.active.nodeId : (forest.trees[treeId]?.activeId ?? parentId);
  // The turn continues where its topic stands, even if that turn is hidden.
  const goesOn = standInOf(forest, visible, here) === parentId && childrenOf(forest, parentId).length > 0;
  return goesOn ? here : parentId;
};

/** Returns a message's target in the visible forest; a new topic if the target's topic is entirely hidden. */
export const visibleTarget = (forest: Forest, visible: Forest, target: Target | null): Target | null => {
  if (target?.kind !== 'under') return target;
  const nodeId =
    standInOf(forest, visible, target.nodeId) ?? visible.trees[nodeOf(forest, target.nodeId).treeId]?.rootId;
  return nodeId === undefined ? { kind: 'new-topic' } : { kind: 'under', nodeId };
};

/**
 * Whether a context can be sent again verbatim: nothing in it has been deleted, hidden or undone since, and no reply in
 * it only quotes, as older contexts allowed. The message itself is being answered, hidden or not. `shown`: as it was for
 * `visibleForest` when it was built.
 */
export const sendableAgain = (forest: Forest, { segments }: Context, shown: NodeId | null = null): boolean =>
  segments.every((segment) => stands(forest, segment, shown));

const stands = (forest: Forest, segment: Segment, shown: NodeId | null): boolean => {
  switch (segment.kind) {
    case 'instructions':
    case 'path-left-out':
    case 'history-left-out':
    case 'turns-left-out':
    case 'elsewhere':
      return true;
    case 'message':
      return forest.nodes[segment.nodeId] !== undefined;
    case 'fetched': {
      const { treeId, head } = segment;
      // The topic may have another title by now, or one that no longer has the words of a hidden turn.
      const isTitled = treeId === undefined || head.endsWith(`, ${visibleForest(forest, shown).trees[treeId]?.title}`);
      return isTitled && isSendable(forest, segment);
    }
    case 'turn':
    case 'shortened':
      return isSendable(forest, segment);
    case 'turn-summary':
    case 'turn-line':
    case 'reference-summary':
      return isShown(forest, segment.nodeId);
    case 'memory':
      return segment.from.every((id) => isShown(forest, id));
    case 'overview':
      return (
        forest.overviews[segment.overviewId]?.lines.every(
          (line) => line.kind === 'left-out' || line.nodeIds.every((id) => isShown(forest, id)),
        ) === true
      );
  }
};

/** Whether the turn is still there with the reply it was sent with, which does not only quote. */
const isSendable = (forest: Forest, segment: Segment & { kind: 'turn' | 'shortened' | 'fetched' }): boolean => {
  const { nodeId, replyId } = segment;
  const reply = forest.nodes[nodeId]?.replies.find(({ id }) => id === replyId);
  const sendsReply = segment.kind === 'turn' ? segment.unanswered !== true : segment.reply === null;
  const quotes = reply?.model === RECALL && sendsReply;
  return (replyId === null || reply !== undefined) && !quotes && isShown(forest, nodeId);
};

const isShown = (forest: Forest, nodeId: NodeId): boolean => forest.nodes[nodeId]?.hidden === false;
