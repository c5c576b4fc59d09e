import { useLayoutEffect, useRef } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Session, SizedPane } from '../../app/state.ts';
import { parsedJson } from '../../domain/expectation.ts';
import { clamp } from '../../domain/numbers.ts';
import { useActions, useApp } from '../app-context.ts';
import { createStored } from '../parts/hooks.ts';

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

/** What was stored; anything damaged or missing falls back to the default. */
const stored = createStored('coppice-view', (text): Partial<PersistedView> => {
  const { reading, listStays, closedFolders, toured, widths }: Partial<Record<keyof PersistedView, unknown>> = Object(
    parsedJson(text ?? '{}'),
  );
  return {
    ...(reading === 'everything' && { reading }),
    ...(isOneOf(['open', 'folded'], listStays) && { listStays }),
    ...(Array.isArray(closedFolders) && {
      closedFolders: closedFolders.filter((folder): folder is string => typeof folder === 'string'),
    }),
    ...(toured === true && { toured }),
    ...(typeof widths === 'object' && widths !== null && { widths: widthsFrom(widths) }),
  };
});

/** Restores the view of the last visit, and stores every later one. */
export const useKeptView = (): void => {
  const { session } = useActions();
  const view = useApp(useShallow(({ session }) => viewOf(session)));
  /** As it was restored or last stored; null before that. */
  const last = useRef<PersistedView | null>(null);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = before === null ? { ...view, ...stored.get() } : view;
    if (before === null) session(stored.get());
    else storeChanges(before, view);
  }, [view, session]);
};

/**
 * Stores what differs between two views, down to single panes and folders, and leaves the rest as it is: another tab may
 * have stored that.
 */
export const storeChanges = (before: PersistedView, now: PersistedView): void => {
  const changed: Partial<PersistedView> = changedIn(Object.keys(now) as (keyof PersistedView)[], before, now);
  if (Object.keys(changed).length === 0) return;
  const kept = stored.get();
  const panes = Object.keys(PANE_LIMITS) as SizedPane[];
  const reopened = before.closedFolders.filter((folder) => !now.closedFolders.includes(folder));
  const closed = now.closedFolders.filter((folder) => !before.closedFolders.includes(folder));
  const closedThere = (kept.closedFolders ?? []).filter((folder) => !reopened.includes(folder));
  stored.set({
    ...kept,
    ...changed,
    ...(changed.widths && { widths: { ...kept.widths, ...changedIn(panes, before.widths, now.widths) } }),
    ...(changed.closedFolders && { closedFolders: [...new Set([...closedThere, ...closed])] }),
  });
};

const changedIn = <T extends object>(parts: readonly (keyof T)[], before: T, now: T): Partial<T> =>
  Object.fromEntries(parts.filter((part) => now[part] !== before[part]).map((part) => [part, now[part]])) as Partial<T>;

/** In pixels. A narrower pane is folded away instead; a wider one leaves too little for the others. */
export const PANE_LIMITS: Readonly<Record<SizedPane, { readonly least: number; readonly most: number }>> = {
  list: { least: 220, most: 480 },
  chat: { least: 300, most: 960 },
  inspector: { least: 260, most: 720 },
};

export const clamped = (pane: SizedPane, width: number): number =>
  Math.round(clamp(width, PANE_LIMITS[pane].least, PANE_LIMITS[pane].most));

/** Stored widths; damaged ones count as never set. */
const widthsFrom = (stored: object): Session['widths'] =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([pane, width]) =>
      Object.hasOwn(PANE_LIMITS, pane) && Number.isFinite(width) ? [[pane, clamped(pane as SizedPane, width)]] : [],
    ),
  );
