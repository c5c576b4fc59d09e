import { type NodeTypes, ReactFlow, useStore } from '@xyflow/react';
import { type KeyboardEvent, type MouseEvent, type RefObject, useId, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useAppState } from '../app-context.ts';
import { type CanvasCommand, commandOf } from './canvas-keys.ts';
import { createFlowNodes, ghostNode } from './flow-nodes.ts';
import styles from './forest-canvas.module.css';
import type { At } from './gestures.ts';
import { GhostCard } from './ghost-card.tsx';
import { turnAt } from './hit.ts';
import { MAX_ZOOM } from './measures.ts';
import type { Scene } from './scene.ts';
import { selectionText } from './selection-text.ts';
import { TurnCard } from './turn-card.tsx';
import { type Camera, leastZoom } from './use-camera.ts';
import { useStage } from './use-stage.ts';

// At module scope: a new object would mount every card again.
const NODE_TYPES: NodeTypes = { turn: TurnCard, ghost: GhostCard };

interface Props {
  readonly root: RefObject<HTMLDivElement | null>;
  readonly scene: Scene;
  readonly fresh: ReadonlySet<NodeId>;
  readonly camera: Camera;
  /** Clicks select one more, or one less. */
  readonly several: boolean;
  readonly moved: () => void;
  readonly run: (command: CanvasCommand) => void;
  readonly menu: (id: NodeId, at: At) => void;
}

/** React Flow with a window onto the forest: it is given only the cards near the view, and no edges. */
export const ForestFlow = ({ root, scene, fresh, camera, several, moved, run, menu }: Props) => {
  const actions = useActions();
  const state = useAppState();
  const layer = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const descriptionId = useId();
  const [focused, setFocused] = useState(false);
  const mounted = useStage(root, layer, strip, scene, camera);
  const [nodesFor] = useState(createFlowNodes);
  const { forest, layout, ghost, carry } = scene;
  const least = useStore(({ width, height }) => leastZoom(layout, { width, height }));

  const cards = nodesFor(scene, mounted, fresh);
  const pending = Object.values(forest.pending)[0];
  const nodes = pending === undefined || ghost === null ? cards : [...cards, ghostNode(pending, ghost.box)];

  /** The turn under the pointer. Cards are hit by where they are, drawn or mounted. */
  const hit = (event: MouseEvent): NodeId | null => {
    const bounds = (root.current as HTMLDivElement).getBoundingClientRect();
    return turnAt(layout, camera.view(), event.clientX - bounds.left, event.clientY - bounds.top);
  };
  const select = (event: MouseEvent) => {
    if (isControl(event)) return;
    root.current?.focus({ preventScroll: true });
    const id = hit(event);
    if (!several && !event.shiftKey && !event.ctrlKey && !event.metaKey) return actions.select(id);
    if (id === null) return;
    const { selection } = state().session;
    const others = selection.filter((one) => one !== id);
    if (others.length < selection.length) actions.selectMany(others, others.at(-1) ?? null);
    else actions.selectMany([...selection, id], id);
  };
  const activate = (event: MouseEvent) => {
    const id = several || isControl(event) || event.shiftKey ? null : hit(event);
    if (id !== null && state().past === null && id !== forest.active?.nodeId) void actions.activate(id);
  };
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    // The menu key: its place is the selected card's.
    if (event.button !== 2 && !event.ctrlKey) return run({ do: 'menu' });
    const id = hit(event);
    if (id !== null) menu(id, { x: event.clientX, y: event.clientY });
  };
  const press = (event: KeyboardEvent) => {
    const command = event.target === root.current ? commandOf(event) : null;
    if (command === null) return;
    event.preventDefault();
    if (several && command.do === 'clear') run({ do: 'several' });
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
        onContextMenu={openMenu}
        data-carrying={carry === null ? undefined : carry.refused ? 'refused' : 'open'}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <canvas ref={layer} className={styles.layer} aria-hidden />
        <canvas ref={strip} className={styles.strip} aria-hidden />
      </ReactFlow>
      <p id={descriptionId} className={styles.unseen} aria-live={focused ? 'polite' : 'off'}>
        {selectionText(scene)}
      </p>
    </>
  );
};

const isControl = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('a, button') !== null;
