import { describe, expect, test } from 'vitest';
import { COMMAND_IDS, DEFAULT_KEYS } from './default-keys.ts';
import { commandWith, keysOf, withDefault, withKey, withNoKey } from './keymap.ts';
import { whyNotKey } from './keystroke.ts';

test('no two commands come with the same keys, and none with keys that nobody can give', () => {
  const all = COMMAND_IDS.flatMap((id) => DEFAULT_KEYS[id] as readonly string[]);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((stroke) => whyNotKey(stroke) !== null)).toEqual([]);
});

describe('keys of the person’s own', () => {
  test('stand in place of those a command comes with', () => {
    const own = withKey({}, 'undo', 'Mod+U');
    expect(commandWith('Mod+U', own)).toBe('undo');
    expect(commandWith('Mod+Z', own)).toBeNull();
    expect(commandWith('Mod+Shift+Z', own)).toBe('redo');
  });

  test('are taken from whoever had them, one by one', () => {
    const own = withKey({}, 'undo', 'Mod+Y');
    expect(commandWith('Mod+Y', own)).toBe('undo');
    expect(keysOf('redo', own)).toEqual(['Mod+Shift+Z']);
  });

  test('can be none, and can go back to what they were, with what stood in the way', () => {
    const taken = withKey(withNoKey({}, 'undo'), 'palette', 'Mod+Z');
    expect(keysOf('undo', taken)).toEqual([]);
    expect(commandWith('Mod+Z', taken)).toBe('palette');
    const back = withDefault(taken, 'undo');
    expect(commandWith('Mod+Z', back)).toBe('undo');
    expect(keysOf('palette', back)).toEqual([]);
    expect(withDefault(back, 'palette')).toEqual({});
  });

  test('that are as they came are not kept', () => {
    expect(withKey(withKey({}, 'palette', 'Mod+B'), 'palette', 'Mod+K')).toEqual({});
  });

  test('that somebody wrote by hand and nobody can press are passed over', () => {
    expect(keysOf('palette', { palette: ['Mod+T', '', 'Mod+B'] })).toEqual(['Mod+B']);
  });
});
