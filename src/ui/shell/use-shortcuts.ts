import { useEffect } from 'react';
import type { Pane } from '../../app/state.ts';
import { useActions, useAppState } from '../app-context.ts';
import { foldedAfter } from './folding.ts';
import { commandOf, paneAfter } from './shortcuts.ts';
import { singleKeys } from './single-keys.ts';

const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=range], [type=checkbox])'));

const paneElements = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-pane]')];
const paneName = (element: Element | null | undefined): Pane | null =>
  (element?.getAttribute('data-pane') as Pane | null | undefined) ?? null;

/** The keys that hold on the whole page. A dialog keeps its keys to itself. */
export const useShortcuts = (): void => {
  const actions = useActions();
  const state = useAppState();

  useEffect(() => {
    const focusPane = (step: 1 | -1) => {
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
    const fold = (pane: Pane) => actions.session({ folded: foldedAfter(state().session.folded, pane) });

    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || document.querySelector('[role="dialog"], [role="menu"]'))
        return;
      const command = commandOf(event, isTypedIn(event.target), singleKeys());
      if (command === null) return;
      event.preventDefault();
      switch (command) {
        case 'undo':
          return void actions.undo();
        case 'redo':
          return void actions.redo();
        case 'compose':
          actions.session({ pane: 'chat', folded: state().session.folded.filter((pane) => pane !== 'chat') });
          requestAnimationFrame(() => document.querySelector<HTMLElement>('#message')?.focus());
          return;
        case 'shortcuts':
          return actions.session({ dialog: 'shortcuts' });
        case 'next-pane':
          return focusPane(1);
        case 'previous-pane':
          return focusPane(-1);
        case 'fold-chat':
          return fold('chat');
        case 'fold-inspector':
          return fold('inspector');
        default:
          command satisfies never;
      }
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [actions, state]);
};
