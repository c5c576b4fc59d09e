import { Ban, CornerDownRight } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type MovePreview, turnsInWords } from '../../app/edits.ts';
import { shownForest } from '../../app/state.ts';
import type { Target } from '../../domain/decision.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { familyOf, nodeOf, outermost } from '../../domain/queries.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Muted } from '../parts/text.tsx';
import { previewWords } from '../parts/turn-words.ts';
import styles from './drag.module.css';
import { between, turnAt, turnsWithin } from './find-cards.ts';
import { edgePan, isOutside, type Rect, toCanvas } from './geometry.ts';
import { type CanvasPoint, listenForGestures } from './gestures.ts';
import type { DragPreview, Scene } from './scene.ts';
import type { Camera, Framing } from './use-camera.ts';

/** How long the pointer rests on a target before the preview is computed, in milliseconds. */
const PREVIEW_PAUSE_MS = 120;

/** The note next to the pointer while turns are dragged. Positions are in pixels of the pane. */
interface DragStatus {
  readonly at: CanvasPoint;
  readonly what: string;
  readonly where: string;
  readonly refusal: string | null;
  /** null while it is being computed. */
  readonly preview: MovePreview | 'failed' | null;
}

interface DragState {
  readonly status: StoreApi<{ readonly drag: DragStatus | null }>;
  readonly marquee: StoreApi<{ readonly rect: Rect | null }>;
  /** Changes only when another card is under the pointer, not with every pointer move. */
  readonly carry: DragPreview | null;
}

/** Dragging turns to another place in the forest, and the marquee. `menu` opens the menu of a long-pressed card. */
export const useDrag = (
  root: RefObject<HTMLElement | null>,
  scene: Scene,
  camera: Camera,
  framing: Framing,
  menu: (id: NodeId, at: CanvasPoint) => void,
): DragState => {
  const actions = useActions();
  const state = useAppState();
  const past = useApp((now) => now.past !== null);
  const [status] = useState(() => createStore<{ drag: DragStatus | null }>(() => ({ drag: null })));
  const [marquee] = useState(() => createStore<{ rect: Rect | null }>(() => ({ rect: null })));
  const [carry, setCarry] = useState<DragPreview | null>(null);
  const latest = useRef({ scene, menu });
  latest.current = { scene, menu };

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    let pressed: NodeId | null = null;
    let held: NodeId | null = null;
    let ids: readonly NodeId[] = [];
    let family: ReadonlySet<NodeId> = new Set();
    let drop: Drop | null = null;
    let over: NodeId | null | typeof OUTSIDE | undefined;
    let corner: CanvasPoint | null = null;
    let last: CanvasPoint = { x: 0, y: 0 };
    let frame = 0;
    let panned = false;

    const inPane = ({ x, y }: CanvasPoint): CanvasPoint => {
      const bounds = element.getBoundingClientRect();
      return { x: x - bounds.left, y: y - bounds.top };
    };
    /** Something else of the page lies over the pane there, such as its toolbar. */
    const isCovered = ({ x, y }: CanvasPoint): boolean => {
      const bounds = element.getBoundingClientRect();
      const top = document.elementFromPoint(x + bounds.left, y + bounds.top);
      return top !== null && !element.contains(top);
    };
    const idAt = (point: CanvasPoint): NodeId | null =>
      turnAt(latest.current.scene.layout, camera.view(), point.x, point.y);
    /** The turn whose card was pressed, wherever that is by now; null if it is gone. */
    const pressedTurn = (): NodeId | null => latest.current.scene.forest.nodes[pressed ?? '']?.id ?? null;

    const previews = createLatest(
      (asked: { ids: readonly NodeId[]; target: Target }) => actions.previewMove(asked.ids, asked.target),
      (preview) => {
        const { drag } = status.getState();
        if (drag === null) return;
        const refusal = preview?.refusal ?? drag.refusal;
        status.setState({ drag: { ...drag, refusal, preview: preview ?? 'failed' } });
      },
      PREVIEW_PAUSE_MS,
    );

    const point = () => {
      const { forest } = latest.current.scene;
      const id = isOutside(camera.view(), last.x, last.y) || isCovered(last) ? OUTSIDE : idAt(last);
      const { drag } = status.getState();
      if (drag !== null && id === over) {
        if (drag.at !== last) status.setState({ drag: { ...drag, at: last } });
        return;
      }
      over = id;
      drop = dropOn(forest, ids, family, id);
      const { refusal, target, moving } = drop;
      setCarry({ family, held, over: id === OUTSIDE ? null : id, refused: refusal !== null });
      const words = { what: carriedInWords(forest, ids, family), where: targetInWords(forest, drop) };
      status.setState({ drag: { at: last, ...words, refusal, preview: null } });
      if (refusal === null) previews.ask({ ids: moving, target });
      else previews.cancel();
    };

    const follow = () => {
      frame = requestAnimationFrame(follow);
      const next = edgePan(camera.view(), last.x, last.y);
      if (next !== null) {
        camera.move(next, { at: 'once' });
        panned = true;
      }
      // The wheel, too, brings something else under the pointer.
      if (corner === null) point();
      else spanMarquee();
    };

    const spanMarquee = () => {
      if (corner === null) return;
      const { x, y, zoom } = camera.view();
      marquee.setState({ rect: between({ x: corner.x * zoom + x, y: corner.y * zoom + y }, last) });
    };

    const end = () => {
      cancelAnimationFrame(frame);
      previews.cancel();
      if (panned) framing.moved();
      panned = false;
      corner = null;
      over = undefined;
      drop = null;
      setCarry(null);
      status.setState({ drag: null });
      marquee.setState({ rect: null });
    };

    const stop = listenForGestures(element, {
      hold: (at, { shift }) => {
        pressed = idAt(inPane(at));
        if (pressed === null) return shift ? 'marquee' : null;
        // Going to the past ends a drag, too: there is nothing to move.
        return past ? null : 'card';
      },
      begin: (kind, from) => {
        last = inPane(from);
        element.focus({ preventScroll: true });
        if (kind === 'marquee') corner = toCanvas(camera.view(), last.x, last.y);
        else {
          const { forest, selection } = latest.current.scene;
          held = pressedTurn();
          if (held === null) return false;
          ids = selection.has(held) ? [...selection] : [held];
          family = new Set(familyOf(forest, ids));
          point();
        }
        frame = requestAnimationFrame(follow);
        return true;
      },
      move: (at) => {
        last = inPane(at);
        if (corner === null) point();
        else spanMarquee();
      },
      drop: () => {
        if (corner !== null) {
          const found = turnsWithin(
            latest.current.scene.layout,
            between(corner, toCanvas(camera.view(), last.x, last.y)),
          );
          const { selection, selectedId } = state().session;
          const [first, ...others] = new Set([...selection, ...found]);
          if (found.length > 0 && first !== undefined) {
            // Its card may be where the rectangle was begun, out of view by now.
            if (selectedId === null) framing.holds(first);
            actions.selectMany([first, ...others], selectedId ?? first);
          }
        } else if (drop?.refusal === null) {
          const { moving, target } = drop;
          const first = ids[0] as NodeId;
          if (!latest.current.scene.selection.has(first)) {
            framing.holds(first);
            actions.select(first);
          }
          void actions.moveTurns(moving, target);
        } else if (drop !== null && drop.refusal !== null) actions.announce(drop.refusal);
        end();
      },
      cancel: end,
      menu: (at) => {
        const id = pressedTurn();
        if (id !== null) latest.current.menu(id, at);
      },
    });
    return () => {
      stop();
      end();
    };
  }, [root, camera, framing, actions, state, past, status, marquee]);

  return { status, marquee, carry };
};

/** The note next to the pointer: what is dragged, where it would go and what that would do to the context, or why it cannot go there. */
export const DragNote = ({ status }: Pick<DragState, 'status'>) => {
  const drag = useStore(status, (state) => state.drag);
  return drag === null ? null : <Note drag={drag} />;
};

const Note = ({ drag: { at, what, where, refusal, preview } }: { drag: DragStatus }) => {
  const forest = useApp(shownForest);
  return (
    <div
      className={styles.note}
      role="note"
      aria-label="Drag"
      data-refused={refusal !== null || undefined}
      style={{ '--x': `${at.x}px`, '--y': `${at.y}px` } as React.CSSProperties}
    >
      {refusal === null ? (
        <>
          <p className={styles.what}>
            <CornerDownRight size={14} aria-hidden />
            {what} {where}
          </p>
          <Muted className={styles.preview}>{preview === null ? 'Counting…' : previewWords(forest, preview)}</Muted>
        </>
      ) : (
        <p className={styles.what}>
          <Ban size={14} aria-hidden />
          {refusal}
        </p>
      )}
    </div>
  );
};

/** The selection rectangle while it is being drawn. */
export const Marquee = ({ marquee }: Pick<DragState, 'marquee'>) => {
  const rect = useStore(marquee, (state) => state.rect);
  if (rect === null) return null;
  const { x, y, width, height } = rect;
  return <div className={styles.marquee} style={{ left: x, top: y, width, height }} aria-hidden />;
};

/** What dropping the dragged turns would do. */
export interface Drop {
  readonly target: Target;
  /** Turns that would move, each with everything under it; the others are there already, or move along. */
  readonly moving: readonly NodeId[];
  /** Why it is not possible, in words; null if it is. */
  readonly refusal: string | null;
}

/** Where nothing of the canvas can be seen, although it goes on there: beyond its edge, or under its tools. */
export const OUTSIDE = Symbol('outside');

/** Dropping turns on a card, or on the background (null), where each starts a topic of its own. On what is not canvas they stay. */
export const dropOn = (
  forest: Forest,
  ids: readonly NodeId[],
  family: ReadonlySet<NodeId>,
  over: NodeId | null | typeof OUTSIDE,
): Drop => {
  const heads = outermost(forest, ids);
  if (over === OUTSIDE) {
    return {
      target: { kind: 'new-topic' },
      moving: heads,
      refusal: 'Nothing is moved: drop on a turn or on empty canvas.',
    };
  }
  const target: Target = over === null ? { kind: 'new-topic' } : { kind: 'under', nodeId: over };
  const moving = heads.filter((id) => nodeOf(forest, id).parentId !== over);
  return { target, moving, refusal: refusalOf(forest, heads, moving, family, over) };
};

const refusalOf = (
  forest: Forest,
  heads: readonly NodeId[],
  moving: readonly NodeId[],
  family: ReadonlySet<NodeId>,
  over: NodeId | null,
): string | null => {
  const one = heads.length === 1;
  const what = one ? `Turn ${nodeOf(forest, heads[0] as NodeId).number}` : 'They';
  if (over === null) {
    if (moving.length > 0) return null;
    return one ? `${what} already begins a topic.` : 'Each already begins a topic.';
  }
  const { number } = nodeOf(forest, over);
  if (heads.includes(over)) return `Turn ${number} cannot be moved under itself.`;
  if (family.has(over)) return `Turn ${number} is below what you are dragging.`;
  if (moving.length > 0) return null;
  return `${what} ${one ? 'is' : 'are'} already under turn ${number}.`;
};

/** `Turn 3 with 4 below`, `3 turns`: what is being dragged. */
export const carriedInWords = (forest: Forest, ids: readonly NodeId[], family: ReadonlySet<NodeId>): string => {
  const heads = outermost(forest, ids);
  const below = family.size - heads.length;
  const what = turnsInWords(heads.map((id) => nodeOf(forest, id)));
  return below === 0 ? what : `${what} with ${below} below`;
};

export const targetInWords = (forest: Forest, { target, moving }: Drop): string =>
  target.kind === 'under'
    ? `under turn ${nodeOf(forest, target.nodeId).number}`
    : moving.length > 1
      ? 'to topics of their own'
      : 'to a topic of its own';

/**
 * Asks after a pause, and passes on only the answer to the latest question: earlier ones arrive too late. A failed
 * answer is passed on as null.
 */
export const createLatest = <Q, A>(
  ask: (question: Q) => Promise<A>,
  answered: (answer: A | null) => void,
  pauseMs: number,
) => {
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    asked++;
    clearTimeout(timer);
  };
  return {
    ask: (question: Q): void => {
      cancel();
      const mine = asked;
      const hand = (answer: A | null) => {
        if (mine === asked) answered(answer);
      };
      timer = setTimeout(() => void ask(question).then(hand, () => hand(null)), pauseMs);
    },
    /** Cancels the pending or running question. */
    cancel,
  };
};
