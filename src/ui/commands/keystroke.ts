/** The part of `KeyboardEvent` that is used. */
export interface Keystroke {
  readonly key: string;
  /** The physical key, whatever character the layout gives it. */
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const MODIFIERS = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Fn',
  'NumLock',
  'Hyper',
  'Super',
]);

/**
 * A keystroke in normal form: `Mod+Shift+F`, `?`, `Alt+ArrowUp`; null if it is not complete yet. `Mod` is Ctrl or ⌘.
 * Shift is only named where the character itself does not show it.
 */
export const strokeOf = (event: Keystroke): string | null => {
  const { key, shiftKey, altKey } = event;
  if (MODIFIERS.has(key) || key === 'Process' || key === 'Unidentified') return null;
  // AltGr, which some systems report as Ctrl and Alt, writes a character like any other key. So does Alt on a Mac, but
  // only brackets are taken as written: on some layouts they need it, and other commands do not.
  const byAlt = event.ctrlKey || (!event.metaKey && BRACKET.test(key) && onMac());
  const written = altKey && key.length === 1 && byAlt;
  const mod = (event.ctrlKey || event.metaKey) && !written;
  const alt = altKey && !written;
  const name = nameOf(event, mod, alt);
  if (name === null) return null;
  const shift = shiftKey && (name.length > 1 || /\p{L}/u.test(name));
  return [...(mod ? ['Mod'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : []), name].join('+');
};

const BRACKET = /^[[\]{}\\]$/;
const ASCII = /^[\x20-\x7e]+$/;
/** A letter of Cyrillic, Greek, Hebrew, Arabic and so on. */
const FOREIGN_LETTER = /^(?=[\p{L}\p{M}])[^\p{Script=Latin}\p{Script=Common}]+$/u;

/** The characters of physical keys that commands use, without and with Shift. */
const SIGNS: Readonly<Record<string, string>> = {
  Comma: ',<',
  Period: '.>',
  BracketLeft: '[{',
  BracketRight: ']}',
};

const nameOf = ({ key, code = '', shiftKey }: Keystroke, mod: boolean, alt: boolean): string | null => {
  // On a Mac, Alt writes other characters, and a layout may have no Latin letters: use the physical key.
  const isForeign = FOREIGN_LETTER.test(key);
  const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  if (place !== null && (alt || isForeign || (mod && !ASCII.test(key)))) return place[1] ?? place[2] ?? null;
  const sign = SIGNS[code]?.[shiftKey ? 1 : 0];
  const isLatin = /^\p{Script=Latin}$/u.test(key);
  if (sign !== undefined && !ASCII.test(key) && !isLatin && (alt || isForeign)) return sign;
  if (key === 'Dead') return null;
  return key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key;
};

/** Whether it is a single character, which users of speech input may trigger by accident (WCAG 2.1.4). */
export const isCharacter = (stroke: string): boolean =>
  !/^(Mod|Alt)\+/.test(stroke) && (lastOf(stroke).length === 1 || stroke.endsWith('Space'));

/** Whether text fields have no use for it, so that it can be a shortcut even there. */
export const isNoText = (stroke: string): boolean =>
  (/^(Mod\+|Alt\+)/.test(stroke) && !NAMED_KEYS.has(lastOf(stroke)) && !FIELDS_OWN.has(stroke)) || /F\d+$/.test(stroke);

const NAMED_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'Backspace',
  'Delete',
  'Enter',
]);
const FIELDS_OWN = new Set(['Mod+A', 'Mod+C', 'Mod+V', 'Mod+X', 'Mod+Y', 'Mod+Z', 'Mod+Shift+Z', 'Mod+Shift+V']);

/** The key itself, which may be the plus sign. */
const lastOf = (stroke: string): string => (stroke.endsWith('+') ? '+' : stroke.slice(stroke.lastIndexOf('+') + 1));

const BROWSERS_OWN = new Set(['Mod+N', 'Mod+T', 'Mod+W', 'Mod+Shift+N', 'Mod+Shift+T', 'Mod+Shift+W', 'Mod+Q', 'F11']);
const WALKING = new Set([
  'Tab',
  'Enter',
  'Space',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Escape',
]);

/** Why a keystroke cannot be assigned to a command, in words; null if it can. */
export const whyNotKey = (stroke: string): string | null => {
  if (BROWSERS_OWN.has(stroke)) return 'This shortcut is reserved by the browser.';
  if (WALKING.has(stroke) || stroke === 'Shift+Tab') return 'This key moves through lists, text and buttons.';
  if (FIELDS_OWN.has(stroke) && !/[ZY]$/.test(stroke)) return 'This shortcut copies, pastes or selects.';
  return null;
};

const WORDS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Delete: 'Del',
  Escape: 'Esc',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
};

/** For display: `Ctrl Shift F`, on a Mac `⌘ ⇧ F`. */
export const keystrokeLabel = (stroke: string, mac: boolean): string => {
  const last = lastOf(stroke);
  const held = stroke
    .slice(0, stroke.length - last.length)
    .split('+')
    .filter(Boolean);
  const names = mac ? { Mod: '⌘', Alt: '⌥', Shift: '⇧' } : { Mod: 'Ctrl', Alt: 'Alt', Shift: 'Shift' };
  return [...held.map((one) => names[one as keyof typeof names] ?? one), WORDS[last] ?? last].join(' ');
};

/**
 * Where a key moves in the list of a search field, from `at` (−1 for nowhere) among `count` options; null if nowhere. The arrows wrap
 * around; the page keys move by `page` options, as far as the ends.
 */
export const listMove = (key: string, at: number, count: number, page: number): number | null => {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'PageDown':
      return Math.min(count - 1, at + page);
    case 'PageUp':
      return Math.max(0, at - page);
    default:
      return null;
  }
};

export const onMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Whether a text field of a Mac takes it: there Ctrl moves the caret and deletes in all of them, and commands have ⌘. */
export const isMacEditing = ({ ctrlKey, metaKey }: Pick<Keystroke, 'ctrlKey' | 'metaKey'>): boolean =>
  ctrlKey && !metaKey && onMac();

/* What is typed while a dialog with a text field is still loading. Its field takes it over as it opens. */

let typedAhead = '';

export const typeAhead = ({ key }: Pick<KeyboardEvent, 'key'>): void => {
  typedAhead = key === 'Backspace' ? typedAhead.slice(0, -1) : typedAhead + key;
};

export const takeTypedAhead = (): string => {
  const typed = typedAhead;
  typedAhead = '';
  return typed;
};
