import { useMemo, useRef } from 'react';
import { shownForest } from '../../app/state.ts';
import type { NodeId } from '../../domain/forest.ts';
import { nodeOf, pendingTurn, replyOf } from '../../domain/queries.ts';
import { useApp } from '../app-context.ts';
import { type ForestLayout, layoutForest } from './forest-layout.ts';
import { ghostOf } from './ghost-box.ts';
import type { Scene } from './scene.ts';
import { standingsOf } from './standing.ts';

/** More turns than this at once are not growth but another forest: nothing is animated. */
const GROWTH = 3;
const NONE: ReadonlySet<NodeId> = new Set();

/** The scene as the state has it now, and the turns that are new in it. */
export const useScene = (): { readonly scene: Scene; readonly fresh: ReadonlySet<NodeId> } => {
  const forest = useApp(shownForest);
  const selectedId = useApp((state) => state.session.selectedId);
  const conversationId = useApp((state) => state.conversationId);
  const known = useRef<{ layout: ForestLayout; conversationId: string; fresh: ReadonlySet<NodeId> } | null>(null);

  const before = known.current?.conversationId === conversationId ? known.current : null;
  const layout = layoutForest(forest, before?.layout ?? null);
  if (before === null || before.layout !== layout) {
    known.current = { layout, conversationId, fresh: before === null ? NONE : newIn(layout, before.layout) };
  }

  const activeId = forest.active?.nodeId ?? null;
  const context = activeId === null ? null : replyOf(nodeOf(forest, activeId))?.context;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reply that streams changes the forest, not where turns stand.
  const standings = useMemo(() => standingsOf(forest), [layout, activeId, context]);
  const pending = pendingTurn(forest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  const ghost = useMemo(
    () => (pending === null ? null : ghostOf(forest, layout, pending)),
    [pending, layout, activeId],
  );
  const scene = useMemo(
    () => ({ forest, layout, standings, selectedId, ghost }),
    [forest, layout, standings, selectedId, ghost],
  );
  return { scene, fresh: known.current?.fresh ?? NONE };
};

const newIn = (layout: ForestLayout, before: ForestLayout): ReadonlySet<NodeId> => {
  if (Math.abs(layout.turns - before.turns) > GROWTH) return NONE;
  const changed = layout.trees.filter(({ treeId, tree }) => before.placeOf.get(treeId)?.tree !== tree);
  const ids = changed.flatMap(({ treeId, tree }) => {
    const old = before.placeOf.get(treeId)?.tree.indexOf;
    return tree.ids.filter((id) => old?.has(id) !== true);
  });
  return ids.length <= GROWTH ? new Set(ids) : NONE;
};
