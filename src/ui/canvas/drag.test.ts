import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { familyOf } from '../../domain/queries.ts';
import { carriedInWords, createLatest, dropOn, OUTSIDE, targetInWords } from './drag.tsx';
import { smallForest } from './testing/small-forest.ts';

const forest = smallForest({ a: null, b: 'a', c: 'b', d: 'b', x: null });
const drop = (ids: string[], over: string | null) => dropOn(forest, ids, new Set(familyOf(forest, ids)), over);

describe('dropping turns', () => {
  test('under a turn of another topic, or on open ground', () => {
    expect(drop(['b'], 'x')).toEqual({ target: { kind: 'under', nodeId: 'x' }, moving: ['b'], refusal: null });
    expect(drop(['b'], null)).toEqual({ target: { kind: 'new-topic' }, moving: ['b'], refusal: null });
  });
  test('is refused on the turn itself, below it, and where it hangs already; each says why', () => {
    expect(drop(['b'], 'b').refusal).toBe('Turn 2 cannot be moved under itself.');
    expect(drop(['b'], 'c').refusal).toBe('Turn 3 is below what you are dragging.');
    expect(drop(['b'], 'a').refusal).toBe('Turn 2 is already under turn 1.');
    expect(drop(['a'], null).refusal).toBe('Turn 1 already begins a topic.');
    expect(drop(['c', 'd'], 'b').refusal).toBe('They are already under turn 2.');
  });
  test('is refused beyond the edge and under the tools, whatever lies there unseen; it says where else to drop', () => {
    for (const ids of [['b'], ['a'], ['c', 'x']]) {
      const { refusal } = dropOn(forest, ids, new Set(familyOf(forest, ids)), OUTSIDE);
      expect(refusal).toBe('Nothing is moved: drop on a turn or on empty canvas.');
    }
  });
  test('of several, those go that are not there yet, and what hangs from another of them goes along', () => {
    expect(drop(['c', 'x'], 'b')).toMatchObject({ moving: ['x'], refusal: null });
    expect(drop(['b', 'c'], 'x')).toMatchObject({ moving: ['b'], refusal: null });
  });
  test('words say what goes where', () => {
    const family = new Set(familyOf(forest, ['b']));
    expect(family).toEqual(new Set(['b', 'c', 'd']));
    expect(carriedInWords(forest, ['b'], family)).toBe('Turn 2 with 2 below');
    expect(carriedInWords(forest, ['c', 'd'], new Set(familyOf(forest, ['c', 'd'])))).toBe('2 turns');
    expect(targetInWords(forest, drop(['b'], 'x'))).toBe('under turn 5');
    expect(targetInWords(forest, drop(['b'], null))).toBe('to a topic of its own');
  });
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const slow = () => {
  const waiting = new Map<string, (answer: string) => void>();
  const asked: string[] = [];
  const answers: (string | null)[] = [];
  const latest = createLatest(
    (question: string) => {
      asked.push(question);
      return new Promise<string>((done, fail) => {
        waiting.set(question, (answer) => (answer === 'fails' ? fail(new Error(answer)) : done(answer)));
      });
    },
    (answer) => answers.push(answer),
    100,
  );
  const answer = async (question: string, text: string) => {
    waiting.get(question)?.(text);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { latest, asked, answers, answer };
};

test('is asked after a pause, for the last of several questions alone', async () => {
  const { latest, asked, answers, answer } = slow();
  latest.ask('a');
  vi.advanceTimersByTime(60);
  latest.ask('b');
  vi.advanceTimersByTime(100);
  expect(asked).toEqual(['b']);
  await answer('b', 'yes');
  expect(answers).toEqual(['yes']);
});

test('an answer that comes after a newer question is dropped', async () => {
  const { latest, answers, answer } = slow();
  latest.ask('a');
  vi.advanceTimersByTime(100);
  latest.ask('b');
  vi.advanceTimersByTime(100);
  await answer('b', 'new');
  await answer('a', 'old');
  expect(answers).toEqual(['new']);
});

test('cancelled, nothing comes; failed, null comes', async () => {
  const { latest, answers, answer } = slow();
  latest.ask('a');
  vi.advanceTimersByTime(100);
  latest.cancel();
  await answer('a', 'late');
  expect(answers).toEqual([]);
  latest.ask('b');
  vi.advanceTimersByTime(100);
  await answer('b', 'fails');
  expect(answers).toEqual([null]);
});
