import { useStore } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import { useApp } from '../app-context.ts';
import { boxOf, cardOf } from './forest-layout.ts';
import type { Scene } from './scene.ts';
import type { Camera } from './use-camera.ts';
import { bringIntoView, isInView, openingView } from './view.ts';

/**
 * Keeps the right part of the forest in view: frames a conversation when it opens, follows the
 * active turn as the forest grows, and goes to a turn that is selected. A person who pans away is
 * left alone until the active turn is in view again. Returns what hears of the person's own moves.
 */
export const useFraming = (scene: Scene, camera: Camera) => {
  const { forest, layout, selectedId, ghost } = scene;
  const conversationId = useApp((state) => state.conversationId);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  /** The conversation that has been framed, and whether the person has moved the view since. */
  const framed = useRef<{ id: string | null; touched: boolean; following: boolean }>({
    id: null,
    touched: false,
    following: true,
  });

  const active = cardOf(layout, forest.nodes[forest.active?.nodeId ?? '']);
  const activeBox = active === null ? null : boxOf(active);
  const at = ghost?.box ?? activeBox;
  const where = at === null ? '' : `${at.x} ${at.y}`;
  const latest = useRef({ scene, activeBox, at });
  latest.current = { scene, activeBox, at };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the place to look at moves, not when its object is made anew.
  useEffect(() => {
    const { scene, activeBox, at } = latest.current;
    if (width === 0 || height === 0 || at === null) return;
    const state = framed.current;
    const pane = { width, height };
    const open = openingView(scene.layout.turns === 0 ? at : scene.layout, activeBox, pane);
    if (state.id !== conversationId) {
      framed.current = { id: conversationId, touched: false, following: true };
      return camera.move(open, { at: 'once' });
    }
    if (!state.following) return;
    const view = camera.view();
    if (isInView(view, at)) return;
    camera.move(state.touched ? bringIntoView(view, at) : open);
  }, [camera, conversationId, where, width, height]);

  useEffect(() => {
    const { layout, forest } = latest.current.scene;
    const selected = cardOf(layout, forest.nodes[selectedId ?? '']);
    const view = camera.view();
    if (selected === null || view.width === 0) return;
    const next = bringIntoView(view, boxOf(selected));
    if (next !== view) camera.move(next);
  }, [camera, selectedId]);

  /** The person has moved the view. */
  return useCallback(() => {
    const { activeBox } = latest.current;
    framed.current.touched = true;
    framed.current.following = activeBox !== null && isInView(camera.view(), activeBox);
  }, [camera]);
};
