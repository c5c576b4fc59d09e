import { useSyncExternalStore } from 'react';

/** Phone: one pane at a time. */
export const PHONE = '(max-width: 800px)';
/** Too narrow for three panes: the inspector lies over the forest. */
export const COMPACT = '(max-width: 1100px)';
/** The header has room for what is needed to chat. */
export const NARROW = '(max-width: 1380px)';
/** The header has no room for a button of every part of the page. */
export const CROWDED = '(max-width: 1600px)';

export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
