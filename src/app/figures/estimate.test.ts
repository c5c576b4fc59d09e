import { expect, test } from 'vitest';
import { estimate } from './estimate.ts';

type CountOf = (name: string) => number;
const accuracy = { value: (of: CountOf) => of('right') / of('all'), n: (of: CountOf) => of('all') };

test('dialogues that are all alike leave no doubt', () => {
  const [figure] = estimate(
    Array.from({ length: 8 }, () => ({ right: 3, all: 4 })),
    [accuracy],
  );
  expect(figure).toEqual({ value: 0.75, low: 0.75, high: 0.75, n: 32 });
});

test('one dialogue alone gives no interval, however many others say nothing of the figure', () => {
  const [figure] = estimate([{ right: 3, all: 4 }, { other: 2 }, { other: 5 }], [accuracy]);
  expect(figure).toEqual({ value: 0.75, low: Number.NaN, high: Number.NaN, n: 4 });
});

test('the interval is that of the mean of as many draws', () => {
  // 200 dialogues with one decision each, half of them right: the standard error is √(0.25 / 200) = 0.035.
  const [figure] = estimate(
    Array.from({ length: 200 }, (_, at) => ({ right: at % 2, all: 1 })),
    [accuracy],
  );
  expect(figure?.value).toBe(0.5);
  expect(figure?.low).toBeCloseTo(0.5 - 1.96 * 0.035, 1.7);
  expect(figure?.high).toBeCloseTo(0.5 + 1.96 * 0.035, 1.7);
});

test('whole dialogues are drawn: decisions of one dialogue do not count as independent', () => {
  const long = Array.from({ length: 4 }, (_, at) => ({ right: at % 2 === 0 ? 50 : 0, all: 50 }));
  const short = long.flatMap(({ right }) => Array.from({ length: 50 }, () => ({ right: right / 50, all: 1 })));
  const [a] = estimate(long, [accuracy]);
  const [b] = estimate(short, [accuracy]);
  expect(a?.value).toBe(b?.value);
  expect((a?.high ?? 0) - (a?.low ?? 0)).toBeGreaterThan(3 * ((b?.high ?? 0) - (b?.low ?? 0)));
});

test('the same dialogues give the same interval, and nothing measured gives none', () => {
  const dialogues = [{ right: 1, all: 3 }, { right: 2, all: 2 }, { other: 5 }];
  expect(estimate(dialogues, [accuracy])).toEqual(estimate(dialogues, [accuracy]));
  expect(estimate([{ other: 1 }], [accuracy])[0]?.value).toBeNaN();
});
