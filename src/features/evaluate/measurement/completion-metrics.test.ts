import { describe, expect, test } from 'vitest';
import {
  COMPLETION_METRICS,
  cohensKappa,
  countAgreement,
  countCompletion,
  JUDGES_METRICS,
} from './completion-metrics.ts';
import { estimate } from './rows.ts';

describe('Cohen’s κ', () => {
  test('worked by hand', () => {
    // 50 goals: they agree on 20 + 15 = 0.7. The first says yes to 25, the second to 30: chance 0.5·0.6 + 0.5·0.4 = 0.5.
    expect(cohensKappa({ bothYes: 20, bothNo: 15, onlyFirst: 5, onlySecond: 10 })).toBeCloseTo((0.7 - 0.5) / 0.5, 12);
    // 10 goals: 0.8 agreed; yes 8 and 8, so chance 0.64 + 0.04 = 0.68.
    expect(cohensKappa({ bothYes: 7, bothNo: 1, onlyFirst: 1, onlySecond: 1 })).toBeCloseTo(0.12 / 0.32, 12);
  });

  test('is 1 where they always agree, 0 by chance, −1 where they never do', () => {
    expect(cohensKappa({ bothYes: 3, bothNo: 4, onlyFirst: 0, onlySecond: 0 })).toBe(1);
    expect(cohensKappa({ bothYes: 4, bothNo: 4, onlyFirst: 4, onlySecond: 4 })).toBe(0);
    expect(cohensKappa({ bothYes: 0, bothNo: 0, onlyFirst: 5, onlySecond: 5 })).toBe(-1);
  });

  test('is 0 where one judge always says the same, and none where both do', () => {
    expect(cohensKappa({ bothYes: 6, bothNo: 0, onlyFirst: 4, onlySecond: 0 })).toBe(0);
    expect(cohensKappa({ bothYes: 9, bothNo: 0, onlyFirst: 0, onlySecond: 0 })).toBeNaN();
    expect(cohensKappa({ bothYes: 0, bothNo: 9, onlyFirst: 0, onlySecond: 0 })).toBeNaN();
    expect(cohensKappa({ bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 })).toBeNaN();
  });

  test('is over the goals that both gave a word on', () => {
    const counts = countAgreement([true, true, false, null, false], [true, false, false, true, null]);
    const [kappa, agreement] = estimate([counts], JUDGES_METRICS);
    expect(kappa).toMatchObject({ n: 3 });
    // Of three, one differs; yes 2 and 1: chance 2/9 + 2/9.
    expect(kappa?.value).toBeCloseTo((2 / 3 - 4 / 9) / (5 / 9), 12);
    expect(agreement?.value).toBeCloseTo(2 / 3, 12);
  });
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
