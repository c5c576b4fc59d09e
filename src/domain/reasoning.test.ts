import { describe, expect, test } from 'vitest';
import { answerOf, spokenOf } from './reasoning.ts';

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
