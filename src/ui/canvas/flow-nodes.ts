import type { NodeId, PendingTurn } from '../../domain/forest.ts';
import { topicColour } from '../topic-colour.ts';
import { boxOf, cardOf } from './forest-layout.ts';
import type { GhostNode } from './ghost-card.tsx';
import { CARD } from './measures.ts';
import type { Scene } from './scene.ts';
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
    const { forest, layout, standings, selectedId } = scene;
    const next: typeof cache = new Map();
    for (const id of mounted) {
      const card = cardOf(layout, forest.nodes[id]);
      if (card === null) continue;
      const { x, y } = boxOf(card);
      const { order } = card.placed;
      const standing = standingOf(standings, id);
      const active = forest.active?.nodeId === id;
      const selected = selectedId === id;
      const look = `${x} ${y} ${order} ${standing} ${active} ${selected}`;
      const known = cache.get(id);
      if (known?.look === look) {
        next.set(id, known);
        continue;
      }
      const data = {
        standing,
        active,
        selected,
        fresh: known?.node.data.fresh ?? fresh.has(id),
        colour: topicColour(order),
      };
      next.set(id, { node: { ...FIXED, id, type: 'turn', position: { x, y }, data }, look });
    }
    cache = next;
    return [...next.values()].map(({ node }) => node);
  };
};

export const ghostNode = ({ number, message }: PendingTurn, { x, y }: { x: number; y: number }): GhostNode => ({
  ...FIXED,
  id: 'pending',
  type: 'ghost',
  position: { x, y },
  data: { number, message: message.slice(0, 160) },
});
