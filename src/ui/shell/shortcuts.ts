import type { Pane } from '../../app/state.ts';

export type Command =
  | 'undo'
  | 'redo'
  | 'compose'
  | 'shortcuts'
  | 'next-pane'
  | 'previous-pane'
  | 'fold-chat'
  | 'fold-inspector';

export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** What a key event has to say; a part of `KeyboardEvent`. */
export interface Keystroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * The command of a keystroke; null if it has none. While a field is typed in, its own undo and plain
 * characters stay with it. `singleKeys` turns keys without a modifier off (WCAG 2.1.4).
 */
export const commandOf = (stroke: Keystroke, typing: boolean, singleKeys: boolean): Command | null => {
  const { key, shiftKey, altKey } = stroke;
  if (altKey) return null;
  if (key === 'F6') return shiftKey ? 'previous-pane' : 'next-pane';
  if (stroke.ctrlKey || stroke.metaKey) {
    if (typing) return null;
    const letter = key.toLowerCase();
    if (letter === 'z') return shiftKey ? 'redo' : 'undo';
    return letter === 'y' && stroke.ctrlKey ? 'redo' : null;
  }
  if (typing || !singleKeys) return null;
  return SINGLE[key] ?? null;
};

const SINGLE: Readonly<Record<string, Command>> = {
  '/': 'compose',
  '?': 'shortcuts',
  '[': 'fold-chat',
  ']': 'fold-inspector',
};

/** The pane that follows among those shown, round and round. */
export const paneAfter = (panes: readonly Pane[], current: Pane | null, step: 1 | -1): Pane | null => {
  if (panes.length === 0) return null;
  const at = current === null ? -1 : panes.indexOf(current);
  const next = at === -1 ? (step === 1 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length;
  return panes[next] ?? null;
};

/** The same for people, by where they hold. */
export const shortcutGroups: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['F6'], does: 'Next pane (with Shift: the one before)' },
      { keys: ['/'], does: 'Write a message' },
      { keys: ['Ctrl Z'], does: 'Undo' },
      { keys: ['Ctrl Shift Z', 'Ctrl Y'], does: 'Redo' },
      { keys: ['['], does: 'Fold the chat away, or back' },
      { keys: [']'], does: 'Fold the inspector away, or back' },
      { keys: ['?'], does: 'These shortcuts' },
    ],
  },
  {
    title: 'In the message',
    shortcuts: [
      { keys: ['Enter'], does: 'Send' },
      { keys: ['Shift Enter'], does: 'New line' },
    ],
  },
  {
    title: 'In the outline',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Go through topics and turns' },
      { keys: ['←', '→'], does: 'Close and open what is under one' },
      { keys: ['Enter'], does: 'Select the turn; once more: go on from it' },
      { keys: ['F2'], does: 'Rename the topic' },
    ],
  },
];
