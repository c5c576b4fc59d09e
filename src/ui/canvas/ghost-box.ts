import type { Forest, PendingTurn } from '../../domain/forest.ts';
import { nearestIds } from './find-cards.ts';
import { boxOf, cardOf, type ForestLayout } from './forest-layout.ts';
import { CARD, type Rect, ROW_GAP, SIBLING_GAP, TITLE_HEIGHT, TOPIC_GAP } from './measures.ts';

export interface Ghost {
  readonly box: Rect;
  /** The card that it goes on from, if it does. */
  readonly from: Rect | null;
}

/**
 * Where a turn waits while its place is being decided: at the nearest free spot under the turn it
 * may go on from, or beside the last topic where it is to open one.
 */
export const ghostOf = (forest: Forest, layout: ForestLayout, { target }: PendingTurn): Ghost => {
  const fromId = target?.kind === 'under' ? target.nodeId : (forest.active?.nodeId ?? '');
  const from = cardOf(layout, forest.nodes[fromId]);
  const last = layout.trees.at(-1);
  if (last === undefined) return { box: { x: 0, y: TITLE_HEIGHT, ...CARD }, from: null };
  if (from === null || target?.kind === 'new-topic') {
    return { box: { x: last.x + last.tree.width + TOPIC_GAP, y: last.y, ...CARD }, from: null };
  }
  const card = boxOf(from);
  const y = card.y + CARD.height + ROW_GAP;
  for (let step = 0; ; step++) {
    const away = Math.ceil(step / 2) * (CARD.width + SIBLING_GAP) * (step % 2 === 0 ? -1 : 1);
    const box = { x: card.x + away, y, ...CARD };
    if (nearestIds(layout, box, 1).length === 0) return { box, from: card };
  }
};
