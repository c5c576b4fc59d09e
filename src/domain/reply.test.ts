import { describe, expect, test } from 'vitest';
import { answerOf, spokenOf } from './reply.ts';

describe('a reply of a thinking model', () => {
  test('is parted into reasoning and answer', () => {
    expect(spokenOf('<think>\nTwo trains.\n</think>\n\nAt noon.')).toEqual({
      reasoning: 'Two trains.',
      answer: 'At noon.',
      thinking: false,
    });
  });

  test('is all reasoning until the mark closes', () => {
    expect(spokenOf('<think>Two tr')).toEqual({ reasoning: 'Two tr', answer: '', thinking: true });
  });

  test('may lack the opening mark, which the template wrote', () => {
    expect(spokenOf('Two trains.\n</think>\nAt noon.')).toEqual({
      reasoning: 'Two trains.',
      answer: 'At noon.',
      thinking: false,
    });
  });

  test.each([
    '<think>Two trains.</think>At noon.',
    '<think>Two trains.\n</think>**At noon.**',
    'Two trains.</think>At noon.',
    'Two trains.\n</think>At noon.',
    '两列火车。</think>At noon.',
  ])('needs no white space after the mark that closes: %j', (text) => {
    const { reasoning, answer, thinking } = spokenOf(text);
    expect(reasoning).toMatch(/^(?:Two trains\.|两列火车。)$/);
    expect(answer.replaceAll('*', '')).toBe('At noon.');
    expect(thinking).toBe(false);
  });

  test('may speak of the mark while it thinks', () => {
    expect(spokenOf('<think>Explain `</think>` here.</think>It closes.')).toEqual({
      reasoning: 'Explain `</think>` here.',
      answer: 'It closes.',
      thinking: false,
    });
  });

  test('that thought nothing has no reasoning', () => {
    expect(spokenOf('<think>\n\n</think>\n\nAt noon.')).toEqual({
      reasoning: null,
      answer: 'At noon.',
      thinking: false,
    });
  });

  test.each(['At noon.', 'The tag `</think>` closes it.', 'a < b', ''])(
    'without marks is left as it is: %j',
    (text) => {
      expect(answerOf(text)).toBe(text);
    },
  );
});
