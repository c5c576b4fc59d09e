import { describe, expect, test } from 'vitest';
import { topicNumbers } from './dialogue-topics.ts';
import { figureText, partWords, placeWords, samePlace, spanOf } from './figure-words.ts';

const place = { topic: 'continue-topic', branch: 'continue-branch', parent: 2, fork: false } as const;

describe('in words', () => {
  test('a figure', () => {
    expect(figureText(0.614, 'share')).toBe('0.61');
    expect(figureText(1204.4, 'tokens')).toBe('1,204');
  });

  test('a place', () => {
    expect(placeWords(place)).toBe('goes on from turn 3');
    expect(placeWords({ ...place, branch: 'create-branch' })).toBe('new branch from turn 3');
    expect(placeWords({ ...place, topic: 'switch-topic' })).toBe('back to the topic of turn 3, goes on from it');
    expect(placeWords({ ...place, topic: 'create-topic', branch: null, parent: null })).toBe('new topic');
    expect(samePlace(place, { ...place, parent: 1 })).toBe(false);
  });

  test('a part of a set', () => {
    expect(['ntm', 'ntm-undisputed', 'everyday-other'].map(partWords)).toEqual([
      '',
      'where the annotators agreed',
      'in other languages',
    ]);
  });

  test('an interval, as parts of the scale', () => {
    const figure = { dataset: '', mode: '', subject: '', metric: '', value: 0.5, low: 0.25, high: 0.75, n: 1 };
    expect(spanOf(figure, 1)).toEqual({ left: 25, width: 50, dot: 50 });
    expect(spanOf(figure, 0)).toEqual({ left: 0, width: 0, dot: 0 });
  });
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
