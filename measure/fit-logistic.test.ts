import { expect, test } from 'vitest';
import { logistic, randomFrom } from '../src/domain/numbers.ts';
import { fitLogistic } from './fit-logistic.ts';

test('what makes things likely gets its weight, what says nothing next to none', () => {
  const random = randomFrom(1);
  const examples = Array.from({ length: 4000 }, () => {
    const [tells, idle] = [random(), random()];
    const chance = logistic(4 * tells - 2);
    return { features: { bias: 1, tells, idle }, holds: random() < chance };
  });
  const { weights, loss } = fitLogistic(examples);
  expect(weights.tells).toBeGreaterThan(3);
  expect(weights.tells).toBeLessThan(5);
  expect(Math.abs(weights.idle ?? 9)).toBeLessThan(0.4);
  expect(loss).toBeLessThan(Math.log(2));
});
