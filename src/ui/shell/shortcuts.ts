import { useEffect, useRef } from 'react';
import { coveringDialog, type Keys } from '../../app/state.ts';
import { whenIdle } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import type { CommandId } from '../commands/default-keys.ts';
import type { Feature } from '../commands/feature.ts';
import { useFeatures } from '../commands/feature.ts';
import { type Keymap, singleKeys, useKeymap } from '../commands/keymap.ts';
import {
  isCharacter,
  isMacEditing,
  isNoText,
  type Keystroke,
  strokeOf,
  takeTypedAhead,
  typeAhead,
} from '../commands/keystroke.ts';
import { isComposing, isTypedIn } from '../parts/composing.ts';

/** The list of conversations as a drawer, beside which the page stays interactive. */
const DRAWER = '[data-drawer]';
const isInDrawer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(DRAWER) !== null;
/** Elements that handle keys themselves. */
const FLOATING = `[role="dialog"]:not(${DRAWER}), [role="menu"]`;

/** The commands' code is not needed for the first paint. */
const loadRegistry = () => import('./commands/registry.ts');

/** Loads what users type into as soon as they open it. */
const loadAhead = (features: readonly Feature[]) => {
  const dialogs = features.flatMap(({ dialogs, soon = [] }) => soon.map((name) => dialogs[name]?.()));
  return Promise.all([loadRegistry(), import('../chat/place-picker.tsx'), ...dialogs]);
};

/** The page-wide shortcuts. Dialogs handle their own keys. */
export const useShortcuts = (): void => {
  useHeldKeys();
  const actions = useActions();
  const state = useAppState();
  const features = useFeatures();
  const keymap = useKeymap();
  /** How many commands have been triggered whose code is still loading. */
  const starting = useRef(0);
  /** One of them opens a dialog with a text field: anything typed from now on is meant for it, wherever the caret still is. */
  const opening = useRef(false);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event)) return;
      const situation = {
        keymap,
        own: state().keys,
        // In the drawer, too, characters and keys such as Delete are not about turns.
        typing: isTypedIn(event.target) || isInDrawer(event.target),
        singleKeys: singleKeys(),
        replying: state().turn !== null,
      };
      // A key that is still held down once its command has run is not the browser's, even if a dialog is open by now.
      if (isSpent(event, situation)) event.preventDefault();
      if (document.querySelector(FLOATING) !== null) return;
      const dialog = () => coveringDialog(state().session);
      // A dialog that is still loading already takes the keys: anything typed is meant for it.
      const typesAhead = (): boolean => features.some(({ soon = [] }) => soon.some((name) => name === dialog()));
      if (opening.current && writes(event)) {
        event.preventDefault();
        return typeAhead(event);
      }
      if (dialog() !== null) {
        if (!typesAhead() || !writes(event)) return;
        event.preventDefault();
        return typeAhead(event);
      }
      const command = commandOf(event, situation);
      // A command triggered just before may be about to open such a dialog.
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

  // Preload, so that the first keystroke need not wait; if this fails, the keystroke tries again and reports it.
  const isOpen = useApp(({ phase }) => phase !== 'opening');
  useEffect(() => {
    if (!isOpen) return;
    whenIdle(() => void loadAhead(features).catch(() => undefined));
  }, [features, isOpen]);
};

/** Keys that do something to what has the focus. */
const PRESSING: ReadonlySet<string> = new Set(['Enter', ' ', 'Delete', 'Backspace']);

/**
 * Tells of each key, in turn, whether it is only still held down since it was pressed elsewhere: what has been given the
 * focus meanwhile, as the row after a deleted one or the message after a removed file, must not take it for its own.
 */
export const heldFromElsewhere = () => {
  let pressedAt: EventTarget | null = null;
  return ({ key, repeat, target }: Pick<KeyboardEvent, 'key' | 'repeat' | 'target'>): boolean => {
    if (!repeat) pressedAt = target;
    return PRESSING.has(key) && target !== pressedAt;
  };
};

const useHeldKeys = (): void =>
  useEffect(() => {
    const isHeldFromElsewhere = heldFromElsewhere();
    const pressed = (event: KeyboardEvent) => {
      if (!isHeldFromElsewhere(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // Before anything else hears of the key.
    window.addEventListener('keydown', pressed, true);
    return () => window.removeEventListener('keydown', pressed, true);
  }, []);

/** Whether it would change a field's text. */
const writes = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ([...key].length === 1 || key === 'Backspace') && !ctrlKey && !metaKey && !altKey;

/** Commands that repeat while their key is held down; no others do. */
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
  /** The focus is in a field, which keeps characters and its own undo. */
  readonly typing: boolean;
  /** Whether single characters trigger commands (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  /** Whether there is a reply to stop. */
  readonly replying: boolean;
}

/** The command to run for a keystroke; null if there is none here, or if its key is only still held down. */
export const commandOf = (event: Keystroke & { readonly repeat?: boolean }, situation: Situation): CommandId | null => {
  const command = boundTo(event, situation);
  return event.repeat === true && command !== null && !REPEATS.has(command) ? null : command;
};

/**
 * Whether a key is only still held down after its command. One that repeats, such as undo, is not: in an open dialog it is
 * the dialog's.
 */
export const isSpent = (event: Keystroke & { readonly repeat?: boolean }, situation: Situation): boolean =>
  event.repeat === true && boundTo(event, situation) !== null && commandOf(event, situation) === null;

/** The command that has a keystroke; null if none has it here. */
const boundTo = (
  event: Keystroke & { readonly repeat?: boolean },
  { keymap, own, typing, singleKeys, replying }: Situation,
): CommandId | null => {
  const stroke = strokeOf(event);
  const command = stroke === null ? null : keymap.commandWith(stroke, own);
  if (stroke === null || command === null) return null;
  const leadsAway = keymap.holdsWhileTyping(command) && isNoText(stroke);
  if (typing && (!leadsAway || isMacEditing(event))) return null;
  // Input methods have a use for its default keys, but not where they are still held down once they stopped a reply.
  if (typing && command === 'stop' && !replying && event.repeat !== true) return null;
  return isCharacter(stroke) && !singleKeys ? null : command;
};
