import { expect, test } from 'vitest';
import { createHaste } from './haste.ts';

test('a change is hasty only right after another', () => {
  const inHaste = createHaste();
  expect([0, 100, 200, 1000, 1020].map(inHaste)).toEqual([false, true, true, false, true]);
});
