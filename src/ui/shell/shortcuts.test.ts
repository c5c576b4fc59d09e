import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { features } from '../../features/features.ts';
import { Keymap } from '../commands/keymap.ts';
import { press } from '../commands/testing/press.ts';
import { paneAfter } from './commands/view-commands.ts';
import { givesWay } from './panes.tsx';
import { commandOf, heldFromElsewhere, isSpent } from './shortcuts.ts';

const calm = { keymap: new Keymap(features), own: {}, typing: false, singleKeys: true, replying: false };
const typing = { ...calm, typing: true };

beforeEach(() => void vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }));
afterEach(() => void vi.unstubAllGlobals());

describe('commands', () => {
  test('undo and redo answer to Ctrl and to ⌘', () => {
    expect(commandOf(press('z', { ctrlKey: true }), calm)).toBe('undo');
    expect(commandOf(press('z', { metaKey: true }), calm)).toBe('undo');
    expect(commandOf(press('Z', { ctrlKey: true, shiftKey: true }), calm)).toBe('redo');
    expect(commandOf(press('y', { ctrlKey: true }), calm)).toBe('redo');
  });

  test('a field that is typed in keeps its characters and its own undo, but lets through what leads away from it', () => {
    for (const key of ['/', '?', 'm', 'Delete', 'F2']) expect(commandOf(press(key), typing)).toBeNull();
    expect(commandOf(press('z', { ctrlKey: true }), typing)).toBeNull();
    expect(commandOf(press('s', { ctrlKey: true }), typing)).toBeNull();
    expect(commandOf(press('F6'), typing)).toBe('next-pane');
    expect(commandOf(press('k', { ctrlKey: true }), typing)).toBe('palette');
  });

  test('the reply is stopped from the message, too; without one, its keys are left to input methods', () => {
    const stop = press('.', { ctrlKey: true });
    expect(commandOf(stop, { ...typing, replying: true })).toBe('stop');
    expect(commandOf(stop, typing)).toBeNull();
    expect(commandOf(stop, calm)).toBe('stop');
    // Held down until the reply has ended.
    expect(isSpent(press('.', { ctrlKey: true, repeat: true }), typing)).toBe(true);
  });

  test('on a Mac, Ctrl is for the text of a field, as in every other one, and ⌘ for commands', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' });
    for (const key of ['k', 'p', 'j']) {
      expect(commandOf(press(key, { ctrlKey: true }), typing)).toBeNull();
      expect(commandOf(press(key, { metaKey: true }), typing)).not.toBeNull();
      expect(commandOf(press(key, { ctrlKey: true }), calm)).not.toBeNull();
    }
  });

  test('the palette on a plain key does not open while one writes', () => {
    const own = { palette: ['K'] };
    expect(commandOf(press('k'), { ...calm, own })).toBe('palette');
    expect(commandOf(press('k'), { ...typing, own })).toBeNull();
  });

  test('single keys can be turned off', () => {
    expect(commandOf(press('?', { shiftKey: true }), calm)).toBe('shortcuts');
    expect(commandOf(press('?', { shiftKey: true }), { ...calm, singleKeys: false })).toBeNull();
    expect(commandOf(press('z', { ctrlKey: true }), { ...calm, singleKeys: false })).toBe('undo');
  });

  test('a key that is held down deletes once and undoes on', () => {
    expect(commandOf(press('Delete', { repeat: true }), calm)).toBeNull();
    expect(commandOf(press('z', { ctrlKey: true, repeat: true }), calm)).toBe('undo');
  });

  test('a key that is held down stays that of its command, which runs once', () => {
    const held = press('k', { ctrlKey: true, repeat: true });
    for (const situation of [calm, typing]) {
      expect(commandOf(held, situation)).toBeNull();
      expect(isSpent(held, situation)).toBe(true);
    }
    expect(isSpent(press('k', { repeat: true }), typing)).toBe(false);
    expect(isSpent(press('k', { ctrlKey: true }), calm)).toBe(false);
  });

  test('undo and redo that are held down are left to a dialog with an undo of its own', () => {
    for (const shiftKey of [false, true]) {
      expect(isSpent(press('z', { ctrlKey: true, shiftKey, repeat: true }), calm)).toBe(false);
    }
  });
});

test('a key that is held down does nothing to what gets the focus meanwhile, until it is pressed there', () => {
  const isHeldFromElsewhere = heldFromElsewhere();
  const [row, next] = [new EventTarget(), new EventTarget()];
  const hold = (key: string, target: EventTarget, repeat: boolean) => isHeldFromElsewhere({ key, target, repeat });
  expect(hold('Delete', row, false)).toBe(false);
  expect(hold('Delete', row, true)).toBe(false);
  for (const key of ['Delete', 'Backspace', 'Enter', ' ']) expect(hold(key, next, true)).toBe(true);
  // Arrow keys go on from row to row.
  expect(hold('ArrowDown', next, true)).toBe(false);
  expect(hold('Delete', next, false)).toBe(false);
  expect(hold('Delete', next, true)).toBe(false);
});

test('panes follow each other round and round, folded ones left out', () => {
  expect(paneAfter(['chat', 'forest', 'inspector'], 'inspector', 1)).toBe('chat');
  expect(paneAfter(['chat', 'inspector'], 'chat', 1)).toBe('inspector');
  expect(paneAfter(['chat', 'forest'], null, -1)).toBe('forest');
  expect(paneAfter([], 'chat', 1)).toBeNull();
});

test('the inspector gives way to the forest only if it is not the only open pane', () => {
  expect(givesWay([])).toBe(true);
  expect(givesWay(['chat'])).toBe(true);
  expect(givesWay(['chat', 'forest'])).toBe(false);
  expect(givesWay(['inspector'])).toBe(false);
});
