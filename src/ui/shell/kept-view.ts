import { useLayoutEffect, useRef } from 'react';
import type { Session } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';
import { widthsFrom } from './pane-widths.ts';

/** Where the view is kept between visits, on this device. */
const STORED_AS = 'coppice-view';

/** What of a visit the next one begins with. */
type KeptView = Pick<Session, 'reading' | 'listStays' | 'closedFolders' | 'toured' | 'widths'>;

const viewOf = ({ reading, listStays, closedFolders, toured, widths }: Session): KeptView => ({
  reading,
  listStays,
  closedFolders,
  toured,
  widths,
});

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  (values as readonly unknown[]).includes(value);

/** As it was left; what is damaged, or not there, is as shipped. */
const storedView = (): Partial<KeptView> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
    const { reading, listStays, closedFolders, toured, widths }: Partial<Record<keyof KeptView, unknown>> =
      typeof stored === 'object' && stored !== null ? stored : {};
    return {
      ...(reading === 'everything' && { reading }),
      ...(isOneOf(['open', 'folded'], listStays) && { listStays }),
      ...(Array.isArray(closedFolders) && {
        closedFolders: closedFolders.filter((folder): folder is string => typeof folder === 'string'),
      }),
      ...(toured === true && { toured }),
      ...(typeof widths === 'object' && widths !== null && { widths: widthsFrom(widths) }),
    };
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
