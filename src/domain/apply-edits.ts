import type { EventOf } from './events.ts';
import type { Forest, Node, NodeId } from './forest.ts';
import { childrenOf, nodeOf, subtree, treesOf } from './queries.ts';
import { activate, hang, inOrderOfTime, unhang, type Write } from './shape.ts';

export const moved = (forest: Forest, write: Write, { nodeId, placement, label }: EventOf<'turn-moved'>): void => {
  const family = subtree(forest, nodeId);
  const familyIds = new Set(family.map((node) => node.id));
  const { branchId: formerBranch } = nodeOf(forest, nodeId);
  unhang(forest, write, nodeOf(forest, nodeId), familyIds);

  for (const { id, branchId } of family) {
    write(['nodes', id, 'treeId'], placement.treeId);
    if (branchId === formerBranch) write(['nodes', id, 'branchId'], placement.branchId);
    else write(['branches', branchId, 'treeId'], placement.treeId);
  }
  write(['nodes', nodeId, 'parentId'], placement.parentId);
  if (label !== null) write(['nodes', nodeId, 'label'], label);
  hang(forest, write, nodeOf(forest, nodeId));

  const { active } = forest;
  if (active !== null && familyIds.has(active.nodeId)) activate(forest, write, active.nodeId);
};

/**
 * The children of the turn hang from its parent, in its place. The first of a topic's root becomes the root, and
 * the others hang from it.
 */
export const extracted = (
  forest: Forest,
  write: Write,
  { nodeId, placement, label }: EventOf<'turn-extracted'>,
): void => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return;
  closeGap(forest, write, node);
  if (placement === null) {
    forget(forest, write, node);
    return settleActive(forest, write, node.parentId ?? heirOf(node, forest));
  }
  write(['nodes', nodeId], { ...node, ...placement, label: label ?? node.label });
  hang(forest, write, nodeOf(forest, nodeId));
  if (forest.active?.nodeId === nodeId) activate(forest, write, nodeId);
};

const closeGap = (forest: Forest, write: Write, { id, parentId, branchId, treeId }: Node): void => {
  const children = childrenOf(forest, id);
  const goesOn = children.find((child) => nodeOf(forest, child).branchId === branchId);
  for (const child of children) write(['nodes', child, 'parentId'], parentId);
  write(['children', id], undefined);
  const branch = forest.branches[branchId];
  if (branch?.headId === id)
    write(['branches', branchId], goesOn === undefined ? undefined : { ...branch, headId: goesOn });
  const tree = forest.trees[treeId];
  if (tree === undefined) return;
  if (parentId !== null) {
    const siblings = childrenOf(forest, parentId).filter((sibling) => sibling !== id);
    const all = inOrderOfTime(forest, [...siblings, ...children]);
    write(['children', parentId], all.length === 0 ? undefined : all);
    if (tree.activeId === id) write(['trees', treeId, 'activeId'], parentId);
    return;
  }
  const heir = children[0];
  if (heir === undefined) return write(['trees', treeId], undefined);
  const others = children.slice(1);
  for (const child of others) write(['nodes', child, 'parentId'], heir);
  if (others.length > 0) write(['children', heir], inOrderOfTime(forest, [...childrenOf(forest, heir), ...others]));
  write(['trees', treeId], { ...tree, rootId: heir, activeId: tree.activeId === id ? heir : tree.activeId });
};

const heirOf = ({ treeId }: Node, forest: Forest): NodeId | null => forest.trees[treeId]?.rootId ?? null;

/** Takes turns out of the forest. With a turn goes everything under it. */
export const removed = (forest: Forest, write: Write, nodeIds: readonly NodeId[]): void => {
  for (const id of nodeIds) {
    const node = forest.nodes[id];
    // Gone with a turn above it.
    if (node === undefined) continue;
    const family = subtree(forest, id);
    const ids = new Set(family.map((one) => one.id));
    unhang(forest, write, node, ids);
    for (const one of family) {
      if (forest.branches[one.branchId]?.headId === one.id) write(['branches', one.branchId], undefined);
      if (forest.children[one.id] !== undefined) write(['children', one.id], undefined);
      forget(forest, write, one);
    }
    settleActive(forest, write, node.parentId);
  }
};

const forget = (forest: Forest, write: Write, { id, hidden: was }: Node): void => {
  write(['nodes', id], undefined);
  if (was) write(['hiddenCount'], forest.hiddenCount - 1);
};

/** Where the conversation stands when the active turn is gone: at its parent, else where it was last elsewhere. */
const settleActive = (forest: Forest, write: Write, parentId: NodeId | null): void => {
  const { active } = forest;
  if (active === null || forest.nodes[active.nodeId] !== undefined) return;
  const latest = treesOf(forest)
    .map(({ activeId }) => nodeOf(forest, activeId))
    .reduce<Node | null>((last, node) => (last === null || node.number > last.number ? node : last), null);
  const next = parentId !== null && forest.nodes[parentId] !== undefined ? parentId : latest?.id;
  if (next === undefined) write(['active'], null);
  else activate(forest, write, next);
};

export const hidden = (forest: Forest, write: Write, { nodeIds, hidden: hides }: EventOf<'turns-hidden'>): void => {
  for (const id of nodeIds) {
    const node = forest.nodes[id];
    if (node === undefined || node.hidden === hides) continue;
    write(['nodes', id, 'hidden'], hides);
    write(['hiddenCount'], forest.hiddenCount + (hides ? 1 : -1));
  }
};

export const referred = (
  forest: Forest,
  write: Write,
  event: EventOf<'reference-added' | 'reference-removed'>,
): void => {
  const node = forest.nodes[event.nodeId];
  if (node === undefined) return;
  const to = event.type === 'reference-added' ? event.reference.to : event.to;
  const others = node.references.filter((reference) => reference.to !== to);
  write(['nodes', node.id, 'references'], event.type === 'reference-added' ? [...others, event.reference] : others);
};
