import { expect, test } from 'vitest';
import { dialoguesIn } from '../../app/testing/conversation-files.ts';
import { fold } from '../../domain/apply.ts';
import type { Node } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
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
    '# Message a\n\n## Turn 1\n\n> Message a\n\n## Turn 2\n\n> Message b\n\n**Note:** Look here\n\n# Message x\n\n## Turn 3\n\n> Message x\n',
  );
});

test('a reply that was stopped in code, or has headings, does not change the turns after it', () => {
  const life = new Life();
  const first = life.say(null, 'How?');
  life.do({
    type: 'record',
    step: null,
    event: { type: 'reply-started', nodeId: first, replyId: 'r', model: 'm', context: null },
  });
  life.do({
    type: 'record',
    step: null,
    event: { type: 'reply-received', nodeId: first, replyId: 'r', text: '# So\n```sh\nls' },
  });
  const next = life.say(first, 'And then?');
  const { text } = exportedTurns(fold(life.entries), [first, next], 'markdown');
  expect(text).toContain('\n\n#### So\n```sh\nls\n```\n\n## Turn 2\n');
});
