import { expect, test } from 'vitest';
import { bytesOf } from './housekeeping.ts';

test('a text with signs beyond those of western languages is stored with two bytes for each', () => {
  expect(bytesOf({ message: 'Où est le café?' })).toBe('message'.length + 15);
  expect(bytesOf('Где кафе?')).toBe(18);
  expect(bytesOf(['咖啡馆在哪里', 'Café 😀'])).toBe(12 + 14);
  expect(bytesOf({ ['x'.repeat(3)]: new Uint8Array(5) })).toBe(8);
});
