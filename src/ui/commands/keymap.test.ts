import { describe, expect, test } from 'vitest';
import { features } from '../../features/features.ts';
import { Keymap } from './keymap.ts';
import { whyNotKey } from './keystroke.ts';

const keymap = new Keymap(features);

test('no two commands come with the same keys, and none with keys that nobody can give', () => {
  const all = keymap.ids.flatMap((id) => keymap.defaultsOf(id));
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((stroke) => whyNotKey(stroke) !== null)).toEqual([]);
});

describe('keys of the person’s own', () => {
  test('stand in place of those a command comes with', () => {
    const own = keymap.withKey({}, 'undo', 'Mod+U');
    expect(keymap.commandWith('Mod+U', own)).toBe('undo');
    expect(keymap.commandWith('Mod+Z', own)).toBeNull();
    expect(keymap.commandWith('Mod+Shift+Z', own)).toBe('redo');
  });

  test('are taken from whoever had them, one by one', () => {
    const own = keymap.withKey({}, 'undo', 'Mod+Y');
    expect(keymap.commandWith('Mod+Y', own)).toBe('undo');
    expect(keymap.keysOf('redo', own)).toEqual(['Mod+Shift+Z']);
  });

  test('can be none, and can go back to what they were, with what stood in the way', () => {
    const taken = keymap.withKey(keymap.withNoKey({}, 'undo'), 'palette', 'Mod+Z');
    expect(keymap.keysOf('undo', taken)).toEqual([]);
    expect(keymap.commandWith('Mod+Z', taken)).toBe('palette');
    const back = keymap.withDefault(taken, 'undo');
    expect(keymap.commandWith('Mod+Z', back)).toBe('undo');
    expect(keymap.keysOf('palette', back)).toEqual([]);
    expect(keymap.withDefault(back, 'palette')).toEqual({});
  });

  test('that are as they came are not kept', () => {
    expect(keymap.withKey(keymap.withKey({}, 'palette', 'Mod+B'), 'palette', 'Mod+K')).toEqual({});
  });

  test('that somebody wrote by hand and nobody can press are passed over', () => {
    expect(keymap.keysOf('palette', { palette: ['Mod+T', '', 'Mod+B'] })).toEqual(['Mod+B']);
  });
});
