import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lesson } from '../../../engine/lessons.ts';
import { fitLessons, type LabelledQuestion, MOST_LESSONS } from './fit-lessons.ts';
import { offsetsOf } from './lesson-facts.ts';

const NOBODY = { questions: [], wordings: new Set<string>() };

/** A message that continues by the decider's own judgement, but opens a topic by the person's. */
const lesson = (at: number, message: Lesson['message'], right = 1): Lesson => ({
  conversationId: 'c',
  nodeId: `n${at}`,
  question: 'topic',
  by: 'correction',
  at,
  message,
  choices: [
    { action: 'continue-topic', base: -0.1, facts: {} },
    { action: 'create-topic', base: -2.5, facts: {} },
    { action: 'switch-topic', base: -4, facts: { 'near to it': 0.1 * (at % 3) } },
  ],
  right,
});
const habit = Array.from({ length: 8 }, (_, at) =>
  lesson(at, { usual: 1, 'opens “fresh page”': 1, [`says “w${at} x”`]: 1 }),
);
const chosen = (scores: readonly number[]) => scores.indexOf(Math.max(...scores));
const answer = (weights: Record<string, number>, question: LabelledQuestion): number => {
  const offsets = offsetsOf(weights, question);
  return chosen(question.choices.map(({ base }, at) => base + (offsets[at] ?? 0)));
};

describe('learning from lessons', () => {
  test('a wording that came again and again is learned, one that came once is not', () => {
    const { weights, lessons, share } = fitLessons(habit, NOBODY);
    expect(lessons).toBe(8);
    expect(share).toBe(1);
    expect(weights['create-topic: opens “fresh page”']).toBeGreaterThan(1);
    expect(Object.keys(weights).filter((name) => name.includes('says'))).toEqual([]);
    expect(answer(weights, lesson(99, { usual: 1, 'opens “fresh page”': 1 }))).toBe(1);
    expect(answer(weights, lesson(99, { usual: 1, 'opens “and then”': 1 }))).toBe(0);
  });

  test('corrections that taught nothing are counted, by turn; confirmations are not', () => {
    const alone = (at: number) => lesson(100 + at, { usual: 1 });
    const agreed = Array.from({ length: 30 }, (_, at) => ({ ...alone(at), by: 'confirmation' as const, right: 0 }));
    const odd = { ...alone(50), question: 'branch' as const };
    const { corrections } = fitLessons([...habit, ...agreed, alone(50), odd, alone(51)], NOBODY);
    expect(corrections).toEqual({ of: 10, missed: 2 });
  });

  test('two questions about one turn do not make its words a habit', () => {
    const [one] = habit;
    const twice = [one as Lesson, { ...(one as Lesson), question: 'branch' as const }];
    expect(Object.keys(fitLessons(twice, NOBODY).weights).filter((name) => name.includes('“'))).toEqual([]);
  });

  test('the order of the lessons is of no consequence', () => {
    const { weights } = fitLessons(habit, NOBODY);
    fc.assert(
      fc.property(fc.shuffledSubarray(habit, { minLength: habit.length }), (shuffled) => {
        expect(fitLessons(shuffled, NOBODY).weights).toEqual(weights);
      }),
      { numRuns: 10 },
    );
  });

  test('no lessons teach nothing, and beyond the limit the oldest are left out', () => {
    expect(fitLessons([], NOBODY)).toEqual({
      weights: {},
      share: 1,
      lessons: 0,
      corrections: { of: 0, missed: 0 },
    });
    const old = Array.from({ length: 20 }, (_, at) => lesson(at, { usual: 1, 'opens “old way”': 1 }));
    const recent = Array.from({ length: MOST_LESSONS }, (_, at) =>
      lesson(100 + at, { usual: 1, 'opens “new way”': 1 }),
    );
    const { weights, lessons } = fitLessons([...recent, ...old], NOBODY);
    expect(lessons).toBe(MOST_LESSONS);
    expect(weights['create-topic: opens “old way”']).toBeUndefined();
    expect(weights['create-topic: opens “new way”']).toBeGreaterThan(0);
  });

  test('gold of a study does not push out what the person taught, and is no correction of theirs', () => {
    const mine = Array.from({ length: 20 }, (_, at) => lesson(at, { usual: 1, 'opens “my way”': 1 }));
    const gold = Array.from({ length: MOST_LESSONS }, (_, at) => ({
      ...lesson(100 + at, { usual: 1, 'opens “their way”': 1 }),
      conversationId: 'study:s:d',
    }));
    const { weights, lessons, corrections } = fitLessons([...mine, ...gold], NOBODY);
    expect(lessons).toBe(MOST_LESSONS);
    expect(corrections.of).toBe(20);
    expect(answer(weights, lesson(999, { usual: 1, 'opens “my way”': 1 }))).toBe(1);
    expect(weights['create-topic: opens “their way”']).toBeGreaterThan(1);
  });
});

describe('general questions', () => {
  /** Other people's questions, all of which the decider answers correctly by a narrow margin. */
  const questions = Array.from({ length: 200 }, (_, at): LabelledQuestion => {
    const { choices, message } = lesson(at, { usual: 1, 'cue asks': 1 });
    return { message, choices: choices.map((choice, i) => (i === 0 ? { ...choice, base: -2.4 } : choice)), right: 0 };
  });
  const asking = Array.from({ length: 60 }, (_, at) => lesson(at, { usual: 1, 'cue asks': 1 }));

  test('are answered as before, whatever one person teaches about what all people say', () => {
    const unguarded = fitLessons(asking, NOBODY).weights;
    const guarded = fitLessons(asking, { questions, wordings: new Set() });
    const right = (weights: Record<string, number>) => questions.filter((one) => answer(weights, one) === 0).length;
    expect(right(unguarded)).toBe(0);
    expect(right(guarded.weights)).toBeGreaterThanOrEqual(0.99 * questions.length);
    expect(guarded.share).toBeLessThan(1);
  });

  test('do not hold back what only this person says', () => {
    const both = asking.map((one) => ({ ...one, message: { ...one.message, 'opens “fresh page”': 1 } }));
    const { weights } = fitLessons(both, { questions, wordings: new Set() });
    expect(answer(weights, lesson(99, { usual: 1, 'cue asks': 1, 'opens “fresh page”': 1 }))).toBe(1);
  });

  test('make a wording that others use too hard to learn', () => {
    const common = fitLessons(habit, { questions: [], wordings: new Set(['opens “fresh page”']) });
    const own = fitLessons(habit, NOBODY);
    const name = 'create-topic: opens “fresh page”';
    expect(common.weights[name]).toBeLessThan(0.2 * (own.weights[name] ?? 0));
  });
});
