import { useLayoutEffect, useRef } from 'react';
import type { Session, SizedPane } from '../../app/state.ts';
import { useActions, useApp } from '../app-context.ts';

/** The storage key of the view on this device. */
const STORED_AS = 'coppice-view';

/** What is carried over from one visit to the next. */
type PersistedView = Pick<Session, 'reading' | 'listStays' | 'closedFolders' | 'toured' | 'widths'>;

const viewOf = ({ reading, listStays, closedFolders, toured, widths }: Session): PersistedView => ({
  reading,
  listStays,
  closedFolders,
  toured,
  widths,
});

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  (values as readonly unknown[]).includes(value);

/** The stored view; anything damaged or missing falls back to the default. */
const storedView = (): Partial<PersistedView> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
    const { reading, listStays, closedFolders, toured, widths }: Partial<Record<keyof PersistedView, unknown>> =
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

/** Restores the view of the last visit, and stores every later one. */
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

/** In pixels. A narrower pane is folded away instead; a wider one leaves too little for the others. */
export const LIMITS: Readonly<Record<SizedPane, { readonly least: number; readonly most: number }>> = {
  list: { least: 220, most: 480 },
  chat: { least: 300, most: 960 },
  inspector: { least: 260, most: 720 },
};

export const clamped = (pane: SizedPane, width: number): number =>
  Math.round(Math.min(LIMITS[pane].most, Math.max(LIMITS[pane].least, width)));

/** Stored widths; damaged ones count as never set. */
const widthsFrom = (stored: object): Session['widths'] =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([pane, width]) =>
      Object.hasOwn(LIMITS, pane) && Number.isFinite(width) ? [[pane, clamped(pane as SizedPane, width)]] : [],
    ),
  );
