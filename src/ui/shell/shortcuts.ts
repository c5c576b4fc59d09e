import type { Keys, Pane } from '../../app/state.ts';
import type { CommandId } from './commands/default-keys.ts';
import type { Keymap } from './commands/keymap.ts';
import { isCharacter, isNoText, type Keystroke, strokeOf } from './commands/keystroke.ts';

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

/** The pane that follows among those shown, round and round. */
export const paneAfter = (panes: readonly Pane[], current: Pane | null, step: 1 | -1): Pane | null => {
  if (panes.length === 0) return null;
  const at = current === null ? -1 : panes.indexOf(current);
  const next = at === -1 ? (step === 1 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length;
  return panes[next] ?? null;
};
