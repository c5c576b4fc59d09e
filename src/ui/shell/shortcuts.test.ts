import { describe, expect, test } from 'vitest';
import { commandOf, type Keystroke, paneAfter } from './shortcuts.ts';

const press = (key: string, held: Partial<Keystroke> = {}): Keystroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('commands', () => {
  test('undo and redo answer to Ctrl and to ⌘', () => {
    expect(commandOf(press('z', { ctrlKey: true }), false, true)).toBe('undo');
    expect(commandOf(press('z', { metaKey: true }), false, true)).toBe('undo');
    expect(commandOf(press('Z', { ctrlKey: true, shiftKey: true }), false, true)).toBe('redo');
    expect(commandOf(press('y', { ctrlKey: true }), false, true)).toBe('redo');
  });

  test('a field that is typed in keeps its characters and its own undo, but lets F6 through', () => {
    expect(commandOf(press('z', { ctrlKey: true }), true, true)).toBeNull();
    expect(commandOf(press('/'), true, true)).toBeNull();
    expect(commandOf(press('F6'), true, true)).toBe('next-pane');
  });

  test('single keys can be turned off', () => {
    expect(commandOf(press('?', { shiftKey: true }), false, true)).toBe('shortcuts');
    expect(commandOf(press('?', { shiftKey: true }), false, false)).toBeNull();
    expect(commandOf(press('z', { ctrlKey: true }), false, false)).toBe('undo');
  });
});

test('panes follow each other round and round, folded ones left out', () => {
  expect(paneAfter(['chat', 'forest', 'inspector'], 'inspector', 1)).toBe('chat');
  expect(paneAfter(['chat', 'inspector'], 'chat', 1)).toBe('inspector');
  expect(paneAfter(['chat', 'forest'], null, -1)).toBe('forest');
  expect(paneAfter([], 'chat', 1)).toBeNull();
});
