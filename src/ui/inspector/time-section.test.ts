import { expect, test } from 'vitest';
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
