import { expect, test } from 'vitest';
import { bytes, count, counted, similarity } from './numbers.ts';
import { timeAgo } from './time-ago.ts';

test('numbers read as people write them', () => {
  expect(count(2980)).toBe('2,980');
  expect(counted(1, 'turn')).toBe('1 turn');
  expect(counted(2, 'branch', 'branches')).toBe('2 branches');
  expect(similarity(0.708)).toBe('0.71');
});

test('bytes keep two figures where they matter', () => {
  expect([0, 999, 7_097_262, 12_400_000_000].map(bytes)).toEqual(['0 B', '999 B', '7.1 MB', '12 GB']);
});

test('times are near in words and far as dates', () => {
  const now = Date.UTC(2026, 0, 20, 12);
  expect(timeAgo(now - 20_000, now)).toBe('just now');
  expect(timeAgo(now - 5 * 60_000, now)).toBe('5 minutes ago');
  expect(timeAgo(now - 26 * 3_600_000, now)).toBe('yesterday');
  expect(timeAgo(now - 30 * 86_400_000, now)).toBe('Dec 21, 2025');
});
