import { expect, test } from 'vitest';
import { dialoguesIn } from '../../app/testing/conversation-files.ts';
import type { Node } from '../../domain/forest.ts';
import { exportedTurns } from './selection-bar.tsx';
import { smallForest } from './testing/small-forest.ts';

const plain = smallForest({ a: null, b: 'a', x: null });
const forest = { ...plain, nodes: { ...plain.nodes, b: { ...(plain.nodes.b as Node), note: 'Look here' } } };

test('turns become JSON lines, in order of time, that say where each hangs and can be imported', () => {
  const { text, name } = exportedTurns(forest, ['x', 'b'], 'jsonl');
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { role: 'user', content: 'Message b', turn: 2, after: 1, topic: 'Message a', note: 'Look here' },
    { role: 'user', content: 'Message x', turn: 3, after: null, topic: 'Message x' },
  ]);
  expect(dialoguesIn(name, text)).toMatchObject([{ turns: [{ message: 'Message b' }, { message: 'Message x' }] }]);
});

test('or Markdown, topic by topic', () => {
  expect(exportedTurns(forest, ['a', 'b', 'x'], 'markdown').text).toBe(
    '# Message a\n\n## Turn 1\n\n> Message a\n\n## Turn 2\n\n> Message b\n\n# Message x\n\n## Turn 3\n\n> Message x\n',
  );
});
