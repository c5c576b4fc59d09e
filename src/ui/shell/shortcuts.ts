import { useEffect } from 'react';
import type { Keys } from '../../app/state.ts';
import { useActions, useAppState, useFeatures } from '../app-context.ts';
import type { Feature } from '../feature.ts';
import type { CommandId } from './commands/default-keys.ts';
import { type Keymap, singleKeys, useKeymap } from './commands/keymap.ts';
import { isCharacter, isNoText, type Keystroke, strokeOf } from './commands/keystroke.ts';

const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=range], [type=checkbox], [type=radio])'));

/** What keeps its keys to itself. */
const FLOATING = '[role="dialog"], [role="menu"]';
/** What a key event has while a character is put together from several keystrokes, in browsers that say so only here. */
const COMPOSING = 229;

/** What commands do is not needed for the first paint. */
const loadRegistry = () => import('./commands/registry.ts');

/** Whoever opens these types on at once. */
const loadAhead = (features: readonly Feature[]) => {
  const dialogs = features.flatMap(({ dialogs, soon = [] }) => soon.map((name) => dialogs[name]?.()));
  return Promise.all([loadRegistry(), import('../chat/place-picker.tsx'), ...dialogs]);
};

/** The keys that hold on the whole page. A dialog keeps its keys to itself. */
export const useShortcuts = (): void => {
  const actions = useActions();
  const state = useAppState();
  const features = useFeatures();
  const keymap = useKeymap();

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const composing = event.isComposing || event.keyCode === COMPOSING;
      // One that is still loading takes the keys already: whoever types on means it.
      const opening = state().session.dialog !== null;
      if (event.defaultPrevented || composing || opening || document.querySelector(FLOATING) !== null) return;
      const command = commandOf(event, {
        keymap,
        own: state().keys,
        typing: isTypedIn(event.target),
        singleKeys: singleKeys(),
      });
      if (command === null) return;
      event.preventDefault();
      loadRegistry().then(
        ({ runCommand }) => runCommand(command, features, { actions, state }),
        () => actions.announce('This part of the page could not be loaded. Reload the page and try again.'),
      );
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [actions, state, features, keymap]);

  // The first keystroke need not wait for any of it; if that fails it tries again, and says so.
  useEffect(() => {
    const idle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 500));
    idle(() => void loadAhead(features).catch(() => undefined));
  }, [features]);
};

/** A key that is held down does these again and again, and nothing else. */
const REPEATS: ReadonlySet<CommandId> = new Set([
  'undo',
  'redo',
  'earlier',
  'later',
  'change-earlier',
  'change-later',
  'next-fork',
  'previous-fork',
  'sibling-left',
  'sibling-right',
]);

interface Situation {
  readonly keymap: Keymap;
  readonly own: Keys;
  /** The focus is in a field: characters and the field's own undo stay with it. */
  readonly typing: boolean;
  /** Whether characters alone mean commands (WCAG 2.1.4). */
  readonly singleKeys: boolean;
}

/** The command of a keystroke; null if it has none here. */
export const commandOf = (
  event: Keystroke & { readonly repeat?: boolean },
  { keymap, own, typing, singleKeys }: Situation,
): CommandId | null => {
  const stroke = strokeOf(event);
  const command = stroke === null ? null : keymap.commandWith(stroke, own);
  if (stroke === null || command === null) return null;
  if (typing && !(keymap.holdsWhileTyping(command) && isNoText(stroke))) return null;
  if (isCharacter(stroke) && !singleKeys) return null;
  return event.repeat === true && !REPEATS.has(command) ? null : command;
};
