import { expect, test } from 'vitest';
import { learnedWords, spokenWords } from './learner.ts';
import { wordingFacts } from './lesson-facts.ts';

test('a message is worded by how it opens, the pairs near its start, and how it ends', () => {
  expect(Object.keys(wordingFacts('By the by, who painted it?'))).toEqual([
    'opens “by”',
    'opens “by the”',
    'opens “by the by”',
    'says “the by”',
    'says “by who”',
    'says “who painted”',
    'says “painted it”',
    'ends “painted it”',
  ]);
  expect(wordingFacts('')).toEqual({});
  expect(wordingFacts('???')).toEqual({});
  expect(Object.keys(wordingFacts('word '.repeat(10_000))).length).toBeLessThan(12);
});

test('what was learned is told once, for the answer that it speaks for, under the wording that says it', () => {
  const weights = {
    'create-topic: opens “by the by”': 0.9,
    'create-topic: opens “by the”': 0.4,
    'continue-topic: opens “by the by”': -0.6,
    'switch-topic: opens “by the by”': -0.2,
    'continue-topic: cue goes on': 0.5,
    'create-topic: cue goes on': -0.1,
    'switch-topic: usual': 0.01,
  };
  expect(learnedWords(weights, 5)).toEqual([
    { text: '“by the by” opens a topic', weight: 1.7 },
    { text: 'wording of the kind “goes on” stays in the topic', weight: 0.6 },
  ]);
  expect(learnedWords(weights, 1)).toHaveLength(1);
});

test('a longer wording that is one way of saying the strongest is not told apart from it', () => {
  const weights = { 'create-topic: opens “fresh page”': 2, 'create-topic: opens “fresh page please”': 1 };
  expect(learnedWords(weights, 5)).toEqual([{ text: '“fresh page” opens a topic', weight: 2 }]);
});

test('the same wording may do one thing to topics and another to branches', () => {
  const weights = {
    'create-topic: opens “or else”': -1,
    'continue-topic: opens “or else”': 1,
    'create-branch: opens “or else”': 2,
  };
  expect(learnedWords(weights, 5).map(({ text }) => text)).toEqual([
    '“or else” opens a branch',
    '“or else” stays in the topic',
  ]);
});

test('what spoke for an answer says when it spoke against', () => {
  expect(
    spokenWords('create-topic', { 'opens “fresh page”': 2.04, 'near to the topic': -0.4, usual: 0.05 }, 4),
  ).toEqual([
    { text: '“fresh page” opens a topic', weight: 2.04 },
    { text: 'likeness to the topic opens a topic', weight: -0.4 },
  ]);
});
