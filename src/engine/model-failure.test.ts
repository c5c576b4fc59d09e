import { expect, test } from 'vitest';
import { asSentence, withAdvice } from './model-failure.ts';

test('an error message becomes one sentence, with one full stop', () => {
  expect(asSentence('Failed to fetch')).toBe('Failed to fetch.');
  expect(asSentence('There is no room. Choose another model.')).toBe('There is no room. Choose another model.');
  expect(asSentence('The model said “stop.”')).toBe('The model said “stop.”');
  expect(asSentence('The worker ended (code 1)')).toBe('The worker ended (code 1).');
});

test('only a message without advice is given some', () => {
  expect(withAdvice('Failed to fetch', 'Try again.')).toBe('Failed to fetch. Try again.');
  expect(withAdvice('There is no room. Choose another model.', 'Try again.')).not.toContain('Try again.');
});
