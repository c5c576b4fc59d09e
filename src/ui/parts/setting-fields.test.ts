import { expect, test } from 'vitest';
import type { Parameters } from '../../engine/parameters.ts';
import { FIELDS, settingWords } from './setting-fields.ts';

const words = (name: keyof Parameters, value: number | boolean | null): string => {
  const field = FIELDS.find((one) => one.name === name);
  return field === undefined ? '' : settingWords(field, value);
};

test('a setting is read in the units in which it is set', () => {
  expect(words('patience', 20_000)).toBe('20 seconds');
  expect(words('patience', 1_000)).toBe('1 second');
  expect(words('overviewBudget', 480)).toBe('480 tokens');
  expect(words('lastTurns', 1)).toBe('1 turn');
  expect(words('pathShare', 0.1)).toBe('0.1 share');
  expect(words('sureFrom', 0.65)).toBe('0.65');
  expect(words('spareDirectParent', false)).toBe('no');
});

test('a value that stands for none is read as what that means', () => {
  expect(words('reconsiderFrom', 2)).toBe('never');
  expect(words('theta', null)).toBe('the embedder’s own');
  expect(words('contextBudget', null)).toBe('as the policy sends');
});
