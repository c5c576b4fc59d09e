import { useEffect, useRef } from 'react';
import type { Keys } from '../../app/state.ts';
import { whenIdle } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState, useFeatures } from '../app-context.ts';
import type { Feature } from '../feature.ts';
import type { CommandId } from './commands/default-keys.ts';
import { type Keymap, singleKeys, useKeymap } from './commands/keymap.ts';
import { isCharacter, isNoText, type Keystroke, strokeOf, takeTypedAhead, typeAhead } from './commands/keystroke.ts';

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
  /** Commands that were given while what they do is still being loaded. */
  const starting = useRef(0);
  /** One of them opens a dialog that one types in at once: what is written from then on is meant for it, wherever the caret still is. */
  const opening = useRef(false);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const composing = event.isComposing || event.keyCode === COMPOSING;
      if (event.defaultPrevented || composing || document.querySelector(FLOATING) !== null) return;
      // A dialog that is still loading takes the keys already: whoever types on means it.
      const typesAhead = (): boolean => {
        const dialog = state().session.dialog;
        return dialog !== null && features.some(({ soon = [] }) => soon.includes(dialog));
      };
      if (opening.current && writes(event)) {
        event.preventDefault();
        return typeAhead(event);
      }
      if (state().session.dialog !== null) {
        if (!typesAhead() || !writes(event)) return;
        event.preventDefault();
        return typeAhead(event);
      }
      const command = commandOf(event, {
        keymap,
        own: state().keys,
        typing: isTypedIn(event.target),
        singleKeys: singleKeys(),
      });
      // One that was given just before may be about to open such a dialog.
      const isStarting = starting.current > 0;
      if (command === null && !(isStarting && writes(event) && !isTypedIn(event.target))) return;
      event.preventDefault();
      if (!isStarting) takeTypedAhead();
      starting.current += 1;
      opening.current = features.some(({ soon = [] }) => command !== null && soon.includes(command));
      loadRegistry()
        .then(
          ({ runCommand }) => {
            if (isStarting && typesAhead() && writes(event)) typeAhead(event);
            else if (command !== null) runCommand(command, features, { actions, state });
          },
          () => actions.announce('This part of the page could not be loaded. Reload the page and try again.'),
        )
        .finally(() => {
          starting.current -= 1;
          opening.current = false;
        });
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [actions, state, features, keymap]);

  // The first keystroke need not wait for any of it; if that fails it tries again, and says so.
  const isOpen = useApp(({ phase }) => phase !== 'opening');
  useEffect(() => {
    if (!isOpen) return;
    whenIdle(() => void loadAhead(features).catch(() => undefined));
  }, [features, isOpen]);
};

/** It would change what stands in a field. */
const writes = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ([...key].length === 1 || key === 'Backspace') && !ctrlKey && !metaKey && !altKey;

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
