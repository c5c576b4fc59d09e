import { expect, test } from 'vitest';
import { lessonWords, unlearnedWords } from './role-page.tsx';

const learned = (of: number, missed: number, share = 1) => ({
  lessons: of,
  corrections: { of, missed },
  share,
  reasons: [],
  weights: {},
});

test('while there are no lessons, everything that makes one is named', () => {
  const words = lessonWords({ on: true, paused: false, corrections: 0, confirmations: 0, learned: null });
  for (const way of ['move a turn', 'confirm its place', 'choose the place before sending']) {
    expect(words).toContain(way);
  }
});

test('corrections that taught nothing are told, with why', () => {
  expect(unlearnedWords(learned(42, 12))).toBe(
    '12 of 42 corrections taught the decider nothing yet: they look too much like messages that belong elsewhere.',
  );
  expect(unlearnedWords(learned(1, 1))).toMatch(/^1 of 1 correction taught the decider nothing yet: it looks /);
});

test('what is held back for the sake of other messages is said to be', () => {
  expect(unlearnedWords(learned(42, 12, 0.5))).toMatch(/, or following them would make other decisions worse\.$/);
});

test('where all is learned, nothing is said', () => {
  expect(unlearnedWords(learned(42, 0, 0.5))).toBeNull();
});
