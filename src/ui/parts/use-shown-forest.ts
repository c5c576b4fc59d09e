import { useDeferredValue } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Forest } from '../../domain/forest.ts';
import { useApp } from '../app-context.ts';

/** The forest on the screen. While the person scrubs through time it may lag a moment, so that the scrubbing does not. */
export const useShownForest = (): Forest => {
  const forest = useApp(shownForest);
  const travelling = useApp((state) => state.past !== null);
  const lagging = useDeferredValue(forest);
  return travelling ? lagging : forest;
};
