import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Usage } from '../../../domain/reply.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { gate } from '../../../engine/testing/plain-models.ts';
import type { GenerationRequest, LoadOptions } from '../runtime.ts';
import type { ServedModel } from './serve-model.ts';
import { paired } from './testing/paired.ts';

const facts = { name: 'test', window: 64, estimates: false, dimensions: 2 };
const usage: Usage = { prefilled: 3, reused: 1, generated: 2 };
const never = new AbortController().signal;
const request: GenerationRequest = {
  messages: [{ role: 'user', content: 'hello' }],
  begun: '',
  temperature: null,
  topP: null,
  maxTokens: null,
  schema: null,
};
const options = (more: Partial<LoadOptions> = {}): LoadOptions => ({
  signal: never,
  onProgress: () => undefined,
  onLost: () => undefined,
  ...more,
});

const loaded = async (model: Omit<ServedModel, 'facts'>, more: Partial<LoadOptions> = {}) => {
  const pair = paired(async () => ({ facts, ...model }));
  await pair.model.load('spec', options(more));
  return pair;
};

const collect = async (pieces: AsyncIterable<string>): Promise<string> => {
  let whole = '';
  for await (const piece of pieces) whole += piece;
  return whole;
};

afterEach(() => {
  vi.useRealTimers();
});

describe('loading', () => {
  test('tells progress and then what the model is', async () => {
    const pair = paired(async (spec, { onProgress }) => {
      onProgress({ phase: 'downloading', loaded: 1, total: 2 });
      return { facts: { ...facts, name: spec } };
    });
    const seen: number[] = [];
    const got = await pair.model.load('mine', options({ onProgress: ({ loaded: bytes }) => seen.push(bytes) }));
    expect(got.name).toBe('mine');
    expect(seen).toEqual([1]);
  });

  test('that fails tells the kind and ends the worker', async () => {
    const pair = paired(async () => {
      throw new ModelFailure('no-shader-f16', 'This GPU lacks it.');
    });
    await expect(pair.model.load('spec', options())).rejects.toMatchObject({ kind: 'no-shader-f16' });
    expect(pair.state.terminated).toBe(true);
  });

  test('that is cancelled rejects at once and ends the worker, whatever it does', async () => {
    const pair = paired(() => new Promise(() => undefined));
    const controller = new AbortController();
    const loading = pair.model.load('spec', options({ signal: controller.signal }));
    controller.abort(new Error('changed my mind'));
    await expect(loading).rejects.toThrow('changed my mind');
    expect(pair.state.terminated).toBe(true);
  });
});

describe('writing', () => {
  test('streams, and tells what it used at the end', async () => {
    const heard = gate();
    const { model } = await loaded({
      generate: async ({ messages }, piece) => {
        piece('you said ');
        await heard.opened;
        piece(messages[0]?.content ?? '');
        return usage;
      },
    });
    const told: Usage[] = [];
    let text = '';
    for await (const piece of model.generate({ ...request, onUsage: (one) => told.push(one) }, never)) {
      text += piece;
      heard.open();
    }
    expect(text).toBe('you said hello');
    expect(told).toEqual([usage]);
  });

  const untilAborted: NonNullable<ServedModel['generate']> = async (_, piece, signal) => {
    piece('la ');
    await once(signal, 'abort');
    return usage;
  };

  test('ends when it is aborted, in the worker too, and tells what it used', async () => {
    const { model } = await loaded({ generate: untilAborted, count: async () => [1] });
    const controller = new AbortController();
    const told: Usage[] = [];
    let text = '';
    for await (const piece of model.generate({ ...request, onUsage: (one) => told.push(one) }, controller.signal)) {
      text += piece;
      controller.abort();
    }
    expect(text).toBe('la ');
    expect(told).toEqual([usage]);
    // The next call is answered: the previous one has released the worker.
    expect(await model.count(['x'])).toEqual([1]);
  });

  test('ends in the worker when the loop is left', async () => {
    const { model } = await loaded({ generate: untilAborted, count: async () => [1] });
    for await (const _ of model.generate(request, never)) break;
    expect(await model.count(['x'])).toEqual([1]);
  });

  test('keeps what came when it fails midway', async () => {
    const { model } = await loaded({
      generate: async (_, piece) => {
        piece('half');
        throw new ModelFailure('out-of-memory', 'No room.');
      },
    });
    let text = '';
    const reading = async () => {
      for await (const piece of model.generate(request, never)) text += piece;
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'out-of-memory' });
    expect(text).toBe('half');
  });

  test('of two, one waits for the other', async () => {
    const order: string[] = [];
    const heard = gate();
    const { model } = await loaded({
      generate: async ({ messages }, piece) => {
        const name = messages[0]?.content ?? '';
        order.push(`${name} begins`);
        piece(name);
        await heard.opened;
        order.push(`${name} ends`);
        return usage;
      },
    });
    const write = async (content: string): Promise<void> => {
      // When the first piece is heard, both have been asked.
      for await (const _ of model.generate({ ...request, messages: [{ role: 'user', content }] }, never)) heard.open();
    };
    await Promise.all([write('a'), write('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});

describe('a model that is lost', () => {
  test('fails every call, once, and says so to its owner', async () => {
    const lost: Error[] = [];
    const { model, crash, state } = await loaded(
      { generate: () => new Promise(() => undefined) },
      { onLost: (error) => lost.push(error) },
    );
    const writing = collect(model.generate(request, never));
    crash('out of memory');
    crash('again');
    await expect(writing).rejects.toMatchObject({ kind: 'worker-died' });
    await expect(model.embed(['x'])).rejects.toMatchObject({ kind: 'worker-died' });
    expect(lost).toHaveLength(1);
    expect(state.terminated).toBe(true);
  });

  test('is ended if it does not stop when it is told to', async () => {
    const lost: Error[] = [];
    const { model, state } = await loaded(
      { generate: () => new Promise(() => undefined) },
      { onLost: (error) => lost.push(error) },
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const controller = new AbortController();
    const writing = collect(model.generate(request, controller.signal));
    controller.abort();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await writing).toBe('');
    expect(state.terminated).toBe(true);
    expect(lost).toMatchObject([{ kind: 'worker-died' }]);
  });

  test('is not ended by a request that is stopped while it waits for a long one', async () => {
    const heard = gate();
    const begun: string[] = [];
    const { model, state } = await loaded({
      generate: async ({ messages }, piece) => {
        begun.push(messages[0]?.content ?? '');
        await heard.opened;
        piece('at last');
        return usage;
      },
      count: async () => [1],
    });
    const long = collect(model.generate(request, never));
    const controller = new AbortController();
    const queued = { ...request, messages: [{ role: 'user' as const, content: 'queued' }] };
    const stopped = collect(model.generate(queued, controller.signal));
    await expect.poll(() => begun).toEqual(['hello']);
    controller.abort();
    expect(await stopped).toBe('');
    heard.open();
    expect(await long).toBe('at last');
    expect(await model.count(['x'])).toEqual([1]);
    expect(begun).toEqual(['hello']);
    expect(state.terminated).toBe(false);
  });

  test('tells when its GPU was taken away', async () => {
    let lose: (error: Error) => void = () => undefined;
    const lost: Error[] = [];
    const pair = paired(async (_, { onLost }) => {
      lose = onLost;
      return { facts, embed: () => new Promise(() => undefined) };
    });
    await pair.model.load('spec', options({ onLost: (error) => lost.push(error) }));
    const embedding = pair.model.embed(['x']);
    lose(new ModelFailure('device-lost', 'The GPU is gone.'));
    await expect(embedding).rejects.toMatchObject({ kind: 'device-lost' });
    expect(lost).toMatchObject([{ kind: 'device-lost' }]);
  });

  test('that was put away answers nothing more', async () => {
    const { model } = await loaded({ count: async () => [1] });
    expect(await model.count(['x'])).toEqual([1]);
    model.close();
    await expect(model.count(['x'])).rejects.toMatchObject({ kind: 'closed' });
  });
});

test('what a model cannot do is said in words', async () => {
  const { model } = await loaded({});
  await expect(model.embed(['x'])).rejects.toMatchObject({ kind: 'unsupported' });
});
