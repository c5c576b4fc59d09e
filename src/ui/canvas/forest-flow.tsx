import { type NodeTypes, ReactFlow, useStore } from '@xyflow/react';
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useAppState } from '../app-context.ts';
import { type CanvasCommand, commandOf } from './canvas-keys.ts';
import { cardAt, titleAt } from './find-cards.ts';
import { createFlowNodes, ghostNode } from './flow-nodes.ts';
import styles from './forest-canvas.module.css';
import { idOf } from './forest-layout.ts';
import { GhostCard } from './ghost-card.tsx';
import { MAX_ZOOM } from './measures.ts';
import type { Scene } from './scene.ts';
import { selectionText } from './selection-text.ts';
import { TurnCard } from './turn-card.tsx';
import { type Camera, leastZoom } from './use-camera.ts';
import { useStage } from './use-stage.ts';
import { toCanvas } from './view.ts';

// At module scope: a new object would mount every card again.
const NODE_TYPES: NodeTypes = { turn: TurnCard, ghost: GhostCard };
/** A click this near to a card hits it, in pixels of the screen: in the overview cards are small. */
const HIT_SLACK = 4;

interface Props {
  readonly scene: Scene;
  readonly fresh: ReadonlySet<NodeId>;
  readonly camera: Camera;
  readonly moved: () => void;
  readonly run: (command: CanvasCommand) => void;
}

/** React Flow with a window onto the forest: it is given only the cards near the view, and no edges. */
export const ForestFlow = ({ scene, fresh, camera, moved, run }: Props) => {
  const actions = useActions();
  const state = useAppState();
  const root = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const descriptionId = useId();
  const [focused, setFocused] = useState(false);
  const mounted = useStage(root, layer, strip, scene, camera);
  const [nodesFor] = useState(createFlowNodes);
  const { forest, layout, standings, selectedId, ghost } = scene;
  const least = useStore(({ width, height }) => leastZoom(layout, { width, height }));

  const cards = nodesFor(scene, mounted, fresh);
  const pending = Object.values(forest.pending)[0];
  const nodes = pending === undefined || ghost === null ? cards : [...cards, ghostNode(pending, ghost.box)];

  /** The turn under the pointer: the card itself, or the root under a title. Cards are hit by where they are, drawn or mounted. */
  const hit = (event: MouseEvent): NodeId | null => {
    const view = camera.view();
    const bounds = (root.current as HTMLDivElement).getBoundingClientRect();
    const { x, y } = toCanvas(view, event.clientX - bounds.left, event.clientY - bounds.top);
    const card = cardAt(layout, x, y, HIT_SLACK / view.zoom);
    return card === null ? (titleAt(layout, x, y)?.tree.ids[0] ?? null) : idOf(card);
  };
  const select = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, button')) return;
    root.current?.focus({ preventScroll: true });
    actions.select(hit(event));
  };
  const activate = (event: MouseEvent) => {
    const id = hit(event);
    if (id !== null && state().past === null && id !== forest.active?.nodeId) void actions.activate(id);
  };
  const press = (event: KeyboardEvent) => {
    const command = event.target === root.current ? commandOf(event) : null;
    if (command === null) return;
    event.preventDefault();
    run(command);
  };

  return (
    <>
      <ReactFlow
        ref={root}
        className={styles.canvas}
        aria-label="Canvas"
        aria-describedby={descriptionId}
        tabIndex={0}
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        minZoom={least}
        maxZoom={MAX_ZOOM}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        elevateNodesOnSelect={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomOnDoubleClick={false}
        attributionPosition="bottom-center"
        onMoveEnd={(event) => event !== null && moved()}
        onClick={select}
        onDoubleClick={activate}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <canvas ref={layer} className={styles.layer} aria-hidden />
        <canvas ref={strip} className={styles.strip} aria-hidden />
      </ReactFlow>
      <p id={descriptionId} className={styles.unseen} aria-live={focused ? 'polite' : 'off'}>
        {selectionText(forest, standings, selectedId)}
      </p>
    </>
  );
};
