import { expect, test } from 'vitest';
import { duration, ratio, saving, weight } from './figures.ts';

test('figures say their sign, and never minus zero', () => {
  expect(weight(1.84)).toBe('+1.8');
  expect(weight(-0.4)).toBe('−0.4');
  expect(ratio(-0.123)).toBe('−0.12');
  expect(ratio(-0.001)).toBe('0.00');
});

test('durations keep two figures where they are short', () => {
  expect([0.04, 0.42, 9.9, 9.96, 24.4, 999.4, 999.6, 12_345].map(duration)).toEqual([
    '0.0 ms',
    '0.4 ms',
    '9.9 ms',
    '10 ms',
    '24 ms',
    '999 ms',
    '1.0 s',
    '12.3 s',
  ]);
});

test('a saving is measured against the whole history', () => {
  expect(saving(412, 2980)).toBe('−86 %');
  expect(saving(314, 94_970)).toBe('−99.7 %');
  expect(saving(120, 100)).toBe('+20 %');
  expect(saving(100, 100)).toBe('±0 %');
  expect(saving(5, 0)).toBe('±0 %');
});
