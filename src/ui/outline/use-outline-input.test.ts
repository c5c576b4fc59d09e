import { createElement, type KeyboardEvent, type MouseEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { fold, frozen } from '../../domain/apply.ts';
import { doneInSteps, reopened, resultOf } from '../../domain/testing/plain-forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { syntheticLog } from '../../domain/testing/synthetic-forest.ts';
import { yieldToPage } from '../../engine/tasks.ts';
import { type OutlineRow, outlined } from './rows.ts';
import {
  keyIntent,
  rowTurnId,
  toggled,
  turnsBetween,
  typeahead as typeaheadSteps,
  useOutlineInput,
} from './use-outline-input.ts';

const typeahead = (...of: Parameters<typeof typeaheadSteps>) => resultOf(typeaheadSteps(...of));

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

test('in a long outline as in a short one, typing finds the next row, or the next with that letter', () => {
  const { forest, reads } = reopened(frozen(fold(syntheticLog(1500, 3))));
  const { rows } = outlined(forest, new Set(), null);
  const begins = (row: OutlineRow, wanted: string) =>
    row.kind === 'topic'
      ? row.tree.title.toLowerCase().startsWith(wanted)
      : `${row.node.number}`.startsWith(wanted) || row.node.message.toLowerCase().startsWith(wanted);
  const following = (index: number, from: number) => rows.map((_, step) => (index + from + step) % rows.length);
  const expected = (index: number, typed: string) => {
    const whole = following(index, typed.length > 1 ? 0 : 1).find((at) => begins(rows[at] as OutlineRow, typed));
    const isLetter = typed === typed.charAt(0).repeat(typed.length);
    return (
      whole ?? (isLetter ? following(index, 1).find((at) => begins(rows[at] as OutlineRow, typed.charAt(0))) : -1) ?? -1
    );
  };
  for (const index of [0, 700, rows.length - 1]) {
    for (const typed of ['1', '149', '11', '111', '1111', '777', 'w', 'wh', 'ww', 'zzz', 'qx']) {
      expect([index, typed, typeahead(rows, index, typed)]).toEqual([index, typed, expected(index, typed)]);
    }
  }
  const { result, counts } = doneInSteps(typeaheadSteps(rows, 1, 'qx'), () => reads.texts);
  expect(result).toBe(-1);
  expect(Math.max(...counts)).toBeLessThan(10);
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

const pressed = (key: string, index: number) =>
  ({
    key,
    target: { getAttribute: () => `${index}`, matches: () => true },
    preventDefault: () => undefined,
    stopPropagation: () => undefined,
  }) as unknown as KeyboardEvent;

test('a row that takes long to find gets the focus once it is found, unless another key came first', async () => {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 5));
  const { asked, onKeyDown } = handled(made().rows);
  onKeyDown(pressed('f', 1));
  expect(asked.splice(0)).toEqual([]);
  await expect.poll(() => asked.splice(0)).toEqual(['focus']);
  onKeyDown(pressed('f', 1));
  onKeyDown(pressed('ContextMenu', 1));
  await yieldToPage();
  await yieldToPage();
  await yieldToPage();
  expect(asked).toEqual(['menu']);
  clock.mockRestore();
});

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
