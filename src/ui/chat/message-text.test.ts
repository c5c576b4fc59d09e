import { expect, test } from 'vitest';
import { firstLines, partsOf } from './turn.tsx';

const code = (message: string) => partsOf(message).flatMap((part) => (part.isCode ? [part.text] : []));

test('of a message, code is told from words; joined, the parts are the message', () => {
  const message = 'See `a b`:\n```js\nlet x;\n```\nand *that*.';
  expect(code(message)).toEqual(['`a b`', '```js\nlet x;\n```']);
  expect(
    partsOf(message)
      .map(({ text }) => text)
      .join(''),
  ).toBe(message);
  expect(code('An open fence:\n~~~\nx')).toEqual(['~~~\nx']);
  expect(code('```npm i``` fails.\nWhy?')).toEqual(['```npm i```']);
  expect(code('It costs `5')).toEqual([]);
});

test('a message that is pasted code is code without fences, and prose is not', () => {
  const pasted = 'def f(x):\n    y = x + 1\n    return y\n\nprint(f(2))';
  expect(code(pasted)).toEqual([pasted]);
  expect(code('First, I went home.\nThen I slept;\nand then it rained.\nWhat now?')).toEqual([]);
});

test('the first lines of a long message, and no cut where it is short', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  expect(firstLines(lines.join('\n'))).toEqual({ text: lines.slice(0, 20).join('\n'), lines: 30 });
  expect(firstLines(lines.slice(0, 20).join('\n'))).toBeNull();
});

test('the beginning of a message that is long without lines, and no character cut in two', () => {
  const long = `${'x'.repeat(2399)}🌳 and on`;
  expect(firstLines(long)).toEqual({ text: 'x'.repeat(2399), lines: 1 });
  expect(firstLines(long.slice(0, 2399))).toBeNull();
});
