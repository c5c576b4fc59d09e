import { useEffect } from 'react';
import { useActions, useAppState } from '../app-context.ts';
import { commandOf } from './shortcuts.ts';
import { singleKeys } from './single-keys.ts';

const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=range], [type=checkbox])'));

/** What a key event has while a character is put together from several keystrokes, in browsers that say so only here. */
const COMPOSING = 229;

/** What commands do is not needed for the first paint. */
const loadRegistry = () => import('../commands/registry.ts');

/** The keys that hold on the whole page. A dialog keeps its keys to itself. */
export const useShortcuts = (): void => {
  const actions = useActions();
  const state = useAppState();

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const composing = event.isComposing || event.keyCode === COMPOSING;
      if (event.defaultPrevented || composing || document.querySelector('[role="dialog"], [role="menu"]')) return;
      const command = commandOf(event, {
        own: state().keys,
        typing: isTypedIn(event.target),
        singleKeys: singleKeys(),
      });
      if (command === null) return;
      event.preventDefault();
      loadRegistry().then(
        ({ runCommand }) => runCommand(command, { actions, state }),
        () => actions.announce('This part of the page could not be loaded. Reload the page and try again.'),
      );
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [actions, state]);

  // The first keystroke need not wait for them either; if that fails it tries again, and says so.
  useEffect(() => {
    const idle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 500));
    idle(() => void loadRegistry().catch(() => undefined));
  }, []);
};
