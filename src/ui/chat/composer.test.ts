import { expect, test } from 'vitest';
import { areNames } from './composer.tsx';

test('of files that are copied with their names, the names are no text of their own', () => {
  const files = [{ name: 'report.pdf' }, { name: 'Caf\u00e9 menu.png' }];
  expect(areNames('report.pdf', files)).toBe(true);
  expect(areNames('report.pdf\nCafe\u0301 menu.png\n', files)).toBe(true);
  expect(areNames('See report.pdf', files)).toBe(false);
  expect(areNames('report.pdf\nand two maps', files)).toBe(false);
  expect(areNames('A table, with its picture', [{ name: 'image.png' }])).toBe(false);
  expect(areNames('report.pdf', [])).toBe(false);
});
