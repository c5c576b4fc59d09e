import { createElement, type KeyboardEvent, type MouseEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Life } from '../../domain/testing/random-life.ts';
import { outlined } from './rows.ts';
import { keyIntent, rowTurnId, toggled, turnsBetween, typeahead, useOutlineInput } from './use-outline-input.ts';

/** Rows: topic, 1, (4, 5 forked from 1), 2, 3, topic, 6. */
const made = (collapsed: (ids: { one: string; topic: string }) => string[] = () => []) => {
  const life = new Life();
  const one = life.say(null, 'A spring trip');
  const two = life.say(one, 'With children');
  life.say(two, 'April?');
  const four = life.say(one, 'Autumn instead');
  life.say(four, 'Or winter');
  life.say(null, 'Flights');
  const topic = life.forest.nodes[one]?.treeId as string;
  return { rows: outlined(life.forest, new Set(collapsed({ one, topic })), null).rows, one, topic };
};

test('arrows, Home and End move over what is shown and stop at the ends', () => {
  const { rows } = made();
  expect(keyIntent(rows, 1, 'ArrowDown')).toEqual({ kind: 'focus', index: 2 });
  expect(keyIntent(rows, 0, 'ArrowUp')).toEqual({ kind: 'focus', index: 0 });
  expect(keyIntent(rows, 3, 'End')).toEqual({ kind: 'focus', index: rows.length - 1 });
  expect(keyIntent(rows, 3, 'Home')).toEqual({ kind: 'focus', index: 0 });
});

test('Right opens, then enters; Left closes, then leaves', () => {
  const open = made();
  expect(keyIntent(open.rows, 1, 'ArrowRight')).toEqual({ kind: 'focus', index: 2 });
  expect(keyIntent(open.rows, 1, 'ArrowLeft')).toEqual({ kind: 'collapse', key: open.one });
  expect(keyIntent(open.rows, 3, 'ArrowLeft')).toEqual({ kind: 'focus', index: 1 });
  expect(keyIntent(open.rows, 4, 'ArrowRight')).toBeNull();
  const closed = made(({ one }) => [one]);
  expect(keyIntent(closed.rows, 1, 'ArrowRight')).toEqual({ kind: 'expand', keys: [closed.one] });
  expect(keyIntent(closed.rows, 1, 'ArrowLeft')).toEqual({ kind: 'focus', index: 0 });
  const shut = made(({ topic }) => [topic]);
  expect(keyIntent(shut.rows, 0, 'ArrowLeft')).toBeNull();
});

test('* opens all siblings', () => {
  const { rows, topic } = made();
  const other = rows.at(-2)?.key;
  expect(keyIntent(rows, 0, '*')).toEqual({ kind: 'expand', keys: [topic, other] });
});

test('typing finds turns by words or number, round the end', () => {
  const { rows } = made();
  const found = (index: number, typed: string) => {
    const row = rows[typeahead(rows, index, typed)];
    return row?.kind === 'turn' ? row.node.message : null;
  };
  expect(found(1, 'a')).toBe('Autumn instead');
  expect(found(2, 'a')).toBe('April?');
  expect(found(2, 'au')).toBe('Autumn instead');
  expect(found(4, '1')).toBe('A spring trip');
  expect(typeahead(rows, 0, 'zebra')).toBe(-1);
});

test('a letter typed several times in a row moves on, unless something starts with all of them', () => {
  const life = new Life();
  for (const message of ['Tea', 'Toast', 'Oopsie']) life.say(null, message);
  const rows = outlined(life.forest, new Set(), null).rows.filter(({ kind }) => kind === 'turn');
  expect(typeahead(rows, 0, 'tt')).toBe(1);
  expect(typeahead(rows, 1, 'ttt')).toBe(0);
  expect(typeahead(rows, 0, 'oo')).toBe(2);
  expect(typeahead(rows, 2, 'oo')).toBe(2);
  expect(typeahead(rows, 0, 'zz')).toBe(-1);
});

/** Rows: topic, 1, (3 forked from 1), 2, topic, 4. */
const grown = () => {
  const life = new Life();
  const one = life.say(null);
  const two = life.say(one);
  const three = life.say(one);
  const four = life.say(null);
  return { rows: outlined(life.forest, new Set(), null).rows, one, two, three, four };
};

test('a turn is taken in and out again', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
});

test('a range is the turns shown from row to row, over topics, either way round', () => {
  const { rows, two, three, four } = grown();
  expect(turnsBetween(rows, 2, 5)).toEqual([three, two, four]);
  expect(turnsBetween(rows, 5, 2)).toEqual([three, two, four]);
});

test('a topic’s row stands for its first turn', () => {
  const { rows, one, four } = grown();
  expect(rows.filter((row) => row.kind === 'topic').map(rowTurnId)).toEqual([one, four]);
});

/** The handlers of an outline, and the names of what they ask for. */
const handled = (rows: Parameters<typeof useOutlineInput>[0]) => {
  const asked: string[] = [];
  const ask = new Proxy({} as Parameters<typeof useOutlineInput>[1], {
    get: (_, name) => () => void asked.push(String(name)),
  });
  let handlers: ReturnType<typeof useOutlineInput> | undefined;
  const Tree = () => {
    handlers = useOutlineInput(rows, ask);
    return null;
  };
  renderToStaticMarkup(createElement(Tree));
  if (handlers === undefined) throw new Error('not rendered');
  return { asked, ...handlers };
};

test('F2 renames a topic in place; on a turn, as with Delete, the command of the page takes the turn', () => {
  const { asked, onKeyDown } = handled(made().rows);
  const press = (index: number, key: string) => {
    let stopped = false;
    onKeyDown({
      key,
      target: { getAttribute: () => `${index}`, matches: () => true },
      preventDefault: () => undefined,
      stopPropagation: () => {
        stopped = true;
      },
    } as unknown as KeyboardEvent);
    return [asked.splice(0), stopped];
  };
  expect(press(0, 'F2')).toEqual([['rename'], true]);
  expect(press(1, 'F2')).toEqual([['take'], false]);
  expect(press(1, 'Delete')).toEqual([['take'], false]);
});

test('a double click makes a turn the active one, unless a key is held that selects several', () => {
  const { asked, onDoubleClick } = handled(made().rows);
  const row = { getAttribute: () => '1' };
  const target = { closest: (selector: string) => (selector === '[data-index]' ? row : null) };
  const press = (held: object) => {
    onDoubleClick({ target, ...held } as unknown as MouseEvent);
    return asked.splice(0);
  };
  expect(press({})).toEqual(['activate']);
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey']) expect(press({ [key]: true })).toEqual([]);
});
