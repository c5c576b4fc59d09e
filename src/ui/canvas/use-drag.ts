import { type RefObject, useEffect, useRef, useState } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MovePreview } from '../../app/actions.ts';
import type { Target } from '../../domain/decision.ts';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useAppState } from '../app-context.ts';
import { carriedInWords, type Drop, dropOn, familyOf, targetInWords } from './drop-target.ts';
import { edgePan } from './edge-pan.ts';
import { type At, listenForGestures } from './gestures.ts';
import { between, turnAt, turnsWithin } from './hit.ts';
import { createLatest } from './latest-answer.ts';
import type { Rect } from './measures.ts';
import type { Carry, Scene } from './scene.ts';
import type { Camera } from './use-camera.ts';
import { toCanvas } from './view.ts';

/** A pointer rests on a target this long before the preview is asked for, in milliseconds. */
const PREVIEW_PAUSE_MS = 120;

/** What is said beside the pointer while turns are dragged. Places are pixels of the pane. */
export interface DragSaid {
  readonly at: At;
  readonly what: string;
  readonly where: string;
  readonly refusal: string | null;
  /** null while it is being counted, or where it cannot be. */
  readonly preview: MovePreview | null;
}

export interface Dragging {
  readonly said: StoreApi<{ readonly drag: DragSaid | null }>;
  readonly marquee: StoreApi<{ readonly rect: Rect | null }>;
  /** Changes only when another card is pointed at, not with every move of the pointer. */
  readonly carry: Carry | null;
}

/** Dragging turns to another place in the forest, and the marquee. `menu` opens the menu of a card pressed long. */
export const useDrag = (
  root: RefObject<HTMLElement | null>,
  scene: Scene,
  camera: Camera,
  menu: (id: NodeId, at: At) => void,
): Dragging => {
  const actions = useActions();
  const state = useAppState();
  const [said] = useState(() => createStore<{ drag: DragSaid | null }>(() => ({ drag: null })));
  const [marquee] = useState(() => createStore<{ rect: Rect | null }>(() => ({ rect: null })));
  const [carry, setCarry] = useState<Carry | null>(null);
  const latest = useRef({ scene, menu });
  latest.current = { scene, menu };

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    let ids: readonly NodeId[] = [];
    let family: ReadonlySet<NodeId> = new Set();
    let drop: Drop | null = null;
    let over: NodeId | null | undefined;
    let corner: At | null = null;
    let last: At = { x: 0, y: 0 };
    let frame = 0;

    const inPane = ({ x, y }: At): At => {
      const bounds = element.getBoundingClientRect();
      return { x: x - bounds.left, y: y - bounds.top };
    };
    const idAt = (point: At): NodeId | null => turnAt(latest.current.scene.layout, camera.view(), point.x, point.y);

    const previews = createLatest(
      (asked: { ids: readonly NodeId[]; target: Target }) => actions.previewMove(asked.ids, asked.target),
      (preview) => {
        const { drag } = said.getState();
        if (drag !== null) said.setState({ drag: { ...drag, refusal: preview?.refusal ?? drag.refusal, preview } });
      },
      PREVIEW_PAUSE_MS,
    );

    const point = () => {
      const { forest } = latest.current.scene;
      const id = idAt(last);
      const { drag } = said.getState();
      if (drag !== null && id === over) return said.setState({ drag: { ...drag, at: last } });
      over = id;
      drop = dropOn(forest, ids, family, id);
      const { refusal, target, moving } = drop;
      setCarry({ family, over: id, refused: refusal !== null });
      const words = { what: carriedInWords(forest, ids, family), where: targetInWords(forest, drop) };
      said.setState({ drag: { at: last, ...words, refusal, preview: null } });
      if (refusal === null) previews.ask({ ids: moving, target });
      else previews.cancel();
    };

    const follow = () => {
      frame = requestAnimationFrame(follow);
      const next = edgePan(camera.view(), last.x, last.y);
      if (next === null) return;
      camera.move(next, { at: 'once' });
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
      corner = null;
      over = undefined;
      drop = null;
      setCarry(null);
      said.setState({ drag: null });
      marquee.setState({ rect: null });
    };

    const stop = listenForGestures(element, {
      hold: (at, { shift }) => {
        if (idAt(inPane(at)) === null) return shift ? 'marquee' : null;
        return state().past === null ? 'card' : null;
      },
      begin: (kind, from) => {
        last = inPane(from);
        element.focus({ preventScroll: true });
        if (kind === 'marquee') corner = toCanvas(camera.view(), last.x, last.y);
        else {
          const { forest, selection } = latest.current.scene;
          const id = idAt(last);
          if (id === null) return false;
          ids = selection.has(id) ? [...selection] : [id];
          family = familyOf(forest, ids);
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
          const all = [...new Set([...selection, ...found])];
          if (found.length > 0) actions.selectMany(all, selectedId ?? all[0] ?? null);
        } else if (drop?.refusal === null) {
          const { moving, target } = drop;
          if (!latest.current.scene.selection.has(ids[0] as NodeId)) actions.select(ids[0] as NodeId);
          void actions.moveTurns(moving, target);
        } else if (drop !== null && drop.refusal !== null) actions.announce(drop.refusal);
        end();
      },
      cancel: end,
      menu: (at) => {
        const id = idAt(inPane(at));
        if (id !== null) latest.current.menu(id, at);
      },
    });
    return () => {
      stop();
      end();
    };
  }, [root, camera, actions, state, said, marquee]);

  return { said, marquee, carry };
};
