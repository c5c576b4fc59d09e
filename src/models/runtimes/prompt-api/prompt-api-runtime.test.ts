import { afterEach, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../domain/context.ts';
import { answered, loading, question } from '../server/testing/asking.ts';
import { promptApiRuntime } from './prompt-api-runtime.ts';
import { control, done, loaded, removeStandIn } from './testing/loaded-stand-in.ts';

afterEach(removeStandIn);

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const SYSTEM: ChatMessage = { role: 'system', content: 'Be brief.' };

describe('loading', () => {
  test('a browser without one, and a machine that cannot run it', async () => {
    await expect(promptApiRuntime().loadGenerator({ runtime: 'prompt-api' }, loading())).rejects.toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('no model of its own'),
    });
    await expect(loaded({ availability: 'unavailable' })).rejects.toMatchObject({ kind: 'unsupported' });
  });

  test('the download’s progress is told, as shares of one', async () => {
    const { progress, generator } = await loaded({ availability: 'downloadable' });
    expect(progress.map(({ phase, loaded: share }) => `${phase} ${share}`)).toEqual([
      'downloading 0',
      'downloading 0',
      'downloading 0.25',
      'downloading 0.5',
      'downloading 0.75',
      'preparing 1',
    ]);
    expect(generator.window).toBe(400);
  });

  test('called off, it rejects with the reason', async () => {
    const controller = new AbortController();
    const cancelled = loaded({ availability: 'downloadable', download: { steps: 1000, delay: 1 } }, controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
  });
});

describe('the window', () => {
  const long = 'word '.repeat(300);

  test('a message, or a path, that does not fit is refused before the browser drops anything', async () => {
    const { generator } = await loaded();
    expect((await answered(generator, question({ messages: [SYSTEM, user(long.repeat(2))] }))).error).toMatchObject({
      kind: 'too-long',
    });
    await answered(generator, question({ messages: [SYSTEM, user('one')] }));
    const path = [SYSTEM, user(long), assistant(long), user('two')];
    expect((await answered(generator, question({ messages: path }))).error).toMatchObject({
      kind: 'too-long',
      message: expect.stringMatching(/the 400 that .* Shorten the message/),
    });
    expect(
      (await answered(generator, question({ messages: [user(long), assistant(long), user('two')] }))).error,
    ).toMatchObject({ kind: 'too-long' });
  });

  test.each([[true], [false]])(
    'texts are measured by the browser, under its names of then and now (%s)',
    async (oldNames) => {
      const { generator } = await loaded({ oldNames, window: 1234 });
      expect(generator.window).toBe(1234);
      expect(generator.estimates).toBe(false);
      expect(await generator.count(['', 'one', ...Array(40).fill('one two three')])).toEqual([
        0,
        1,
        ...Array(40).fill(3),
      ]);
    },
  );
});

describe('failures', () => {
  test.each([
    ['QuotaExceededError', 'too-long', false],
    ['NotReadableError', 'empty', false],
    ['NotSupportedError', 'unsupported', false],
    ['UnknownError', 'worker-died', true],
    ['InvalidStateError', 'worker-died', true],
    ['SomeNewError', 'unknown', false],
  ])('%s in the middle: what came stays, and it is %s', async (name, kind, gone) => {
    const { generator, lost } = await loaded();
    control().failures.push(name);
    const { text, error } = await answered(generator);
    expect(text).toBe('You');
    expect(error).toMatchObject({ kind });
    expect(lost).toEqual(gone ? [error] : []);
  });

  test('closing rejects what is under way and what waits', async () => {
    const { generator } = await loaded({ answers: [{ asked: '', text: 'word '.repeat(300) }], pieceDelay: 1 });
    const asked = [answered(generator), answered(generator)];
    await expect.poll(() => done('prompt').length).toBe(1);
    generator.close();
    expect((await Promise.all(asked)).map(({ error }) => (error as { kind: string }).kind)).toEqual([
      'closed',
      'closed',
    ]);
  });
});
