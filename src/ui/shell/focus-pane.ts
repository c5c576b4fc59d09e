import type { Actions } from '../../app/actions.ts';
import type { AppState, Pane } from '../../app/state.ts';
import { paneAfter } from './shortcuts.ts';

const paneElements = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-pane]')];
const paneName = (element: Element | null | undefined): Pane | null =>
  (element?.getAttribute('data-pane') as Pane | null | undefined) ?? null;

/** Gives the focus to the next pane, or the one before. */
export const focusPane = (
  { actions, state }: { readonly actions: Actions; readonly state: () => AppState },
  step: 1 | -1,
): void => {
  const { pane } = state().session;
  const panes = paneElements();
  const names: Pane[] = panes.flatMap((element) => paneName(element) ?? []);
  const current = paneName(document.activeElement?.closest('[data-pane]'));
  // On a phone one pane is there at a time, and moving on shows the next.
  if (panes.length === 1) {
    const next = paneAfter(['chat', 'forest', 'inspector'], current ?? pane, step);
    if (next !== null) actions.session({ pane: next });
    requestAnimationFrame(() => paneElements()[0]?.focus());
    return;
  }
  const next = paneAfter(names, current, step);
  panes.find((element) => paneName(element) === next)?.focus();
};
