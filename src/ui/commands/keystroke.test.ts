import { afterEach, describe, expect, test, vi } from 'vitest';
import { isCharacter, isNoText, keystrokeLabel, listMove, strokeOf, whyNotKey } from './keystroke.ts';
import { press } from './testing/press.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a keystroke has one form', () => {
  test('whichever of Ctrl and ⌘ is held, and however the letter is written', () => {
    expect(strokeOf(press('k', { ctrlKey: true }))).toBe('Mod+K');
    expect(strokeOf(press('K', { metaKey: true }))).toBe('Mod+K');
    expect(strokeOf(press('F', { ctrlKey: true, shiftKey: true }))).toBe('Mod+Shift+F');
    // Caps Lock does not count as Shift.
    expect(strokeOf(press('R'))).toBe('R');
    expect(strokeOf(press('R', { shiftKey: true }))).toBe('Shift+R');
  });

  test('in which a sign says that Shift was held, and a named key does not', () => {
    expect(strokeOf(press('?', { shiftKey: true }))).toBe('?');
    expect(strokeOf(press('F6', { shiftKey: true }))).toBe('Shift+F6');
    expect(strokeOf(press(' '))).toBe('Space');
    expect(strokeOf(press('+', { ctrlKey: true }))).toBe('Mod++');
  });

  test('on layouts without Latin letters, on a Mac with Alt, and with AltGr', () => {
    expect(strokeOf(press('я', { ctrlKey: true, code: 'KeyZ' }))).toBe('Mod+Z');
    expect(strokeOf(press('Dead', { altKey: true, code: 'KeyN' }))).toBe('Alt+N');
    // German AltGr 8, as reported by Windows.
    expect(strokeOf(press('[', { ctrlKey: true, altKey: true, code: 'Digit8' }))).toBe('[');
  });

  test('on a Mac, where Alt writes other signs, and on some layouts brackets', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' });
    expect(strokeOf(press('≤', { altKey: true, code: 'Comma' }))).toBe('Alt+,');
    expect(strokeOf(press('…', { altKey: true, code: 'Period' }))).toBe('Alt+.');
    // German and French.
    expect(strokeOf(press('[', { altKey: true, code: 'Digit5' }))).toBe('[');
    expect(strokeOf(press('}', { altKey: true, code: 'Minus' }))).toBe('}');
    expect(strokeOf(press('\\', { altKey: true, shiftKey: true, code: 'Digit7' }))).toBe('\\');
    expect(strokeOf(press('@', { altKey: true, code: 'KeyL' }))).toBe('Alt+L');
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' });
    expect(strokeOf(press('[', { altKey: true, code: 'BracketLeft' }))).toBe('Alt+[');
    expect(strokeOf(press(',', { altKey: true, code: 'Comma' }))).toBe('Alt+,');
    expect(strokeOf(press('ü', { altKey: true, code: 'BracketLeft' }))).toBe('Alt+Ü');
  });

  test('in any alphabet, also without modifiers', () => {
    expect(strokeOf(press('м', { code: 'KeyV' }))).toBe('V');
    expect(strokeOf(press('Р', { shiftKey: true, code: 'KeyH' }))).toBe('Shift+H');
    expect(strokeOf(press('ν', { code: 'KeyN' }))).toBe('N');
    expect(strokeOf(press('ו', { code: 'KeyU' }))).toBe('U');
    expect(strokeOf(press('لا', { code: 'KeyB' }))).toBe('B');
    expect(strokeOf(press('ั', { code: 'KeyY' }))).toBe('Y');
    expect(strokeOf(press('ю', { code: 'Period' }))).toBe('.');
    expect(strokeOf(press('Х', { shiftKey: true, code: 'BracketLeft' }))).toBe('{');
    expect(strokeOf(press('ц', { ctrlKey: true, code: 'KeyW' }))).toBe('Mod+W');
    // Latin letters are as written, wherever they are.
    expect(strokeOf(press('a', { code: 'KeyQ' }))).toBe('A');
    expect(strokeOf(press('ü', { code: 'BracketLeft' }))).toBe('Ü');
    expect(strokeOf(press('µ', { code: 'KeyM' }))).not.toBe('M');
  });

  test('and none while only modifiers are down', () => {
    expect(strokeOf(press('Shift', { shiftKey: true }))).toBeNull();
    expect(strokeOf(press('Process'))).toBeNull();
  });
});

test('characters alone are told from chords', () => {
  expect(['?', 'R', 'Shift+R', 'Shift+Space', '+'].map(isCharacter)).toEqual([true, true, true, true, true]);
  expect(['Mod+K', 'F6', 'Delete', 'Alt+N', 'Mod++'].map(isCharacter)).toEqual([false, false, false, false, false]);
});

test('what a field makes use of is told from what it does not', () => {
  expect(['Mod+K', 'F6', 'Alt+N'].every(isNoText)).toBe(true);
  expect(['Mod+Z', 'K', 'Delete', 'Mod+ArrowLeft', 'Alt+Backspace', 'Mod+C'].some(isNoText)).toBe(false);
});

test('keys of the browser and of walking about are refused, with a reason', () => {
  expect(whyNotKey('Mod+T')).toContain('browser');
  expect(whyNotKey('Enter')).toContain('moves');
  expect(whyNotKey('Mod+C')).toContain('copies');
  expect(whyNotKey('Mod+Shift+Z')).toBeNull();
});

test('people read what is on their keys', () => {
  expect(keystrokeLabel('Mod+Shift+F', false)).toBe('Ctrl Shift F');
  expect(keystrokeLabel('Mod+Shift+F', true)).toBe('⌘ ⇧ F');
  expect(keystrokeLabel('Mod++', false)).toBe('Ctrl +');
  expect(keystrokeLabel('Alt+ArrowUp', false)).toBe('Alt ↑');
});

test('the arrows wrap around a list, and the page keys stop at its ends', () => {
  const moves = (at: number, count: number) =>
    ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'a'].map((key) => listMove(key, at, count, 8));
  expect(moves(0, 10)).toEqual([1, 9, 8, 0, null]);
  expect(moves(9, 10)).toEqual([0, 8, 9, 1, null]);
  expect(moves(-1, 0)).toEqual([null, null, null, null, null]);
});
