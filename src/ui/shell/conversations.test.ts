import { expect, test } from 'vitest';
import { emptyForest } from '../../domain/forest.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { sizeWords } from './conversations.tsx';

test('the size beside a conversation’s name counts the turns that are there, not those that were deleted', () => {
  const life = new Life();
  expect(sizeWords(emptyForest())).toBe('');
  const [first, second] = [life.say(null), life.say(null)];
  const third = life.send();
  expect(sizeWords(life.forest)).toBe('2 topics, 3 turns');
  life.place(third, second);
  expect(sizeWords(life.forest)).toBe('2 topics, 3 turns');
  life.do({ type: 'delete', nodeIds: [second], alone: false, step: life.id() });
  expect(sizeWords(life.forest)).toBe('1 topic, 1 turn');
  life.do({ type: 'delete', nodeIds: [first], alone: false, step: life.id() });
  expect(sizeWords(life.forest)).toBe('0 turns');
});
