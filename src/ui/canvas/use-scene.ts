import { useEffect, useMemo, useRef } from 'react';
import { type AppState, shownForest } from '../../app/state.ts';
import type { Trace } from '../../domain/decision.ts';
import type { Forest, NodeId, TreeId } from '../../domain/forest.ts';
import { nodeOf, pendingTurn, replyOf } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { type Folding, foldedBelow, nearPath, openedFor } from './folding.ts';
import { type ForestLayout, layoutForest } from './layout.ts';
import { coloursOf, drawnReferences, ghostOf, type Lit, litBy, type Scene, standingsOf } from './scene.ts';

/** More turns than this at once are not growth but another forest: nothing is animated. */
const GROWTH = 3;
const NONE: ReadonlySet<NodeId> = new Set();

/** The scene as the state has it now, with nothing being dragged, and the turns that are new in it. */
export const useScene = (): { readonly scene: Scene; readonly fresh: ReadonlySet<NodeId> } => {
  const forest = useApp(shownForest);
  const selectedId = useApp((state) => state.session.selectedId);
  const selected = useApp((state) => state.session.selection);
  const colouring = useApp((state) => state.session.colouring);
  const conversationId = useApp((state) => state.conversationId);
  const known = useRef<{ layout: ForestLayout; conversationId: string; fresh: ReadonlySet<NodeId> } | null>(null);
  const activeId = forest.active?.nodeId ?? null;

  const folding = useFolding(forest, activeId, selected);
  const before = known.current?.conversationId === conversationId ? known.current : null;
  const layout = layoutForest(forest, before?.layout ?? null, folding);
  if (before === null || before.layout !== layout) {
    known.current = { layout, conversationId, fresh: before === null ? NONE : newIn(layout, before.layout) };
  }

  const context = activeId === null ? null : replyOf(nodeOf(forest, activeId))?.context;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reply that streams changes the forest, not where turns stand.
  const standings = useMemo(() => standingsOf(forest), [layout, forest.children, activeId, context]);
  const colours = useMemo(() => coloursOf(forest, standings, colouring), [forest, standings, colouring]);
  const references = useMemo(() => drawnReferences(forest, layout), [forest, layout]);
  const { folds, foldedIn } = useFolds(forest, layout, folding);
  const selection = useMemo(() => new Set(selected), [selected]);
  const lit = useLit();
  const pending = pendingTurn(forest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  const ghost = useMemo(
    () => (pending === null ? null : ghostOf(forest, layout, pending)),
    [pending, layout, activeId],
  );
  const scene = useMemo(
    (): Scene => ({
      forest,
      layout,
      standings,
      colours,
      references,
      folds,
      foldedIn,
      selectedId,
      selection,
      lit,
      ghost,
      carry: null,
    }),
    [forest, layout, standings, colours, references, folds, foldedIn, selectedId, selection, lit, ghost],
  );
  return { scene, fresh: known.current?.fresh ?? NONE };
};

/** What the person has folded away; the same object as long as it is the same. */
const useFolding = (forest: Forest, activeId: NodeId | null, selected: readonly NodeId[]): Folding => {
  const collapsed = useApp((state) => state.session.collapsed);
  const onlyNear = useApp((state) => state.session.nearPath);
  const { children } = forest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the forest, its shape alone counts.
  const near = useMemo(
    () => (onlyNear && activeId !== null ? nearPath(forest, selected) : null),
    [children, activeId, selected, onlyNear],
  );
  return useMemo(() => ({ collapsed: new Set(collapsed), near }), [collapsed, near]);
};

const useFolds = (forest: Forest, layout: ForestLayout, folding: Folding) => {
  const { children } = forest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  return useMemo(() => {
    const folded = folding.collapsed.size > 0 || folding.near !== null;
    const shown = folded ? layout.trees.flatMap(({ tree }) => tree.ids) : [];
    const folds = foldedBelow(forest, folding, shown);
    const foldedIn = new Map<TreeId, number>();
    for (const [id, count] of folds) {
      const { treeId } = nodeOf(forest, id);
      foldedIn.set(treeId, (foldedIn.get(treeId) ?? 0) + count);
    }
    return { folds, foldedIn };
  }, [children, layout, folding]);
};

const newIn = (layout: ForestLayout, before: ForestLayout): ReadonlySet<NodeId> => {
  if (Math.abs(layout.turns - before.turns) > GROWTH) return NONE;
  const changed = layout.trees.filter(({ treeId, tree }) => before.placeOf.get(treeId)?.tree !== tree);
  const ids = changed.flatMap(({ tree }) =>
    // A turn that comes from another topic is not new.
    tree.ids.filter((id) => !before.trees.some((old) => old.tree.indexOf.has(id))),
  );
  return ids.length <= GROWTH ? new Set(ids) : NONE;
};

/** A turn that is selected or becomes active is seen: what it is folded into opens, and nothing else. */
export const useReveal = (): void => {
  const actions = useActions();
  const state = useAppState();
  const selectedId = useApp((now) => now.session.selectedId);
  const activeId = useApp((now) => shownForest(now).active?.nodeId ?? null);

  useEffect(() => {
    for (const id of [selectedId, activeId]) {
      const { collapsed } = state().session;
      const opened = id === null ? collapsed : openedFor(shownForest(state()), collapsed, id);
      if (opened !== collapsed) actions.session({ collapsed: opened });
    }
  }, [actions, state, selectedId, activeId]);
};

/** Of the turn that the Decision tab shows because it was selected, or because it is being written; null of none. */
const useLit = (): Lit | null => {
  const trace = useApp(shownTrace);
  return useMemo(() => (trace === null ? null : litBy(trace)), [trace]);
};

/** The active turn's is shown, too, where nothing is selected; but nobody has asked about it. */
const shownTrace = (state: AppState): Trace | null => {
  const { tab, selectedId, folded } = state.session;
  if (tab !== 'decision' || folded.includes('inspector')) return null;
  const node = selectedId === null ? state.preview?.shown?.node : shownForest(state).nodes[selectedId];
  return node?.decision.trace ?? null;
};
