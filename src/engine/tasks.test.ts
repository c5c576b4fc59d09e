import { expect, test } from 'vitest';
import { dueEvery } from './tasks.ts';

test('what comes often is due at first, and then once the time has passed since it last was', () => {
  let now = 5;
  const isDue = dueEvery(100, () => now);
  const at = (time: number) => {
    now = time;
    return isDue();
  };
  expect([5, 6, 104, 105, 110, 204, 999, 1000].map(at)).toEqual([true, false, false, true, false, false, true, false]);
});
