import { expect, test } from 'vitest';
import { typedTitle } from './fields.tsx';

test('a title that is left as it was is not kept, also one that the field shows without its line breaks', () => {
  const message = ' first line\r\n\n  second line\n';
  expect(typedTitle('first line  second line', message)).toBeNull();
  expect(typedTitle('first line, second line', message)).toBe('first line, second line');
  expect(typedTitle('Taxes', 'Taxes')).toBeNull();
  expect(typedTitle(' Taxes 2024 ', 'Taxes')).toBe('Taxes 2024');
});

test('a title is emptied only where it may be, and discarded by no text at all', () => {
  expect(typedTitle(' ', 'Taxes')).toBeNull();
  expect(typedTitle(' ', 'Taxes', true)).toBe('');
  expect(typedTitle('', '', true)).toBeNull();
  expect(typedTitle(null, 'Taxes', true)).toBeNull();
});
