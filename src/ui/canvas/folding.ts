import { type AppState, shownForest } from '../../app/state.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { activePath, childrenOf, pathTo } from '../../domain/queries.ts';

/** What the canvas leaves out of the forest. */
export interface Folding {
  /** Turns whose descendants are folded away. */
  readonly collapsed: ReadonlySet<NodeId>;
  /** The only turns shown; null shows all. */
  readonly near: ReadonlySet<NodeId> | null;
}

export const UNFOLDED: Folding = { collapsed: new Set(), near: null };
const NO_CHILDREN: readonly NodeId[] = [];

/** A turn's visible children. */
export const shownChildren = (forest: Forest, { collapsed, near }: Folding, id: NodeId): readonly NodeId[] => {
  if (collapsed.has(id)) return NO_CHILDREN;
  const children = childrenOf(forest, id);
  return near === null ? children : children.filter((child) => near.has(child));
};

/**
 * The active path and what hangs from it or is referred to from it, each with what leads there; also what leads to the
 * turns in `also`, so that the selection stays visible.
 */
export const nearPath = (forest: Forest, also: readonly NodeId[]): ReadonlySet<NodeId> => {
  const near = new Set<NodeId>();
  const lead = (id: NodeId): void => {
    if (forest.nodes[id] !== undefined) for (const node of pathTo(forest, id)) near.add(node.id);
  };
  for (const { id, references } of activePath(forest)) {
    near.add(id);
    for (const child of childrenOf(forest, id)) near.add(child);
    for (const { to } of references) lead(to);
  }
  for (const id of also) lead(id);
  return near;
};

/** The number of turns folded away below each visible turn that has any. */
export const foldedBelow = (forest: Forest, folding: Folding, shown: Iterable<NodeId>): ReadonlyMap<NodeId, number> => {
  const counts = new Map<NodeId, number>();
  for (const id of shown) {
    const children = childrenOf(forest, id);
    if (children.length === 0) continue;
    const seen = new Set(shownChildren(forest, folding, id));
    if (seen.size === children.length) continue;
    let count = 0;
    const stack = children.filter((child) => !seen.has(child));
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      count++;
      stack.push(...childrenOf(forest, next));
    }
    counts.set(id, count);
  }
  return counts;
};

/** The folded turns that can stay folded while a turn is shown. Returns the same array if nothing has to open. */
export const unfoldToShow = (forest: Forest, collapsed: readonly NodeId[], id: NodeId): readonly NodeId[] => {
  if (collapsed.length === 0 || forest.nodes[id] === undefined) return collapsed;
  const above = new Set(pathTo(forest, id).map((node) => node.id));
  above.delete(id);
  return collapsed.some((one) => above.has(one)) ? collapsed.filter((one) => !above.has(one)) : collapsed;
};

/** What stays folded while the selected turn is shown, at whatever moment. */
export const foldedBesideSelected = (state: AppState): readonly NodeId[] =>
  unfoldToShow(shownForest(state), state.session.collapsed, state.session.selectedId ?? '');

/**
 * What stays folded while the active turn of now is shown. Not those of the past: going through it would unfold for good
 * whatever the conversation has ever passed through.
 */
export const foldedBesideActive = ({ forest, session }: AppState): readonly NodeId[] =>
  unfoldToShow(forest, session.collapsed, forest.active?.nodeId ?? '');

/** The turn itself if it is shown, else its nearest shown ancestor; null if its topic is not shown. */
export const standInFor = (forest: Forest, isShown: (node: Node) => boolean, id: NodeId): NodeId | null => {
  for (let node = forest.nodes[id]; node !== undefined; ) {
    if (isShown(node)) return node.id;
    node = node.parentId === null ? undefined : forest.nodes[node.parentId];
  }
  return null;
};

/** The session after folding or unfolding turns. Unfolding clears everything that hides what is below them. */
export const toggleFolds = (
  session: { readonly collapsed: readonly NodeId[]; readonly nearPath: boolean },
  ids: readonly NodeId[],
  unfold: boolean,
): { collapsed: readonly NodeId[]; nearPath: boolean } => {
  const others = session.collapsed.filter((id) => !ids.includes(id));
  if (!unfold) return { collapsed: [...others, ...ids], nearPath: session.nearPath };
  return { collapsed: others, nearPath: session.nearPath && others.length < session.collapsed.length };
};

/** Folds what is below turns, or unfolds it where all of it is folded; null if nothing is below any of them. */
export const toggleBelow = (
  session: Parameters<typeof toggleFolds>[0],
  forest: Forest,
  ids: readonly NodeId[],
  folds: ReadonlyMap<NodeId, number>,
): ReturnType<typeof toggleFolds> | null => {
  const parents = ids.filter((id) => childrenOf(forest, id).length > 0);
  if (parents.length === 0) return null;
  return toggleFolds(
    session,
    parents,
    parents.every((id) => folds.has(id)),
  );
};
