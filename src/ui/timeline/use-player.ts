import { useCallback, useEffect, useState } from 'react';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { firstScene, sceneLength, scenesOf } from './player.ts';

/** Plays the conversation's life like a film, from where the person is to now. */
export const usePlayer = (): { readonly playing: boolean; readonly toggle: () => void; readonly pause: () => void } => {
  const { travel } = useActions();
  const getState = useAppState();
  const conversationId = useApp((state) => state.conversationId);
  const [playing, setPlaying] = useState<string | null>(null);
  const on = playing !== null && playing === conversationId;

  useEffect(() => {
    if (!on) return;
    const { entries, past } = getState();
    const scenes = scenesOf(entries);
    const first = firstScene(scenes, past?.count ?? null);
    const length = sceneLength(scenes.length);
    let shown = first - 1;
    let begin = 0;
    let frameId = requestAnimationFrame(function show(time) {
      if (begin === 0) begin = time;
      const scene = first + Math.floor((time - begin) / length);
      if (scene >= scenes.length) {
        travel(null);
        setPlaying(null);
        return;
      }
      if (scene > shown) travel(scenes[scene] ?? null);
      shown = scene;
      frameId = requestAnimationFrame(show);
    });
    return () => cancelAnimationFrame(frameId);
  }, [on, getState, travel]);

  const pause = useCallback(() => setPlaying(null), []);
  const toggle = useCallback(
    () => setPlaying((now) => (now === conversationId ? null : conversationId)),
    [conversationId],
  );
  return { playing: on, toggle, pause };
};
