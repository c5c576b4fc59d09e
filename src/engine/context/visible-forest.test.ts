import { expect, test } from 'vitest';
import { nodeOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { summaryText } from './overview.ts';
import { visibleForest } from './visible-forest.ts';

test('what stands in for a title or a summary does not end in half an emoji', () => {
  const life = new Life();
  const long = (length: number) => `${'x'.repeat(length)}😀 and so on`;
  const root = life.say(null, long(59));
  const hidden = life.say(root, 'a secret');
  const last = life.say(hidden, long(159));
  life.do({ type: 'record', step: 's', event: { type: 'turns-hidden', nodeIds: [hidden], hidden: true } });
  const { treeId } = nodeOf(life.forest, root);
  expect(visibleForest(life.forest).trees[treeId]?.title).toBe('x'.repeat(59));
  expect(summaryText(nodeOf(life.forest, last))).toBe('x'.repeat(159));
});

test('a title has no words of a hidden root, also where earlier turns were moved under it', () => {
  const life = new Life();
  const [one, two] = [life.say(null, 'one'), life.say(null, 'two')];
  const root = life.say(null, 'a secret');
  for (const id of [one, two]) life.move(id, root);
  life.do({ type: 'record', step: 's', event: { type: 'turns-hidden', nodeIds: [root], hidden: true } });
  expect(visibleForest(life.forest).trees[nodeOf(life.forest, one).treeId]?.title).toBe('one');
});
