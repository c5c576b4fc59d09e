import type { NodeId, PendingTurn } from '../../domain/forest.ts';
import { COLOURS } from './colours.ts';
import { boxOf, cardOf } from './forest-layout.ts';
import type { GhostNode } from './ghost-card.tsx';
import { CARD } from './measures.ts';
import type { Carry, Scene } from './scene.ts';
import { standingOf } from './standing.ts';
import type { CardNode } from './turn-card.tsx';

const FIXED = {
  ...CARD,
  measured: CARD,
  // Given, or each card would be measured for handles that it does not have.
  handles: [],
  // The canvas is one thing to a screen reader; the outline is its equal.
  domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined } as object,
};

/** Makes the nodes for React Flow, the same object as before for every card that looks the same. */
export const createFlowNodes = () => {
  let cache = new Map<NodeId, { node: CardNode; look: string }>();

  return (scene: Scene, mounted: ReadonlySet<NodeId>, fresh: ReadonlySet<NodeId>): CardNode[] => {
    const { forest, layout, standings, colours, folds, selectedId, selection, carry, lit } = scene;
    const next: typeof cache = new Map();
    for (const id of mounted) {
      const card = cardOf(layout, forest.nodes[id]);
      if (card === null) continue;
      const { x, y } = boxOf(card);
      const shown = {
        colour: COLOURS[colours.of(id, card.placed.order)] as string,
        by: colours.by,
        standing: standingOf(forest, standings, id),
        onPath: standings.path.has(id),
        active: forest.active?.nodeId === id,
        selected: selectedId === id ? ('first' as const) : selection.has(id) ? ('also' as const) : null,
        folded: folds.get(id) ?? 0,
        drag: dragOf(carry, id),
        near: lit?.near.get(id) ?? null,
        point: lit?.point === id,
      };
      const look = `${x} ${y} ${Object.values(shown).join(' ')}`;
      const known = cache.get(id);
      if (known?.look === look) {
        next.set(id, known);
        continue;
      }
      const data = { ...shown, fresh: known?.node.data.fresh ?? fresh.has(id) };
      next.set(id, { node: { ...FIXED, id, type: 'turn', position: { x, y }, data }, look });
    }
    cache = next;
    return [...next.values()].map(({ node }) => node);
  };
};

const dragOf = (carry: Carry | null, id: NodeId): 'carried' | 'target' | 'refused' | 'open' | null => {
  if (carry === null) return null;
  if (carry.over === id) return carry.refused ? 'refused' : 'target';
  return carry.family.has(id) ? 'carried' : 'open';
};

export const ghostNode = ({ number, message }: PendingTurn, { x, y }: { x: number; y: number }): GhostNode => ({
  ...FIXED,
  id: 'pending',
  type: 'ghost',
  position: { x, y },
  data: { number, message: message.slice(0, 160) },
});
