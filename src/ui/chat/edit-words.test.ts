import { expect, test } from 'vitest';
import { nodeOf } from '../../domain/queries.ts';
import { editWords } from './edit-words.ts';
import { forestOf } from './testing/small-forest.ts';

test('an edit says where it goes and what stays', () => {
  const forest = forestOf([[null], [1], [2], [2]]);
  const words = (id: string) => editWords(forest, nodeOf(forest, id));
  expect(words('n1')).toBe('Begins a new topic. Turn 1 and the 3 turns below it stay beside it.');
  expect(words('n2')).toBe('Goes on from turn 1 as a new branch. Turn 2 and the 2 turns below it stay beside it.');
  expect(words('n4')).toBe('Goes on from turn 2 as a new branch. Turn 4 stays beside it.');
});
