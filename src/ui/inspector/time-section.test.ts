import { expect, test } from 'vitest';
import { attemptsOf } from '../parts/turn-words.ts';
import { span, waterfall } from './decision-tab.tsx';

test('steps lie on one axis, from the first beginning to the last end', () => {
  const timings = [
    { step: 'embed', start: 10, ms: 20 },
    { step: 'topic', start: 30, ms: 20 },
  ];
  expect(span(timings)).toBe(40);
  expect(waterfall(timings)).toEqual([
    { step: 'embed', ms: 20, left: 0, width: 50 },
    { step: 'topic', ms: 20, left: 50, width: 50 },
  ]);
});

test('nothing timed, or nothing that took time, breaks nothing', () => {
  expect(span([])).toBe(0);
  expect(waterfall([])).toEqual([]);
  expect(waterfall([{ step: 'embed', start: 3, ms: 0 }])).toEqual([{ step: 'embed', ms: 0, left: 0, width: 0 }]);
});

test('the attempts at a reply that was continued are timed apart, each from its own beginning', () => {
  const first = [
    { step: 'context', start: 0, ms: 4 },
    { step: 'first token', start: 4, ms: 500 },
    { step: 'reply', start: 4, ms: 2500 },
  ];
  const failed = [{ step: 'reply', start: 30, ms: 9 }];
  const last = [
    { step: 'first token', start: 20, ms: 100 },
    { step: 'reply', start: 20, ms: 1100 },
  ];
  const attempts = attemptsOf([...first, ...failed, ...last]);
  expect(attempts).toEqual([first, failed, last]);
  expect(attempts.map(span)).toEqual([2504, 9, 1100]);
  expect(attempts.flatMap((attempt) => waterfall(attempt)[0]?.left)).toEqual([0, 0, 0]);
  expect(attemptsOf([])).toEqual([]);
  // Nothing was sent: it ended while its context was built.
  expect(attemptsOf(first.slice(0, 1))).toEqual([first.slice(0, 1)]);
});
