import { expect, test } from 'vitest';
import { bytesInWords, clamp, latinDigits, mean, plural, quantile, randomFrom } from './numbers.ts';

test('a value is kept between two bounds; the lower one holds if they cross', () => {
  expect([-1, 0, 2, 5, 9].map((value) => clamp(value, 0, 5))).toEqual([0, 0, 2, 5, 5]);
  expect(clamp(3, 0, -1)).toBe(0);
});

test('the mean of nothing is 0', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBe(0);
});

test('a share of the values does not exceed the quantile', () => {
  expect(quantile([5, 1, 3, 2, 4], 0.8)).toBe(4);
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(quantile([], 0.5)).toBe(0);
});

test('only 1 is singular', () => {
  expect([0, 1, 2].map((n) => plural(n, 'turn'))).toEqual(['turns', 'turn', 'turns']);
  expect(plural(3, 'branch', 'branches')).toBe('branches');
});

test('digits of any script are read as numbers', () => {
  for (const text of ['۰۱۲۳۴۵۶۷۸۹', '٠١٢٣٤٥٦٧٨٩', '०१२३४५६७८९', '๐๑๒๓๔๕๖๗๘๙', '０１２３４５６７８９']) {
    expect(latinDigits(text)).toBe('0123456789');
  }
  expect(latinDigits('اتاق ۲۵۰ و ٣ تخت, 7²')).toBe('اتاق 250 و 3 تخت, 7²');
});

test('bytes keep two figures where they matter', () => {
  expect([0, 999, 7_097_262, 12_400_000_000].map(bytesInWords)).toEqual(['0 B', '999 B', '7.1 MB', '12 GB']);
});

test('bytes that are rounded up to ten or a thousand read like it', () => {
  const bytes = [9_940_000, 9_960_000, 999_400, 999_960, 999_999_999, 1000, 5e15];
  expect(bytes.map(bytesInWords)).toEqual(['9.9 MB', '10 MB', '999 kB', '1.0 MB', '1.0 GB', '1.0 kB', '5000 TB']);
});

// The values that every drawn sample, shuffle and synthetic conversation in the repository depends on.
test('a seed always gives the same numbers', () => {
  const random = randomFrom(1);
  expect([random(), random(), random()].map((value) => value.toFixed(6))).toEqual(['0.627074', '0.002736', '0.527447']);
});
