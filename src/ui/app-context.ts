import { createContext, createElement, type ReactNode, useContext, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { Actions } from '../app/actions.ts';
import type { OpenFeaturePart } from '../app/app.ts';
import { type AppState, shownForest } from '../app/state.ts';
import type { Forest } from '../domain/forest.ts';

export interface App {
  readonly store: StoreApi<AppState>;
  readonly actions: Actions;
  readonly part: OpenFeaturePart;
}

export const AppContext = createContext<App | null>(null);

const useContextApp = (): App => {
  const app = useContext(AppContext);
  if (app === null) throw new Error('no App above this component');
  return app;
};

/** Selects a part of the state; the component renders again when it changes (by `Object.is`). */
export const useApp = <T>(select: (state: AppState) => T): T => useStore(useContextApp().store, select);

/** The actions available to the interface. The same object for the page's whole life. */
export const useActions = (): Actions => useContextApp().actions;

/** Holds what a feature keeps while its dialog is closed. */
export const usePart = (): OpenFeaturePart => useContextApp().part;

/** The state outside of rendering, for event handlers. */
export const useAppState = (): (() => AppState) => useContextApp().store.getState;

interface ShownMoment {
  readonly forest: Forest;
  readonly past: boolean;
}

const ShownContext = createContext<ShownMoment | null>(null);

/**
 * Provides what is on screen to everything below. While the user scrubs through time it may lag a little so that
 * scrubbing does not: only this component reads it, so nothing that shows it renders early.
 */
export const ShownMoment = ({ children }: { readonly children: ReactNode }) => {
  const forest = useApp(shownForest);
  const past = useApp((state) => state.past !== null);
  const now = useMemo(() => ({ forest, past }), [forest, past]);
  const lagging = useDeferredValue(now);
  return createElement(ShownContext.Provider, { value: past ? lagging : now }, children);
};

const useShownMoment = (): ShownMoment => {
  const shown = useContext(ShownContext);
  if (shown === null) throw new Error('no ShownMoment above this component');
  return shown;
};

/** The forest on screen. */
export const useShownForest = (): Forest => useShownMoment().forest;

/** Whether that is a forest of the past, which cannot be changed. */
export const useShowsPast = (): boolean => useShownMoment().past;
