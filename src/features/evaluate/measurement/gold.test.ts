import { expect, test } from 'vitest';
import { ancestorsOf, goldPlaces } from './gold.ts';

/*
 * 0 ─ 1 ─ 2      a topic; 3 opens another; 4 comes back to 2; 5 forks from 0; 6 returns to the branch of 4;
 * │   └…4 ─ 6    7 goes back to topic 3
 * └ 5
 */
const turns = [null, 0, 1, null, 2, 0, 4, 3].map((parent) => ({ parent }));

test('labels say topic action, branch action and fork', () => {
  expect(goldPlaces(turns).map(({ topic, branch, fork }) => `${topic} ${branch} ${fork}`)).toEqual([
    'create-topic null false',
    'continue-topic continue-branch false',
    'continue-topic continue-branch false',
    'create-topic null false',
    'switch-topic continue-branch false',
    'continue-topic create-branch true',
    'continue-topic switch-branch false',
    'switch-topic continue-branch false',
  ]);
});

test('ancestors are the turns above, nearest first', () => {
  expect(ancestorsOf(turns, 6)).toEqual([4, 2, 1, 0]);
  expect(ancestorsOf(turns, 3)).toEqual([]);
});
