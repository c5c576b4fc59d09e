import { expect, test } from 'vitest';
import type { LearningState } from '../../app/state.ts';
import { lessonWords, unlearnedWords } from './role-page.tsx';

const learned = (of: number, missed: number, share = 1) => ({
  lessons: of,
  corrections: { of, missed },
  share,
  reasons: [],
  weights: {},
});

const learning = (changes: Partial<LearningState>): LearningState => ({
  ...{ on: true, paused: false, corrections: 0, confirmations: 0, studyTurns: 0, lessons: 0, learned: null },
  ...changes,
});

test('while there are no lessons, everything that makes one is named', () => {
  const words = lessonWords(learning({}));
  for (const way of ['move a turn', 'confirm its place', 'choose the place before sending']) {
    expect(words).toContain(way);
  }
});

test('gold of studies is told apart from corrections, and so is what is left out of the lessons', () => {
  const own = { corrections: 1, confirmations: 2, lessons: 5, learned: { ...learned(1, 0), lessons: 5 } };
  expect(lessonWords(learning(own))).toMatch(/^From 1 correction and 2 confirmations\. No common pattern yet\./);
  const many = { ...own, lessons: 541, learned: { ...learned(1, 0), lessons: 400 } };
  expect(lessonWords(learning(many))).toContain(' It uses 400 of their 541 questions: the newest. ');
  const gold = lessonWords(learning({ ...many, studyTurns: 290 }));
  expect(gold).toMatch(/^From 1 correction, 2 confirmations and the gold of 290 turns in studies\. /);
  expect(gold).toContain(' It uses 400 of their 541 questions: your own first, then the newest. ');
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
