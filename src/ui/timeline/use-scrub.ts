import { useEffect, useState } from 'react';
import { useActions } from '../app-context.ts';
import { countAt, type Frame } from './film.ts';

/**
 * Travels to a place on the strip, at most once per animation frame: travelling folds the log. `asked`
 * is the place on the way to which it is, so that the head stays under the pointer.
 */
export const useScrub = (
  frames: readonly Frame[],
): { readonly asked: number | null; readonly scrub: (position: number) => void } => {
  const { travel } = useActions();
  const [asked, setAsked] = useState<number | null>(null);

  useEffect(() => {
    if (asked === null) return;
    const frameId = requestAnimationFrame(() => {
      travel(countAt(frames, asked));
      setAsked(null);
    });
    return () => cancelAnimationFrame(frameId);
  }, [asked, frames, travel]);

  return { asked, scrub: setAsked };
};
