import { useCallback, useEffect, useRef, useState } from 'react';
import { VERY_LONG } from '../../app/snapshots.ts';
import type { AppState } from '../../app/state.ts';
import type { Entry } from '../../domain/entry.ts';
import { kindOf } from '../../domain/event-kinds.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import type { TurnFrame } from './film-strip.ts';

/** Pace of the film: how long a scene lasts, unless the whole film would exceed its limit; milliseconds. */
const SCENE = 350;
const LONGEST_FILM = 45_000;

/** Entry counts after which the forest looks different: the scenes of the film. */
export const filmScenes = (entries: readonly Entry[]): number[] =>
  entries.flatMap(({ event }, index) => (kindOf(event).visible ? [index + 1] : []));

/** Of a very long log the turns: all of its scenes could not be shown in time, nor read without a pause. */
const scenesOf = (entries: readonly Entry[], frames: readonly TurnFrame[]): readonly number[] =>
  entries.length < VERY_LONG ? filmScenes(entries) : frames.map(({ count }) => count).sort((a, b) => a - b);

/** How long a scene is shown, in milliseconds. */
export const sceneLength = (scenes: number): number => Math.min(SCENE, LONGEST_FILM / Math.max(1, scenes));

/** The scene to start with: the one after the user's position, or the first if they are at the end. */
export const firstScene = (scenes: readonly number[], count: number | null): number => {
  const next = count === null ? 0 : scenes.findIndex((scene) => scene > count);
  return next === -1 ? 0 : next;
};

/** The moment after the next change; null is now, `undefined` if there is none. */
export const changeAfter = (entries: readonly Entry[], count: number | null): number | null | undefined => {
  if (count === null) return undefined;
  const next = nextScene(entries, count, 1);
  return next === undefined || nextScene(entries, next, 1) === undefined ? null : next;
};

/** The moment before the last change; `undefined` if there is none. */
export const changeBefore = (entries: readonly Entry[], count: number | null): number | undefined => {
  const from = count ?? nextScene(entries, entries.length + 1, -1);
  return from === undefined ? undefined : nextScene(entries, from, -1);
};

/** The scene after or before a moment. Looks no further: reading all of a very long log takes seconds. */
const nextScene = (entries: readonly Entry[], count: number, by: 1 | -1): number | undefined => {
  for (let at = by === 1 ? count : count - 2; at >= 0 && at < entries.length; at += by) {
    if (kindOf((entries[at] as Entry).event).visible) return at + 1;
  }
  return undefined;
};

/** The number of changes of the forest between two moments. */
export const changesBetween = (entries: readonly Entry[], from: number, to: number): number =>
  filmScenes(entries.slice(from, to)).length;

/** The moment that is shown or about to be; null is now. */
const momentOf = ({ past, reaching }: AppState): number | null => reaching ?? past?.count ?? null;

/** Plays the conversation's history like a film, from the user's position to now, unless they go elsewhere meanwhile. */
export const usePlayer = (
  frames: readonly TurnFrame[],
): { readonly playing: boolean; readonly toggle: () => void; readonly pause: () => void } => {
  const { travel } = useActions();
  const getState = useAppState();
  const conversationId = useApp((state) => state.conversationId);
  const [playing, setPlaying] = useState<string | null>(null);
  const turns = useRef(frames);
  turns.current = frames;
  const on = playing !== null && playing === conversationId;

  useEffect(() => {
    if (!on) return;
    const scenes = scenesOf(getState().entries, turns.current);
    let moment = momentOf(getState());
    const first = firstScene(scenes, moment);
    const length = sceneLength(scenes.length);
    let shown = first - 1;
    let begin = 0;
    let frameId = requestAnimationFrame(function show(time) {
      if (momentOf(getState()) !== moment) return setPlaying(null);
      if (begin === 0) begin = time;
      const scene = first + Math.floor((time - begin) / length);
      if (scene >= scenes.length) {
        travel(null);
        setPlaying(null);
        return;
      }
      // A moment that is about to be shown is not overtaken, or none would be.
      if (scene > shown && getState().reaching === null) {
        travel(scenes[scene] ?? null);
        shown = scene;
      }
      moment = momentOf(getState());
      frameId = requestAnimationFrame(show);
    });
    return () => {
      cancelAnimationFrame(frameId);
      // Otherwise it would go on when the conversation is opened again.
      setPlaying(null);
    };
  }, [on, getState, travel]);

  const pause = useCallback(() => setPlaying(null), []);
  const toggle = useCallback(
    () => setPlaying((now) => (now === conversationId ? null : conversationId)),
    [conversationId],
  );
  return { playing: on, toggle, pause };
};
