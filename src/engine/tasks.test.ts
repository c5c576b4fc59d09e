import { describe, expect, test } from 'vitest';
import { createYielder, dueEvery, inSteps, LatestTask, Queue, withinSpell } from './tasks.ts';
import { gate } from './testing/plain-models.ts';

test('what comes often is due at first, and then once the time has passed since it last was', () => {
  let now = 5;
  const isDue = dueEvery(100, () => now);
  const at = (time: number) => {
    now = time;
    return isDue();
  };
  expect([5, 6, 104, 105, 110, 204, 999, 1000].map(at)).toEqual([true, false, false, true, false, false, true, false]);
});

test('it can first be due later', () => {
  let now = 5;
  const isDue = dueEvery(100, () => now, 20);
  const at = (time: number) => {
    now = time;
    return isDue();
  };
  expect([5, 24, 25, 26, 125].map(at)).toEqual([false, false, true, false, true]);
});

test('an aborted yielder rejects, whether it is due or not', async () => {
  const stop = new AbortController();
  let now = 0;
  const breathe = createYielder(() => now, stop.signal);
  await breathe();
  now = 1000;
  const yielding = breathe();
  stop.abort(new Error('stopped'));
  await expect(yielding).rejects.toThrow('stopped');
  await expect(breathe()).rejects.toThrow('stopped');
});

test('work in steps is done at once if it is short, and goes on where it was if it is not', async () => {
  let now = 0;
  let step = 0;
  function* counting(): Generator<undefined, number> {
    for (; step < 5; step++) {
      now += 3;
      yield;
    }
    return step;
  }
  const steps = counting();
  expect(withinSpell(steps, () => now)).toBeNull();
  expect(step).toBe(2);
  expect(await inSteps(steps, async () => undefined)).toBe(5);
  now = 0;
  step = 3;
  expect(withinSpell(counting(), () => now)).toEqual({ result: 5 });
});

test('work in steps does no more of them once nobody waits for it', async () => {
  const stop = new AbortController();
  let done = 0;
  function* endless(): Generator<undefined, never> {
    for (;;) {
      if (++done === 3) stop.abort(new Error('stopped'));
      yield;
    }
  }
  await expect(
    inSteps(
      endless(),
      createYielder(() => 0, stop.signal),
    ),
  ).rejects.toThrow('stopped');
  expect(done).toBe(3);
});

describe('a queue', () => {
  test('runs one task at a time, in order, also after one has failed', async () => {
    const queue = new Queue();
    const done: string[] = [];
    const first = gate();
    const all = [
      queue.run(async () => {
        await first.opened;
        done.push('first');
      }),
      queue.run(() => Promise.reject(new Error('broken'))),
      queue.run(async () => done.push('third')),
    ];
    first.open();
    const ends = await Promise.allSettled(all);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(done).toEqual(['first', 'third']);
  });

  test('is held by who has entered, and not by who gave up waiting', async () => {
    const queue = new Queue();
    const never = new AbortController().signal;
    const gone = new AbortController();
    const done: string[] = [];
    const leave = await queue.enter(never);
    const waiting = queue.enter(gone.signal);
    const after = queue.run(async () => done.push('after'));
    gone.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    expect(done).toEqual([]);
    leave();
    await after;
    expect(done).toEqual(['after']);
    await expect(queue.enter(gone.signal)).rejects.toThrow('given up');
  });
});

describe('the latest task', () => {
  test('is the only one that has a result', async () => {
    const latest = new LatestTask();
    const open = gate();
    const first = latest.run(async (signal) => {
      await open.opened;
      signal.throwIfAborted();
      return 'first';
    });
    const second = latest.run(async () => 'second');
    open.open();
    expect(await Promise.all([first, second])).toEqual([null, 'second']);
  });

  test('has none once it is cancelled, and fails only if it is not', async () => {
    const latest = new LatestTask();
    const open = gate();
    const cancelled = latest.run(() => open.opened.then(() => 'done'));
    latest.cancel();
    open.open();
    expect(await cancelled).toBeNull();
    await expect(latest.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
