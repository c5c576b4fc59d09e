import { createContext, createElement, type ReactNode, useContext, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { Actions } from '../app/actions.ts';
import type { OpenPart } from '../app/app.ts';
import { type AppState, shownForest } from '../app/state.ts';
import type { Forest } from '../domain/forest.ts';
import type { Feature } from './feature.ts';

export interface App {
  readonly store: StoreApi<AppState>;
  readonly actions: Actions;
  readonly part: OpenPart;
  readonly features: readonly Feature[];
}

export const AppContext = createContext<App | null>(null);

const useContextApp = (): App => {
  const app = useContext(AppContext);
  if (app === null) throw new Error('no App above this component');
  return app;
};

/** A part of the state; the component renders again when it changes (by `Object.is`). */
export const useApp = <T>(select: (state: AppState) => T): T => useStore(useContextApp().store, select);

/** What the interface may ask for. The same object for the page's whole life. */
export const useActions = (): Actions => useContextApp().actions;

/** For what a feature keeps while its dialog is closed. */
export const usePart = (): OpenPart => useContextApp().part;

/** What the page can do beside chatting. The same list for the page's whole life. */
export const useFeatures = (): readonly Feature[] => useContextApp().features;

/** The state outside of rendering, for event handlers. */
export const useAppState = (): (() => AppState) => useContextApp().store.getState;

interface ShownMoment {
  readonly forest: Forest;
  readonly past: boolean;
}

const ShownContext = createContext<ShownMoment | null>(null);

/**
 * What is on the screen, for all below. While the person scrubs through time it may lag a moment, so that the scrubbing does not: it is looked
 * at here alone, and none who shows it is rendered before its turn.
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

/** The forest on the screen. */
export const useShownForest = (): Forest => useShownMoment().forest;

/** Whether that is one of the past, in which nothing can be changed. */
export const useShowsPast = (): boolean => useShownMoment().past;
