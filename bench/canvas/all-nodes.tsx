import { type Edge, ReactFlow } from '@xyflow/react';
import { useState } from 'react';
import type { Forest } from '../../src/domain/forest.ts';
import { recordsOf } from '../../src/domain/table.ts';
import { CARD, openingView } from '../../src/ui/canvas/geometry.ts';
import { boxOf, cardOf, layoutForest } from '../../src/ui/canvas/layout.ts';
import { standingOf, standingsOf } from '../../src/ui/canvas/scene.ts';
import { type CardNode, TurnCard } from '../../src/ui/canvas/turn-card.tsx';
import { topicColour } from '../../src/ui/topic-colour.ts';

const NODE_TYPES = { turn: TurnCard };

/** The baseline: the same cards in the same positions, all passed to React Flow, which renders the visible ones. */
export const AllNodes = ({ forest }: { forest: Forest }) => {
  const [{ nodes, edges, view }] = useState(() => graphOf(forest));
  return (
    <ReactFlow
      aria-label="Canvas"
      tabIndex={0}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      defaultViewport={view}
      minZoom={0.01}
      nodesDraggable={false}
      nodesConnectable={false}
      elementsSelectable={false}
      onlyRenderVisibleElements
    />
  );
};

const graphOf = (forest: Forest) => {
  const layout = layoutForest(forest, null);
  const standings = standingsOf(forest);
  const nodes: CardNode[] = [];
  const edges: Edge[] = [];
  for (const node of recordsOf(forest.nodes)) {
    const card = cardOf(layout, node);
    if (card === null) continue;
    const { x, y } = boxOf(card);
    const active = forest.active?.nodeId === node.id;
    const colour = topicColour(card.placed.order);
    nodes.push({
      id: node.id,
      type: 'turn',
      position: { x, y },
      ...CARD,
      measured: CARD,
      handles: [
        { type: 'target', position: 'top' as never, x: CARD.width / 2, y: 0, width: 1, height: 1 },
        { type: 'source', position: 'bottom' as never, x: CARD.width / 2, y: CARD.height, width: 1, height: 1 },
      ],
      data: {
        standing: standingOf(forest, standings, node.id),
        onPath: standings.path.has(node.id),
        active,
        selected: null,
        folded: 0,
        drag: null,
        near: null,
        point: false,
        fresh: false,
        colour,
        by: 'topic',
      },
    });
    if (node.parentId !== null) edges.push({ id: `e${node.id}`, source: node.parentId, target: node.id });
  }
  const active = cardOf(layout, forest.nodes[forest.active?.nodeId ?? '']);
  const pane = { width: window.innerWidth, height: window.innerHeight };
  return { nodes, edges, view: openingView(layout, active === null ? null : boxOf(active), pane) };
};
