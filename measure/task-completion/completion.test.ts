import { expect, test } from 'vitest';
import { estimate } from '../../src/app/figures/estimate.ts';
import { COMPLETION_METRICS, JUDGES_METRICS } from '../../src/features/evaluate/measurement/completion-metrics.ts';
import { countAgreement, countCompletion } from './completion.ts';

test('Cohen’s κ is over the goals that both gave a word on', () => {
  const counts = countAgreement([true, true, false, null, false], [true, false, false, true, null]);
  const [kappa, agreement] = estimate([counts], JUDGES_METRICS);
  expect(kappa).toMatchObject({ n: 3 });
  // One of three differs; yes twice and once: chance 2/9 + 2/9.
  expect(kappa?.value).toBeCloseTo((2 / 3 - 4 / 9) / (5 / 9), 12);
  expect(agreement?.value).toBeCloseTo(2 / 3, 12);
});

test('goals count alike in the one figure, dialogues in the other, and a word of no use in neither', () => {
  const dialogues = [
    [true, true, true, false],
    [false, null],
    [null, null],
  ].map(countCompletion);
  const [goals, byDialogue] = estimate(dialogues, COMPLETION_METRICS);
  expect(goals).toMatchObject({ value: 3 / 5, n: 5 });
  expect(byDialogue).toMatchObject({ value: (3 / 4 + 0) / 2, n: 2 });
});
