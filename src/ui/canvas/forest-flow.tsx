import { type NodeTypes, ReactFlow, useStore } from '@xyflow/react';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Node, NodeId } from '../../domain/forest.ts';
import { beginning, childrenOf } from '../../domain/queries.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { useActions, useAppState } from '../app-context.ts';
import { counted } from '../parts/format.ts';
import { type CanvasCommand, canvasCommandOf } from './canvas-keys.ts';
import { turnAt } from './find-cards.ts';
import styles from './forest-canvas.module.css';
import { MAX_ZOOM } from './geometry.ts';
import type { CanvasPoint } from './gestures.ts';
import { type ContextState, type Scene, standingOf } from './scene.ts';
import { useStage } from './stage.ts';
import { createFlowNodes, GhostCard, ghostNode, TurnCard } from './turn-card.tsx';
import { type Camera, leastZoom } from './use-camera.ts';

// At module scope: a new object would remount every card.
const NODE_TYPES: NodeTypes = { turn: TurnCard, ghost: GhostCard };

interface Props {
  readonly root: RefObject<HTMLDivElement | null>;
  readonly scene: Scene;
  /** The scene is of an earlier moment. */
  readonly past: boolean;
  readonly fresh: ReadonlySet<NodeId>;
  readonly camera: Camera;
  /** Clicks add to or remove from the selection. */
  readonly several: boolean;
  readonly moved: () => void;
  readonly run: (command: CanvasCommand) => void;
  readonly menu: (id: NodeId, at: CanvasPoint) => void;
}

/**
 * React Flow as a window onto the forest: it only gets the cards near the view, and no edges. Not rendered with every
 * change that the canvas has yet to catch up with: React Flow would go through all mounted cards each time.
 */
export const ForestFlow = memo(({ root, scene, past, fresh, camera, several, moved, run, menu }: Props) => {
  const actions = useActions();
  const state = useAppState();
  const layer = useRef<HTMLCanvasElement>(null);
  const strip = useRef<HTMLCanvasElement>(null);
  const descriptionId = useId();
  const [focused, setFocused] = useState(false);
  const mounted = useStage(root, layer, strip, scene, past, camera);
  const [nodesFor] = useState(createFlowNodes);
  const { forest, layout, ghost, carry } = scene;
  const least = useStore(({ width, height }) => leastZoom(layout, { width, height }));

  const cards = nodesFor(scene, mounted, fresh);
  const pending = recordsOf(forest.pending)[0];
  const nodes = useMemo(
    () => (pending === undefined || ghost === null ? [...cards] : [...cards, ghostNode(pending, ghost.box)]),
    [cards, pending, ghost],
  );
  const interrupt = useCallback((event: unknown) => event !== null && camera.interrupt(), [camera]);
  const rest = useCallback((event: unknown) => event !== null && moved(), [moved]);

  /** The turn under the pointer. Hit testing uses the layout, so it works for drawn and mounted cards. */
  const hit = (event: MouseEvent): NodeId | null => {
    const bounds = (root.current as HTMLDivElement).getBoundingClientRect();
    return turnAt(layout, camera.view(), event.clientX - bounds.left, event.clientY - bounds.top);
  };
  const select = (event: MouseEvent) => {
    const control = controlAt(event);
    // After a fold chip, too, which is no tab stop: the canvas would not hear its keys.
    if (control === null || control.tabIndex === -1) root.current?.focus({ preventScroll: true });
    if (control !== null) return;
    const id = hit(event);
    if (!several && !isForSeveral(event)) return actions.select(id);
    if (id === null) return;
    const { selection } = state().session;
    const others = selection.filter((one) => one !== id);
    if (others.length < selection.length) actions.selectMany(others, others.at(-1) ?? null);
    else actions.selectMany([...selection, id], id);
  };
  const activate = (event: MouseEvent) => {
    const id = several || controlAt(event) !== null || isForSeveral(event) ? null : hit(event);
    if (id !== null && state().past === null && id !== forest.active?.nodeId) void actions.activate(id);
  };
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    // The menu key: open the menu at the selected card.
    if (event.button !== 2 && !event.ctrlKey) return run({ do: 'menu' });
    const id = hit(event);
    if (id !== null) menu(id, { x: event.clientX, y: event.clientY });
  };
  const press = (event: KeyboardEvent) => {
    const command = event.target === root.current ? canvasCommandOf(event) : null;
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
        // The attribution is in the toolbar (canvas-toolbar.tsx), where it never covers a card.
        proOptions={{ hideAttribution: true }}
        onMoveStart={interrupt}
        onMoveEnd={rest}
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
});
ForestFlow.displayName = 'ForestFlow';

const controlAt = ({ target }: MouseEvent): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('a, button') : null;

/** With these keys held, a click is about the selection of several. */
const isForSeveral = ({ shiftKey, ctrlKey, metaKey }: MouseEvent): boolean => shiftKey || ctrlKey || metaKey;

const STANDING: Readonly<Record<ContextState, string>> = {
  full: 'in the context in full',
  summary: 'in the context as a summary',
  'left-out': 'not in the context',
  hidden: 'hidden, never in the context',
};

/** The selection in words, for screen readers. */
export const selectionText = (scene: Scene): string => {
  const { forest, standings, selectedId, selection, folds } = scene;
  const node = selectedId === null ? undefined : forest.nodes[selectedId];
  if (node === undefined) return sizeOf(forest.nodes) === 0 ? 'The forest is empty.' : 'No turn is selected.';
  const where = [
    ...(forest.active?.nodeId === node.id ? ['active'] : standings.path.has(node.id) ? ['on the active path'] : []),
    STANDING[standingOf(forest, standings, node.id)],
    ...marksInWords(node),
    after(childrenOf(forest, node.id).length, folds.get(node.id) ?? 0),
  ];
  // Others may be there at another moment.
  const count = [...selection].filter((id) => forest.nodes[id] !== undefined).length;
  const others = count > 1 ? `${counted(count, 'turn')} selected. ` : '';
  const title = forest.trees[node.treeId]?.title ?? '';
  return `${others}Turn ${node.number}, ${where.join(', ')}. ${title}: ${beginning(node.message, 200)}`;
};

const marksInWords = ({ pinned, note, references }: Pick<Node, 'pinned' | 'note' | 'references'>): string[] => [
  ...(pinned ? ['pinned'] : []),
  ...(note === null ? [] : ['has a note']),
  ...(references.length === 0 ? [] : [`refers to ${counted(references.length, 'turn')}`]),
];

const after = (children: number, folded: number): string => {
  if (children === 0) return 'the tip of its branch';
  const follows = children === 1 ? 'one turn follows' : `${children} turns follow`;
  return folded === 0 ? follows : `${follows}, ${counted(folded, 'turn')} folded away`;
};
