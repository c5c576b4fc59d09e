import { shownForest } from '../../../app/state.ts';
import type { NodeId } from '../../../domain/forest.ts';
import { isAncestor, pathTo } from '../../../domain/queries.ts';
import { askCanvas } from '../../canvas/canvas-keys.ts';
import type { CommandContext } from '../../commands/command.ts';

/**
 * Goes to a turn: selects it, scrolls to it in the chat and shows it on the canvas, unfolding only what leads to it.
 * This only looks: the active turn stays the same, and nothing is logged. A turn off the active path is read in the
 * view of everything.
 */
export const goToTurn = ({ actions, state }: CommandContext, nodeId: NodeId): void => {
  if (shownForest(state()).nodes[nodeId] === undefined) actions.travel(null);
  const { session } = state();
  const forest = shownForest(state());
  if (forest.nodes[nodeId] === undefined) return actions.announce('That turn no longer exists.');
  const activeId = forest.active?.nodeId ?? null;
  const onPath = activeId !== null && pathTo(forest, activeId).some(({ id }) => id === nodeId);

  const collapsed = session.collapsed.filter((id) => forest.nodes[id] === undefined || !isAncestor(forest, id, nodeId));
  const pane = session.pane === 'inspector' ? ('chat' as const) : session.pane;
  actions.session({
    collapsed: collapsed.length === session.collapsed.length ? session.collapsed : collapsed,
    pane,
    ...(!onPath && { reading: 'everything' }),
  });
  // A turn that is already selected may be far out of view: selecting it again scrolls back to it.
  if (session.selectedId === nodeId) actions.select(null);
  requestAnimationFrame(() => {
    actions.select(nodeId);
    // The canvas has applied the selection by the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => askCanvas({ do: 'actual-size' })));
  });
};
