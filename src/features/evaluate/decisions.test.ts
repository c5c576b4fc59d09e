import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { evaluatedPlaceWords, Places, samePlace, topicNumbers } from './decisions.tsx';
import type { EvaluatedDecision } from './in-page/evaluation-port.ts';

const place = { topic: 'continue-topic', branch: 'continue-branch', parent: 2, fork: false } as const;

test('a place, in words', () => {
  expect(evaluatedPlaceWords(place)).toBe('continues turn 3');
  expect(evaluatedPlaceWords({ ...place, branch: 'create-branch' })).toBe('new branch from turn 3');
  expect(evaluatedPlaceWords({ ...place, topic: 'switch-topic' })).toBe('back to the topic of turn 3, continues it');
  expect(evaluatedPlaceWords({ ...place, topic: 'create-topic', branch: null, parent: null })).toBe('new topic');
  expect(samePlace(place, { ...place, parent: 1 })).toBe(false);
});

const shown = (decision: Omit<EvaluatedDecision, 'dialogue' | 'turn'>, mode: string): string => {
  const element = createElement(Places, { decision: { turn: 3, ...decision }, mode });
  return renderToStaticMarkup(element).replaceAll(/<[^>]+>/g, '');
};

test('a turn that its reply moved says so where the next ones build on that', () => {
  const decision = { gold: place, predicted: place, labelled: true, disputed: false };
  const certainty = { confidence: null, branchConfidence: null };
  const moved = { ...decision, ...certainty, settledParent: 0 };
  expect(shown(moved, 'free-running')).toBe('continues turn 3, as labelled · moved under turn 1 once replied to');
  expect(shown(moved, 'teacher-forced')).toBe('continues turn 3, as labelled');
  const wrong = { ...moved, predicted: { ...place, parent: 1 }, settledParent: null };
  expect(shown(wrong, 'free-running')).toMatch(/decided continues turn 2moved to a new topic once replied to$/);
});

test('a place that nobody labelled is not said to be a label', () => {
  const elsewhere = { ...place, parent: 0 };
  const words = (labelled: boolean, predicted: typeof place | typeof elsewhere) => {
    const certainty = { confidence: 0.8, branchConfidence: null, disputed: false };
    return shown({ gold: place, predicted, settledParent: predicted.parent, labelled, ...certainty }, 'free-running');
  };
  expect(words(true, place)).toBe('continues turn 3, as labelled · confidence 0.80');
  expect(words(false, place)).toBe('continues turn 3, as in the file (not labelled) · confidence 0.80');
  expect(words(true, elsewhere)).toBe('labelled continues turn 3decided continues turn 1 · confidence 0.80');
  expect(words(false, elsewhere)).toMatch(/^in the file continues turn 3 \(not labelled\)decided continues turn 1/);
});

describe('the topics of a dialogue', () => {
  const turns = [null, 0, null, 1].map((parent) => ({ message: '', reply: null, parent }));
  const went = (turn: number, parent: number | null, settledParent = parent) => ({
    turn,
    predicted: { ...place, parent },
    settledParent,
  });

  test('where earlier turns stood as labelled', () => {
    const decisions = [went(1, null), went(2, 1), went(3, 2)];
    expect(topicNumbers({ turns }, decisions, 'teacher-forced')).toEqual({
      labelled: [0, 0, 1, 0],
      decided: [0, 2, 0, 1],
    });
  });

  test('where they stood as decided', () => {
    const decisions = [went(1, null), went(2, 1), went(3, 0)];
    expect(topicNumbers({ turns }, decisions, 'free-running').decided).toEqual([0, 1, 1, 0]);
  });

  test('where they stood once replied to, on which the next ones build', () => {
    const decisions = [went(1, null, 0), went(2, 1), went(3, null)];
    expect(topicNumbers({ turns }, decisions, 'free-running').decided).toEqual([0, 0, 0, 1]);
  });
});
