import { singleKeys } from '../../ui/commands/keymap.ts';
import { type Keystroke, strokeOf } from '../../ui/commands/keystroke.ts';
import { isComposing } from '../../ui/parts/composing.ts';
import type { Labelling } from './labelling.ts';
import { placements } from './study.ts';

interface LabelKey {
  /** Separated by spaces. */
  readonly keys: string;
  readonly words: string;
  /** Listed only if it applies. `sent`: if the labels go to a coordinator. */
  readonly only?: 'assisted' | 'tags' | 'sent';
}

const LABEL_KEYS: readonly LabelKey[] = [
  { keys: '↑ ↓', words: 'Choose the turn it continues' },
  { keys: 'Home End', words: 'First turn, newest turn' },
  { keys: 'Enter', words: 'Link, then next turn' },
  {
    keys: '1 2 3 4 5',
    words: 'Continue, create or switch branch; switch or create topic; press again for an older turn',
  },
  { keys: 'N', words: 'New topic' },
  { keys: 'E', words: 'Not in this dialogue' },
  { keys: 'M', words: 'Another parent' },
  { keys: 'X', words: 'Unsure' },
  { keys: '6 7 8 9', words: 'Tags', only: 'tags' },
  { keys: 'A', words: 'Accept the engine’s answer', only: 'assisted' },
  { keys: 'F', words: 'Flag, with a comment', only: 'sent' },
  { keys: 'Backspace', words: 'Remove the label' },
  { keys: '← →', words: 'Previous turn, next turn' },
  { keys: 'U', words: 'Next turn without a label' },
  { keys: 'J K', words: 'Next dialogue, previous dialogue' },
  { keys: 'Ctrl+Z', words: 'Undo, across dialogues' },
  { keys: 'Ctrl+Shift+Z', words: 'Redo' },
  { keys: 'S', words: 'Save the labels as a file', only: 'sent' },
  { keys: '?', words: 'Show these keys' },
];

/** The labelling keys, as listed in the help. */
export const labelKeys = (applies: Readonly<Record<NonNullable<LabelKey['only']>, boolean>>): readonly LabelKey[] =>
  LABEL_KEYS.filter(({ only }) => only === undefined || applies[only]);

interface KeyTargets {
  readonly labelling: Labelling;
  readonly tags: readonly string[];
  /** null if there is nothing to save. */
  readonly save: (() => void) | null;
  help(): void;
  /** null if nobody would read the comment. */
  readonly flag: (() => void) | null;
}

/** The first key of the author's tags; there are nine number keys. */
const FIRST_TAG = 6;

/** Keys that scroll what has the focus, if it is longer than its place. */
const SCROLLING: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End']);

const scrolls = (target: HTMLElement | null): boolean => {
  const text = target?.closest('[data-scrolls]') ?? null;
  return text !== null && text.scrollHeight > text.clientHeight;
};

/** Keys that do not apply to a turn. */
const END_KEYS: ReadonlySet<string> = new Set(['j', 'k', 's', '?']);

/**
 * The key in lower case, without Ctrl and Shift; by its place where the layout has no Latin letters, as for the page's
 * shortcuts.
 */
export const labelKeyOf = (event: Keystroke): string => {
  const key = (strokeOf(event) ?? '').replace(/^(?:Mod\+)?(?:Shift\+)?(?=.)/, '').toLowerCase();
  const [, digit] = /^Digit(\d)$/.exec(event.code ?? '') ?? [];
  // Without Shift, this row writes other digits in Persian and Arabic, and other characters in Thai, French or Czech.
  const isOther = key.length === 1 && !/[a-z\d?]/.test(key);
  return digit !== undefined && isOther && !event.shiftKey && !event.altKey ? digit : key;
};

/**
 * Whether a click left the focus on a button, which would take the next Enter for itself, e.g. to undo once more. One
 * pressed by keyboard keeps it.
 */
export const isButtonClicked = ({ detail, target }: Pick<MouseEvent, 'detail' | 'target'>): boolean =>
  detail > 0 && target instanceof Element && target.closest('button') !== null;

/** The action of a key; null if it is not a labelling key. */
export const keyAction = (
  event: KeyboardEvent,
  { labelling, tags, save, help, flag }: KeyTargets,
): (() => void) | null => {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (isComposing(event) || target?.matches('input:not([type=checkbox], [type=radio]), textarea, select')) return null;
  const { dialogue, turn, choice, offered, done } = labelling.store.getState();
  const key = labelKeyOf(event);
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    if (key === 'z') return event.shiftKey ? labelling.redo : labelling.undo;
    return key === 'y' ? labelling.redo : null;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  // At the end no turn is on screen for a key to act on.
  if (done && !(singleKeys() && END_KEYS.has(key))) return null;
  if (SCROLLING.has(event.key) && scrolls(target)) return null;
  switch (event.key) {
    case 'ArrowUp':
      return () => labelling.moveCursor(-1);
    case 'ArrowDown':
      return () => labelling.moveCursor(1);
    case 'Home':
      return () => labelling.moveCursor(-turn);
    case 'End':
      return () => labelling.moveCursor(turn);
    case 'ArrowLeft':
      return () => labelling.goTo(dialogue, turn - 1);
    case 'ArrowRight':
      return () => labelling.goTo(dialogue, turn + 1);
    case 'Enter':
      // If a button was focused by keyboard, Enter is meant for it.
      return target?.closest('button, a, summary') == null ? labelling.link : null;
    case 'Escape':
      return choice === offered ? null : labelling.reset;
    default:
      break;
  }
  if (!singleKeys()) return null;
  const digit = Number(key);
  const placement = placements[digit - 1];
  if (placement !== undefined) return () => labelling.place(placement);
  const tag = digit >= FIRST_TAG ? tags[digit - FIRST_TAG] : undefined;
  if (tag !== undefined) return () => labelling.toggleTag(tag);
  const letters: Readonly<Record<string, (() => void) | undefined>> = {
    n: () => labelling.pick('new-topic'),
    e: () => labelling.pick('elsewhere'),
    m: labelling.another,
    x: labelling.toggleUnsure,
    a: labelling.mode === 'assisted' ? labelling.takeEngine : undefined,
    f: flag ?? undefined,
    backspace: labelling.clear,
    u: labelling.nextUnlabelled,
    j: () => labelling.goTo(dialogue + 1),
    k: () => labelling.goTo(dialogue - 1),
    s: save ?? undefined,
    '?': help,
  };
  return letters[key] ?? null;
};
