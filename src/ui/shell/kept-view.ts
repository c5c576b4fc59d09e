import { useLayoutEffect, useRef } from 'react';
import type { Session } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';

/** Where the view is kept between visits, on this device. */
const STORED_AS = 'coppice-view';

/** What of a visit the next one begins with. */
type KeptView = Pick<Session, 'reading'>;

const viewOf = ({ reading }: Session): KeptView => ({ reading });

/** As it was left; what is damaged, or not there, is as shipped. */
const storedView = (): Partial<KeptView> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
    return typeof stored === 'object' && stored !== null && 'reading' in stored && stored.reading === 'everything'
      ? { reading: 'everything' }
      : {};
  } catch {
    return {};
  }
};

/** Begins with the view of the last visit, and keeps every later one. */
export const useKeptView = (): void => {
  const { session } = useActions();
  const kept = useApp((state) => JSON.stringify(viewOf(state.session)));
  const restored = useRef(false);
  useLayoutEffect(() => {
    if (!restored.current) {
      restored.current = true;
      return session(storedView());
    }
    try {
      localStorage.setItem(STORED_AS, kept);
    } catch {
      // Kept for this visit only: the settings say that nothing can be stored.
    }
  }, [kept, session]);
};
