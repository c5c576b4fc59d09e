import { shownForest } from '../../../app/state.ts';
import type { NodeId } from '../../../domain/forest.ts';
import { isAncestor, pathTo } from '../../../domain/queries.ts';
import { askCanvas } from '../../canvas/canvas-keys.ts';
import type { Reach } from './command.ts';

/**
 * Lands on a turn: selected, read in the chat, seen on the canvas, with nothing unfolded but what leads to it. That is looking: the active
 * turn stays what it was, and nothing is written down. A turn off the active path is read where everything is.
 */
export const goToTurn = ({ actions, state }: Reach, nodeId: NodeId): void => {
  if (shownForest(state()).nodes[nodeId] === undefined) actions.travel(null);
  const { session } = state();
  const forest = shownForest(state());
  if (forest.nodes[nodeId] === undefined) return actions.announce('That turn is no longer there.');
  const activeId = forest.active?.nodeId ?? null;
  const onPath = activeId !== null && pathTo(forest, activeId).some(({ id }) => id === nodeId);

  const collapsed = session.collapsed.filter((id) => forest.nodes[id] === undefined || !isAncestor(forest, id, nodeId));
  const pane = session.pane === 'inspector' ? ('chat' as const) : session.pane;
  actions.session({
    collapsed: collapsed.length === session.collapsed.length ? session.collapsed : collapsed,
    pane,
    ...(!onPath && { reading: 'everything' }),
  });
  // Selected already, it may be far out of sight: selecting it anew brings it back.
  if (session.selectedId === nodeId) actions.select(null);
  requestAnimationFrame(() => {
    actions.select(nodeId);
    // The canvas has it selected by the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => askCanvas({ do: 'actual-size' })));
  });
};
