import { expect, test } from 'vitest';
import { fittingPieces } from './embedding.ts';

const short = (piece: string): boolean => piece.length <= 12;

test('a text that fits is one piece', () => {
  expect(fittingPieces('Hello there.', short)).toEqual(['Hello there.']);
});

test('a longer one is parted between words, with nothing lost', () => {
  const text = 'The ferry to the island leaves at nine in the morning.';
  const pieces = fittingPieces(text, short);
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => short(piece.trim()))).toBe(true);
});

test('one without spaces is parted all the same, and not for ever', () => {
  expect(fittingPieces('x'.repeat(40), short).join('')).toBe('x'.repeat(40));
  expect(fittingPieces('x'.repeat(10_000), short)).toHaveLength(16);
});
