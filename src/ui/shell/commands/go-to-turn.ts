import { shownForest } from '../../../app/state.ts';
import type { NodeId } from '../../../domain/forest.ts';
import { isAncestor, nodeOf, pathTo, tipOf } from '../../../domain/queries.ts';
import { askCanvas } from './canvas-port.ts';
import type { Reach } from './command.ts';

/**
 * Lands on a turn: selected, read in the chat, seen on the canvas, with nothing unfolded but what leads to it. A turn
 * of another branch makes that branch the active one, for the chat reads the active path.
 */
export const goToTurn = async ({ actions, state }: Reach, nodeId: NodeId): Promise<void> => {
  if (shownForest(state()).nodes[nodeId] === undefined) actions.travel(null);
  const { forest, past } = state();
  const shown = shownForest(state());
  const node = shown.nodes[nodeId];
  if (node === undefined) return actions.announce('That turn is no longer there.');
  const activeId = shown.active?.nodeId ?? null;
  const onPath = activeId !== null && pathTo(shown, activeId).some(({ id }) => id === nodeId);
  if (!onPath && past === null) await actions.activate(tipOf(forest, nodeOf(forest, nodeId)).id);

  const { session } = state();
  const now = shownForest(state());
  const collapsed = session.collapsed.filter((id) => now.nodes[id] === undefined || !isAncestor(now, id, nodeId));
  const pane = session.pane === 'inspector' ? ('chat' as const) : session.pane;
  actions.session({ collapsed: collapsed.length === session.collapsed.length ? session.collapsed : collapsed, pane });
  // Selected already, it may be far out of sight: selecting it anew brings it back.
  if (session.selectedId === nodeId) actions.select(null);
  requestAnimationFrame(() => {
    actions.select(nodeId);
    // The canvas has it selected by the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => askCanvas({ do: 'actual-size' })));
  });
};
