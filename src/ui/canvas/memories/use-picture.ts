import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { commandOf } from '../canvas-keys.ts';
import { boxOf } from '../forest-layout.ts';
import { usePaneSize, useWheel } from '../use-pane.ts';
import { usePress } from '../use-press.ts';
import { bringIntoView, centre, type View, type Viewport, zoomAbout, zoomTo } from '../view.ts';
import { moveInPicture } from './move-in-picture.ts';
import type { Picture } from './picture.ts';
import { type PictureOf, pictureOf } from './picture-of.ts';
import { cardIn, firstView, groupView, leastZoom, readView, shapeOf, wholeView } from './picture-view.ts';

interface Asked {
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Opens what is written about the selected card. */
  readonly onOpen: () => void;
}

const NOWHERE: View = { x: 0, y: 0, zoom: 1, width: 0, height: 0 };

/** A policy's picture in a pane: where it is looked at, and what keys, wheel and pointer do there. */
export const usePicture = (
  pane: RefObject<HTMLElement | null>,
  { policy, context, memory }: PictureOf,
  { selected, onSelect, onOpen }: Asked,
) => {
  const size = usePaneSize(pane);
  const aspect = shapeOf(size);
  const picture = useMemo(() => pictureOf({ policy, context, memory }, aspect), [policy, context, memory, aspect]);
  const [moved, setMoved] = useState<{ readonly of: Picture; readonly to: Viewport } | null>(null);
  const first = useMemo(() => (picture === null ? NOWHERE : firstView(picture, size)), [picture, size]);
  const view: View = { ...(moved !== null && moved.of === picture ? moved.to : first), ...size };
  const latest = useRef(view);
  latest.current = view;

  const look = (at: (view: View) => Viewport) => {
    if (picture === null) return;
    const to = at(latest.current);
    latest.current = { ...to, ...size };
    setMoved({ of: picture, to });
  };
  const least = picture === null ? 1 : leastZoom(picture, size);
  useWheel(pane, (factor, at) => look((now) => zoomAbout(now, now.zoom * factor, at, least)));
  const press = usePress((dx, dy) => look(({ x, y, zoom }) => ({ x: x + dx, y: y + dy, zoom })));

  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what is newly selected, from wherever it looks then
  useEffect(() => {
    const card = picture === null ? null : cardIn(picture, selected);
    if (card !== null && size.width > 0) look((now) => bringIntoView(now, boxOf(card)));
  }, [selected]);

  /** The next of those that stand forward, large enough to be read. */
  const goToForward = () => {
    if (picture === null) return;
    const { forward } = picture;
    const next = forward[(forward.indexOf(selected ?? '') + 1) % forward.length];
    const card = cardIn(picture, next ?? null);
    if (card === null || next === undefined) return;
    onSelect(next);
    look((now) => readView(card, now, now.zoom));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (picture === null || event.target !== event.currentTarget) return;
    if (event.key === 'r' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      return goToForward();
    }
    const command = commandOf(event);
    if (command === null) return;
    const card = cardIn(picture, selected);
    switch (command.do) {
      case 'move':
      case 'extend': {
        const start = picture.forward[0] ?? picture.scene.layout.trees[0]?.tree.ids[0] ?? null;
        const next = card === null ? start : moveInPicture(picture.scene, card, command.direction);
        if (next !== null) onSelect(next);
        break;
      }
      case 'zoom':
        look((now) => zoomTo(now, now.zoom * command.by, least));
        break;
      case 'fit':
        look((now) => wholeView(picture, now));
        break;
      case 'actual-size':
        look((now) => (card === null ? zoomTo(now, 1, 1) : centre(boxOf(card), now, 1)));
        break;
      case 'topic':
        if (card !== null) look((now) => groupView(card.placed, now));
        break;
      case 'activate':
        onOpen();
        break;
      case 'clear':
        // Nothing to let go of: it is for what the picture stands in.
        if (selected === null) return;
        onSelect(null);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return {
    picture,
    view,
    onPick: (id: string | null) => {
      if (!press.dragged()) onSelect(id);
    },
    zoom: (by: number) => look((now) => zoomTo(now, now.zoom * by, least)),
    fit: () => picture !== null && look((now) => wholeView(picture, now)),
    goToForward,
    /** Brings a point of the picture to the middle. */
    goTo: (at: { readonly x: number; readonly y: number }) =>
      look((now) => centre({ ...at, width: 0, height: 0 }, now, now.zoom)),
    handlers: { onKeyDown, onPointerDown: press.onPointerDown, onPointerMove: press.onPointerMove },
  };
};
