import { describe, expect, test } from 'vitest';
import { createEvaluationRun, shownFigures } from './evaluation-run.ts';
import type { Evaluation, EvaluationData, Measurements, TaskMonitor } from './in-page/evaluation-port.ts';

const file = (path: string) => ({ path, size: 1, text: async () => path });
const measured = { sets: [] } as unknown as Measurements;

/** An evaluation whose files are broken if they say so, and whose measuring waits for the test. */
const evaluationWith = (measure: (monitor: TaskMonitor) => Promise<Measurements> = async () => measured) => {
  const evaluation: Evaluation = {
    kinds: [],
    deciders: () => [
      { name: 'learned', title: 'learned', about: '' },
      { name: 'remote', title: 'remote', about: '', leaves: true },
    ],
    policies: () => [{ name: 'full-history', title: 'full-history', about: '' }],
    memories: () => [],
    read: async (files) => {
      const bad = files.find(({ path }) => path.includes('bad'));
      if (bad !== undefined) return { ok: false, failure: { path: bad.path, line: 3, message: 'broken' } };
      const data: EvaluationData = {
        sets: [],
        unlabelled: files.length,
        leftOut: [],
        unknown: [],
        measure: (_, monitor) => measure(monitor),
      };
      return { ok: true, data };
    },
  };
  let ended: boolean[] = [];
  const run = createEvaluationRun(evaluation, { elapsed: () => 0, ended: (whole) => (ended = [...ended, whole]) });
  return { run, ended: () => ended, state: run.store.getState };
};

describe('an evaluation', () => {
  test('sends nothing to a server unless that decider is chosen', () => {
    const { run, state } = evaluationWith();
    expect(state().subjects.deciders).toEqual(['learned']);
    run.choose({ deciders: ['learned', 'remote'] });
    expect(state().subjects.deciders).toEqual(['learned', 'remote']);
  });

  test('adds files to those there, one path once', async () => {
    const { run, state } = evaluationWith();
    await run.give([file('a'), file('b')]);
    await run.give([file('b'), file('c')]);
    expect(state().files.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
    expect(state().data?.unlabelled).toBe(3);
  });

  test('keeps what it had when a file is broken', async () => {
    const { run, state } = evaluationWith();
    await run.give([file('a')]);
    await run.measure();
    await run.give([file('bad')]);
    expect(state().failure).toEqual({ kind: 'file', path: 'bad', line: 3, message: 'broken' });
    expect(state().files.map(({ path }) => path)).toEqual(['a']);
    expect(state().measured).toBe(measured);
  });

  test('reads a file that was skipped when it is added again', async () => {
    const { run, state } = evaluationWith();
    await run.give([file('a'), file('b')]);
    await run.tell('a', null);
    await run.tell('b', null);
    await run.give([file('a')]);
    expect([...state().namedKinds]).toEqual([['b', null]]);
  });

  test('adds files to those that are still being read', async () => {
    const { run, state } = evaluationWith();
    const first = run.give([file('a')]);
    await run.give([file('b')]);
    await first;
    expect(state().files.map(({ path }) => path)).toEqual(['a', 'b']);
  });

  test('that is opened with files has these alone, unless others are being measured', async () => {
    const { run, state } = evaluationWith(
      (monitor) => new Promise((_, fail) => monitor.signal.addEventListener('abort', fail)),
    );
    await run.give([file('pilot'), file('sgd')]);
    run.chooseSet('study', false);
    await run.startWith([file('main')]);
    expect(state().files.map(({ path }) => path)).toEqual(['main']);
    expect(state().skippedSets.size).toBe(0);
    void run.measure();
    await run.startWith([file('pilot')]);
    expect(state()).toMatchObject({
      files: [{ path: 'main' }],
      task: { kind: 'measuring' },
      failure: { kind: 'not-added' },
    });
    run.cancel();
    const reading = run.give([file('sgd')]);
    await run.startWith([file('pilot')]);
    await reading;
    expect(state().files.map(({ path }) => path)).toEqual(['pilot']);
  });

  test('takes no files while it measures, and says so', async () => {
    let finish: (whole: Measurements) => void = () => undefined;
    const { run, state, ended } = evaluationWith(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    await run.give([file('a')]);
    const measuring = run.measure();
    await run.give([file('b')]);
    expect(state()).toMatchObject({ task: { kind: 'measuring' }, failure: { kind: 'not-added' } });
    expect(state().files.map(({ path }) => path)).toEqual(['a']);
    finish(measured);
    await measuring;
    expect([state().measured, state().failure, ended()]).toEqual([measured, null, [true]]);
  });

  test('is cancelled at once, and what comes later is not heard', async () => {
    let finish: (whole: Measurements) => void = () => undefined;
    let heard: TaskMonitor | null = null;
    const { run, state, ended } = evaluationWith((monitor) => {
      heard = monitor;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    await run.give([file('a')]);
    const measuring = run.measure();
    expect(state().task?.kind).toBe('measuring');
    run.cancel();
    expect(state().task).toBeNull();
    expect((heard as TaskMonitor | null)?.signal.aborted).toBe(true);
    finish(measured);
    await measuring;
    expect([state().measured, state().failure, ended()]).toEqual([null, null, []]);
  });

  test('that fails says why, and keeps the figures of the one before', async () => {
    let fails = false;
    const { run, state, ended } = evaluationWith(async () => {
      if (fails) throw new Error('the model does not answer');
      return measured;
    });
    await run.give([file('a')]);
    await run.measure();
    fails = true;
    await run.measure();
    expect(state()).toMatchObject({ failure: { kind: 'run', message: 'the model does not answer' }, measured });
    expect(ended()).toEqual([true, false]);
    // Those figures would be taken for the ones that were asked for.
    expect(shownFigures(state())).toBeNull();
    run.dismissFailure();
    expect(shownFigures(state())).toBe(measured);
  });
});
