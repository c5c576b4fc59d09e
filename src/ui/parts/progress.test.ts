import { expect, test } from 'vitest';
import { createPageTask } from './progress.tsx';

/** Work that ends when told to, and the last thing that it shows. */
const work = () => {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  let shows: (progress: string) => void = () => undefined;
  const begin = (signal: AbortSignal, show: (progress: string) => void) => {
    shows = show;
    signal.addEventListener('abort', () => fail(new Error('aborted')));
    return ended;
  };
  return { begin, show: (progress: string) => shows(progress), end, fail };
};

test('the task of a page shows what it does, and why it failed until another begins', async () => {
  const told: string[] = [];
  const task = createPageTask<string>((why) => told.push(why));
  const state = task.store.getState;
  const [first, second] = [work(), work()];
  const running = task.run('begun', first.begin);
  expect(state()).toEqual({ progress: 'begun', failure: null });
  first.show('half');
  expect(state().progress).toBe('half');
  first.fail(new Error('No room.'));
  await running;
  expect(state()).toEqual({ progress: null, failure: 'No room.' });
  expect(told).toEqual(['No room.']);
  const again = task.run('begun', second.begin);
  expect(state()).toEqual({ progress: 'begun', failure: null });
  second.end();
  await again;
  expect(state()).toEqual({ progress: null, failure: null });
  expect(told).toHaveLength(1);
});

test('a task that stores its result shows nothing to cancel any more; why it failed can be forgotten', async () => {
  const task = createPageTask<string>();
  const state = task.store.getState;
  const storing = work();
  const running = task.run('begun', async (signal, show) => {
    show(null);
    await storing.begin(signal, show);
  });
  expect(state()).toEqual({ progress: null, failure: null });
  storing.fail(new Error('No room.'));
  await running;
  expect(state()).toEqual({ progress: null, failure: 'No room.' });
  task.clear();
  expect(state()).toEqual({ progress: null, failure: null });
});

test('a task that was cancelled has not failed, and shows nothing more, also where another has begun', async () => {
  const told: string[] = [];
  const task = createPageTask<string>((why) => told.push(why));
  const state = task.store.getState;
  const [first, second] = [work(), work()];
  const cancelled = task.run('first', first.begin);
  task.cancel();
  expect(state()).toEqual({ progress: null, failure: null });
  const running = task.run('second', second.begin);
  first.show('first again');
  await cancelled;
  expect(state()).toEqual({ progress: 'second', failure: null });
  second.end();
  await running;
  expect(state()).toEqual({ progress: null, failure: null });
  expect(told).toEqual([]);
});
