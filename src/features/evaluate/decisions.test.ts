import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { evaluatedPlaceWords, Places, samePlace, topicNumbers } from './decisions.tsx';

const place = { topic: 'continue-topic', branch: 'continue-branch', parent: 2, fork: false } as const;

test('a place, in words', () => {
  expect(evaluatedPlaceWords(place)).toBe('continues turn 3');
  expect(evaluatedPlaceWords({ ...place, branch: 'create-branch' })).toBe('new branch from turn 3');
  expect(evaluatedPlaceWords({ ...place, topic: 'switch-topic' })).toBe('back to the topic of turn 3, continues it');
  expect(evaluatedPlaceWords({ ...place, topic: 'create-topic', branch: null, parent: null })).toBe('new topic');
  expect(samePlace(place, { ...place, parent: 1 })).toBe(false);
});

test('a place that nobody labelled is not said to be a label', () => {
  const elsewhere = { ...place, parent: 0 };
  const words = (labelled: boolean, predicted: typeof place | typeof elsewhere) => {
    const certainty = { confidence: 0.8, branchConfidence: null, disputed: false };
    const decision = { turn: 3, gold: place, predicted, labelled, ...certainty };
    return renderToStaticMarkup(createElement(Places, { decision })).replaceAll(/<[^>]+>/g, '');
  };
  expect(words(true, place)).toBe('continues turn 3, as labelled · confidence 0.80');
  expect(words(false, place)).toBe('continues turn 3, as in the file (not labelled) · confidence 0.80');
  expect(words(true, elsewhere)).toBe('labelled continues turn 3decided continues turn 1 · confidence 0.80');
  expect(words(false, elsewhere)).toMatch(/^in the file continues turn 3 \(not labelled\)decided continues turn 1/);
});

describe('the topics of a dialogue', () => {
  const turns = [null, 0, null, 1].map((parent) => ({ message: '', reply: null, parent }));
  const went = (turn: number, parent: number | null) => ({ turn, predicted: { ...place, parent } });

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
});
