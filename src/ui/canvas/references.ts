import type { Forest, NodeId } from '../../domain/forest.ts';
import { standInFor } from './folding.ts';
import { boxOf, cardOf, type ForestLayout } from './forest-layout.ts';
import type { Rect } from './measures.ts';

/** A reference as it is drawn: from card to card; where a turn is folded away, from the card it is folded into. */
export interface DrawnReference {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly fromBox: Rect;
  readonly toBox: Rect;
}

/** All references between cards that are shown. */
export const drawnReferences = (forest: Forest, layout: ForestLayout): readonly DrawnReference[] => {
  const shown = (id: NodeId) => standInFor(forest, (node) => cardOf(layout, node) !== null, id);
  return Object.values(forest.nodes).flatMap(({ id, references }) =>
    references.flatMap(({ to }) => {
      const [a, b] = [shown(id), shown(to)];
      if (a === null || b === null || a === b) return [];
      const [from, end] = [cardOf(layout, forest.nodes[a]), cardOf(layout, forest.nodes[b])];
      return from === null || end === null ? [] : [{ from: a, to: b, fromBox: boxOf(from), toBox: boxOf(end) }];
    }),
  );
};
