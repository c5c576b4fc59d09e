import { expect, test } from 'vitest';
import { answerF1, exactMatch, normalisedAnswer } from './answer-metrics.ts';

test('articles, capitals, punctuation and blanks make no difference', () => {
  expect(normalisedAnswer('  The  Cat’s tail, an “owl” & A-frame.')).toBe('cat’s tail “owl” aframe');
  expect(exactMatch('The blue kite!', ['blue kite'])).toBe(1);
  expect(exactMatch('theatre', ['atre'])).toBe(0);
});

test('any of the right answers will do', () => {
  expect(exactMatch('two', ['2', 'Two'])).toBe(1);
  expect(answerF1('two', ['2', 'two or three'])).toBeCloseTo(0.5);
  expect(exactMatch('two', [])).toBe(0);
  expect(answerF1('two', [])).toBe(0);
});

test('F1 counts each word as often as both have it', () => {
  expect(answerF1('red red kite', ['red kite kite'])).toBeCloseTo(2 / 3);
  expect(answerF1('nothing of it', ['kite'])).toBe(0);
  expect(answerF1('kite', ['the kite'])).toBe(1);
});

test('nothing is right only where nothing is the answer', () => {
  expect(answerF1('', ['kite'])).toBe(0);
  expect(answerF1('...', ['the'])).toBe(1);
});
