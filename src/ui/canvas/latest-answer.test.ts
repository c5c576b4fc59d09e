import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLatest } from './latest-answer.ts';

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
