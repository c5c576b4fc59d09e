import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { Actions } from '../app/actions.ts';
import type { OpenPart } from '../app/app.ts';
import type { AppState } from '../app/state.ts';
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
