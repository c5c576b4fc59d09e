import '@xyflow/react/dist/base.css';
import { ReactFlowProvider } from '@xyflow/react';
import { Sprout } from 'lucide-react';
import { use, useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type AppState, type Colouring, shownForest } from '../../app/state.ts';
import type { Trace } from '../../domain/decision.ts';
import { emptyForest, type Forest, type NodeId, type TreeId } from '../../domain/forest.ts';
import { nodeOf, pendingTurn, replyOf } from '../../domain/queries.ts';
import { createYielder, inSteps, withinSpell } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { turnsMeant } from '../commands/command.ts';
import { type MenuPlace, TurnMenuAt } from '../commands/turn-actions.tsx';
import { useButReplyTexts, useInSteps } from '../parts/hooks.ts';
import { type CanvasCommand, useOfferedCanvas } from './canvas-keys.ts';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import { DragNote, Marquee, useDrag } from './drag.tsx';
import { moveSelection } from './find-cards.ts';
import {
  type Folding,
  foldedBelow,
  foldedBesideActive,
  foldedBesideSelected,
  nearPath,
  toggleBelow,
  UNFOLDED,
} from './folding.ts';
import styles from './forest-canvas.module.css';
import { ForestFlow } from './forest-flow.tsx';
import { centre, type Rect, topicView, toScreen, zoomTo } from './geometry.ts';
import type { CanvasPoint } from './gestures.ts';
import {
  boxOf,
  type CardRef,
  cardNodeId,
  cardOf,
  type ForestLayout,
  isLaidOut,
  layingOut,
  NOTHING_NEW,
  newIn,
} from './layout.ts';
import { Minimap } from './minimap.tsx';
import {
  type Colours,
  type ContextStates,
  coloursOf,
  type DecisionHighlight,
  drawnReferences,
  ghostOf,
  highlightOf,
  mostTokens,
  type Scene,
  standingsOf,
} from './scene.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type Camera, type Framing, leastZoom, useCamera, useFraming } from './use-camera.ts';

/** The forest as a map to pan, zoom, navigate and rearrange by hand; fills its parent. */
export const ForestCanvas = () => (
  <ReactFlowProvider>
    <Canvas />
  </ReactFlowProvider>
);

const Canvas = () => {
  const actions = useActions();
  const root = useRef<HTMLDivElement>(null);
  const { moment, behind } = useMoment();
  const { scene: still, fresh } = useScene(moment);
  useReveal();
  const camera = useCamera();
  const framing = useFraming(still, moment, camera);
  const { moved } = framing;
  const { menu, open } = useCanvasMenu();

  const latest = useRef(still);
  latest.current = still;
  /** The menu is for the selection if it includes the pressed turn, else for that turn alone. */
  const openMenuOf = useCallback(
    (id: NodeId, at: CanvasPoint) => {
      if (!latest.current.selection.has(id)) actions.select(id);
      open(at);
    },
    [actions, open],
  );
  const openMenuBeside = useCallback(
    ({ x, y, height }: Rect) => {
      const bounds = root.current?.getBoundingClientRect();
      open({ x: x + (bounds?.left ?? 0), y: y + height + (bounds?.top ?? 0) });
    },
    [open],
  );
  const { carry, status, marquee } = useDrag(root, still, camera, framing, openMenuOf);
  const scene = useMemo(() => ({ ...still, carry }), [still, carry]);
  const { several, toggle } = useSeveral();
  const run = useCommands(scene, camera, framing, openMenuBeside, toggle);
  useOfferedCanvas(run);
  const empty = scene.layout.turns === 0 && scene.ghost === null && !behind;
  return (
    <div className={styles.frame} aria-busy={behind}>
      <ForestFlow
        root={root}
        scene={scene}
        past={moment.past}
        fresh={fresh}
        camera={camera}
        several={several}
        moved={moved}
        run={run}
        menu={openMenuOf}
      />
      {empty ? (
        <p className={styles.empty}>
          <Sprout size={28} strokeWidth={1.5} aria-hidden />
          No turns yet. Your first message starts the first topic.
        </p>
      ) : (
        <>
          <SelectionBar scene={scene} several={several} onDone={toggle} />
          <CanvasToolbar colours={scene.colours} several={several} run={run} />
          <Minimap scene={scene} camera={camera} moved={moved} />
          <Marquee marquee={marquee} />
          <DragNote status={status} />
        </>
      )}
      {menu}
    </div>
  );
};

/** Whether clicks and taps add to the selection, with a toggle. Another conversation ends it, too. */
const useSeveral = (): { readonly several: boolean; readonly toggle: () => void } => {
  const [several, setSeveral] = useState(false);
  const conversationId = useApp((state) => state.conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, another start
  useEffect(() => setSeveral(false), [conversationId]);
  const toggle = useCallback(() => setSeveral((now) => !now), []);
  return { several, toggle };
};

/** The menu of the turns that were selected when it was opened, and there at the moment shown, at a point of the window. */
const useCanvasMenu = () => {
  const [opened, setOpened] = useState<{ readonly at: MenuPlace; readonly nodeIds: readonly NodeId[] } | null>(null);
  const state = useAppState();
  const open = useCallback(
    (at: MenuPlace) => {
      const { nodes } = shownForest(state());
      setOpened({ at, nodeIds: state().session.selection.filter((id) => nodes[id] !== undefined) });
    },
    [state],
  );
  if (opened === null || opened.nodeIds.length === 0) return { menu: null, open };
  const { at, nodeIds } = opened;
  const label = nodeIds.length > 1 ? `${nodeIds.length} turns` : 'Turn';
  const close = () => setOpened(null);
  const menu = <TurnMenuAt key={`${at.x} ${at.y}`} nodeIds={nodeIds} label={label} at={at} onClose={close} />;
  return { menu, open };
};

/**
 * Runs what keys and buttons ask for. `menu` opens the selection's menu next to a rectangle of the pane; `several`
 * toggles selecting by clicks alone.
 */
const useCommands = (scene: Scene, camera: Camera, framing: Framing, menu: (at: Rect) => void, several: () => void) => {
  const actions = useActions();
  const state = useAppState();
  const latest = useRef(scene);
  latest.current = scene;

  return useMemo(() => {
    const selected = (): CardRef | null =>
      cardOf(latest.current.layout, latest.current.forest.nodes[latest.current.selectedId ?? '']);
    const active = (): CardRef | null => {
      const { layout, forest } = latest.current;
      return cardOf(layout, forest.nodes[forest.active?.nodeId ?? '']);
    };

    return (command: CanvasCommand): void => {
      const { layout, forest, selectedId, selection } = latest.current;
      const view = camera.target();
      switch (command.do) {
        case 'move': {
          const from = selected();
          const next = from === null ? (forest.active?.nodeId ?? null) : moveSelection(layout, from, command.direction);
          if (next !== null) return actions.select(next);
          // Nowhere to go: at least bring the current card into view.
          if (from !== null) framing.goBack();
          return;
        }
        case 'extend': {
          const from = selected();
          const next = from === null ? (forest.active?.nodeId ?? null) : moveSelection(layout, from, command.direction);
          if (next === null) return;
          // Moving back over selected cards deselects them.
          const others = [...selection].filter((id) => id !== (selection.has(next) ? selectedId : next));
          return actions.selectMany([...new Set([...others, next])], next);
        }
        case 'menu': {
          const card = selected() ?? active();
          if (card === null) return;
          // In the past, what is selected may not be there yet.
          if (![...selection].some((id) => forest.nodes[id] !== undefined)) actions.select(cardNodeId(card));
          return menu(toScreen(camera.view(), boxOf(card)));
        }
        case 'fold': {
          const folded = toggleBelow(state().session, forest, turnsMeant(state()), latest.current.folds);
          if (folded === null) return actions.announce('There is nothing below this turn.');
          return actions.session(folded);
        }
        case 'near':
          return actions.session({ nearPath: !state().session.nearPath });
        case 'several':
          return several();
        case 'activate':
          if (selectedId === null) return actions.select(forest.active?.nodeId ?? null);
          // The past is read-only.
          if (state().past === null && forest.active?.nodeId !== selectedId) void actions.activate(selectedId);
          return;
        case 'clear':
          return actions.select(null);
        case 'fit':
          camera.move(camera.fitAll(layout));
          return framing.moved();
        case 'topic': {
          const card = selected() ?? active();
          if (card === null) return;
          const { x, y, tree } = card.placed;
          camera.move(topicView({ x, y, width: tree.width, height: tree.height }, boxOf(card), view));
          return framing.moved();
        }
        case 'actual-size': {
          const card = selected() ?? active();
          camera.move(card === null ? zoomTo(view, 1, 1) : centre(boxOf(card), view, 1));
          return framing.moved();
        }
        case 'zoom': {
          camera.move(zoomTo(view, view.zoom * command.by, leastZoom(layout, view)));
          return framing.moved();
        }
      }
    };
  }, [actions, camera, framing, menu, several, state]);
};

/** The part of the state that the canvas shows. */
interface CanvasState {
  readonly forest: Forest;
  readonly folding: Folding;
  readonly conversationId: string;
  /** The forest is of an earlier moment. */
  readonly past: boolean;
}

const BEFORE_ANY: CanvasState = { forest: emptyForest(), folding: UNFOLDED, conversationId: '', past: false };

/**
 * The canvas lags behind the chat, which is drawn first, so that a large forest is laid out while the page stays
 * responsive. `behind`: it has not caught up yet.
 */
const useMoment = (): { readonly moment: CanvasState; readonly behind: boolean } => {
  const forest = useButReplyTexts(useApp(shownForest));
  const selected = useApp((state) => state.session.selection);
  const conversationId = useApp((state) => state.conversationId);
  const past = useApp((state) => state.past !== null);
  const folding = useFolding(forest, forest.active?.nodeId ?? null, selected);
  const now = useMemo(
    (): CanvasState => ({ forest, folding, conversationId, past }),
    [forest, folding, conversationId, past],
  );
  const moment = useDeferredValue(now, BEFORE_ANY);
  return { moment, behind: moment !== now };
};

/** A layout being computed in parts, until another is wanted. */
interface LayoutWork extends Pick<ForestLayout, 'source'> {
  readonly before: ForestLayout | null;
  /** null if it takes longer than one time slice. */
  readonly layout: ForestLayout | null;
  readonly made: Promise<ForestLayout>;
}

/**
 * The layout of a moment, based on the one shown last. A slow one suspends the canvas, which stays as it was, so only
 * pass a deferred moment.
 */
const useLayout = (moment: CanvasState): { readonly layout: ForestLayout; readonly fresh: ReadonlySet<NodeId> } => {
  const { forest, folding, conversationId } = moment;
  const shown = useRef<{ readonly layout: ForestLayout; readonly conversationId: string } | null>(null);
  const work = useRef<LayoutWork | null>(null);
  const before = shown.current?.conversationId === conversationId ? shown.current.layout : null;

  const begin = (): LayoutWork => {
    const source = { trees: forest.trees, children: forest.children, folding };
    const steps = layingOut(forest, before, folding);
    const now = () => performance.now();
    const short = withinSpell(steps, now);
    if (short !== null) return { source, before, layout: short.result, made: Promise.resolve(short.result) };
    const breathe = createYielder(now);
    const made = inSteps(steps, async () => {
      await breathe();
      // No longer wanted.
      if (work.current?.source !== source) return new Promise(() => undefined);
    });
    return { source, before, layout: null, made };
  };
  const layoutNow = (): ForestLayout => {
    if (before !== null && isLaidOut(before, forest, folding)) return before;
    const { current } = work;
    const wanted =
      current !== null && current.before === before && isLaidOut(current, forest, folding) ? current : begin();
    work.current = wanted;
    return wanted.layout ?? use(wanted.made);
  };

  const layout = layoutNow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new in it, against what was shown before it
  const fresh = useMemo(() => (before === null ? NOTHING_NEW : newIn(layout, before)), [layout]);
  useLayoutEffect(() => {
    shown.current = { layout, conversationId };
  }, [layout, conversationId]);
  return { layout, fresh };
};

/** The scene at a moment, with nothing being dragged, and its new turns. */
const useScene = (moment: CanvasState): { readonly scene: Scene; readonly fresh: ReadonlySet<NodeId> } => {
  const { forest, folding } = moment;
  const selectedId = useApp((state) => state.session.selectedId);
  const selected = useApp((state) => state.session.selection);
  const colouring = useApp((state) => state.session.colouring);
  const activeId = forest.active?.nodeId ?? null;
  const { layout, fresh } = useLayout(moment);

  const context = activeId === null ? null : replyOf(nodeOf(forest, activeId))?.context;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reply that streams changes the forest, not where turns stand.
  const standings = useMemo(() => standingsOf(forest), [layout, forest.children, activeId, context]);
  const colours = useColours(forest, standings, colouring);
  const references = useMemo(() => drawnReferences(forest, layout), [forest, layout]);
  const { folds, foldedIn } = useFolds(forest, layout, folding);
  const selection = useMemo(() => new Set(selected), [selected]);
  const lit = useLit();
  const pending = pendingTurn(forest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  const ghost = useMemo(
    () => (pending === null ? null : ghostOf(forest, layout, pending)),
    [pending, layout, activeId],
  );
  const scene = useMemo(
    (): Scene => ({
      forest,
      layout,
      standings,
      colours,
      references,
      folds,
      foldedIn,
      selectedId,
      selection,
      lit,
      ghost,
      carry: null,
    }),
    [forest, layout, standings, colours, references, folds, foldedIn, selectedId, selection, lit, ghost],
  );
  return { scene, fresh };
};

/** The colours of the cards. Those that stand for tokens come as these are read. */
const useColours = (forest: Forest, standings: ContextStates, by: Colouring): Colours => {
  const read = useCallback(
    function* () {
      return by === 'tokens' ? yield* mostTokens(forest) : null;
    },
    [forest, by],
  );
  const { result, isDone } = useInSteps(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once they are read, there is more to colour.
  return useMemo(() => coloursOf(forest, standings, by, result), [forest, standings, by, result, isDone]);
};

/** What the user has folded away; a stable object while nothing changes. */
const useFolding = (forest: Forest, activeId: NodeId | null, selected: readonly NodeId[]): Folding => {
  const collapsed = useApp((state) => state.session.collapsed);
  const onlyNear = useApp((state) => state.session.nearPath);
  const { children } = forest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the forest, its shape alone counts.
  const near = useMemo(
    () => (onlyNear && activeId !== null ? nearPath(forest, selected) : null),
    [children, activeId, selected, onlyNear],
  );
  return useMemo(() => ({ collapsed: new Set(collapsed), near }), [collapsed, near]);
};

const useFolds = (forest: Forest, layout: ForestLayout, folding: Folding) => {
  const { children } = forest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  return useMemo(() => {
    const folded = folding.collapsed.size > 0 || folding.near !== null;
    const shown = folded ? layout.trees.flatMap(({ tree }) => tree.ids) : [];
    const folds = foldedBelow(forest, folding, shown);
    const foldedIn = new Map<TreeId, number>();
    for (const [id, count] of folds) {
      const { treeId } = nodeOf(forest, id);
      foldedIn.set(treeId, (foldedIn.get(treeId) ?? 0) + count);
    }
    return { folds, foldedIn };
  }, [children, layout, folding]);
};

/** Reveals a turn that is selected, becomes active or is moved by unfolding what it is folded into, and nothing else. */
const useReveal = (): void => {
  const actions = useActions();
  const state = useAppState();
  const selectedId = useApp((now) => now.session.selectedId);
  const activeId = useApp(({ forest }) => forest.active?.nodeId ?? null);
  const selectedAt = useApp(({ forest, session }) => placeIn(forest, session.selectedId));
  const activeAt = useApp(({ forest }) => placeIn(forest, forest.active?.nodeId ?? null));
  const fold = useCallback(
    (collapsed: readonly NodeId[]) => {
      if (collapsed !== state().session.collapsed) actions.session({ collapsed });
    },
    [actions, state],
  );

  // Each by itself, or what is folded above the active turn would open whatever is selected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is folded later stays folded until another turn is selected, or this one is moved
  useEffect(() => fold(foldedBesideSelected(state())), [fold, state, selectedId, selectedAt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: … or becomes active
  useEffect(() => fold(foldedBesideActive(state())), [fold, state, activeId, activeAt]);
};

/** What a turn hangs from, and its topic: that changes, too, for a turn that goes along with one above it. */
const placeIn = (forest: Forest, id: NodeId | null): string | null => {
  const node = id === null ? undefined : forest.nodes[id];
  return node === undefined ? null : `${node.treeId} ${node.parentId}`;
};

/** The decision shown in the Decision tab for a selected turn or the draft; null if there is none. */
const useLit = (): DecisionHighlight | null => {
  const trace = useApp(shownTrace);
  return useMemo(() => (trace === null ? null : highlightOf(trace)), [trace]);
};

/** With nothing selected the tab shows the active turn's decision, too, but nobody has asked about that one. */
const shownTrace = (state: AppState): Trace | null => {
  const { tab, selectedId, folded } = state.session;
  if (tab !== 'decision' || folded.includes('inspector')) return null;
  const node = selectedId === null ? state.preview?.shown?.node : shownForest(state).nodes[selectedId];
  return node?.decision.trace ?? null;
};
