import { IntegrityError, MLCEngine } from '@mlc-ai/web-llm';
import { describe, expect, test } from 'vitest';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { explainFailure, failureFrom, isFatal } from './failures.ts';

const never = new Promise<ModelFailure>(() => undefined);

const thrownBy = async (action: () => unknown): Promise<unknown> => {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('It did not throw.');
};

describe('errors of the library itself', () => {
  const request = { messages: [{ role: 'user' as const, content: 'Hi' }] };

  test.each([
    ['a model that is not loaded', () => new MLCEngine().chatCompletion(request), 'device-lost'],
    ['a model that is not in the list', () => new MLCEngine().reload('Nobody-7B'), 'not-found'],
    [
      'a file with another hash',
      () => {
        throw new IntegrityError('http://x/y', 'a', 'b');
      },
      'corrupt',
    ],
  ])('%s', async (_, action, kind) => {
    const failure = failureFrom(await thrownBy(action), 'Qwen');
    expect(failure).toMatchObject({ kind });
    expect(failure.message).toContain('Qwen');
  });

  // Classes that the library does not export, by the names it gives them.
  test.each([
    ['ContextWindowSizeExceededError', 'too-long'],
    ['WebGPUNotAvailableError', 'no-webgpu'],
    ['ShaderF16SupportError', 'no-shader-f16'],
    ['DeviceLostError', 'device-lost'],
    ['GrammarMatcherInitError', 'unsupported'],
    // The library's own, about a parameter; JavaScript's error of the same name is about memory.
    ['RangeError', 'unknown'],
    ['toString', 'unknown'],
  ])('%s is %s', (name, kind) => {
    expect(failureFrom(Object.assign(new Error('…'), { name }), 'Qwen')).toMatchObject({ kind });
  });
});

describe('errors of the browser', () => {
  test.each([
    ['memory that is refused', new RangeError('Array buffer allocation failed'), 'out-of-memory', true],
    ['a trap in the model’s code', new WebAssembly.RuntimeError('unreachable'), 'worker-died', true],
    ['code that is no code', new WebAssembly.CompileError('…'), 'corrupt', false],
    ['code for another library', new WebAssembly.LinkError('…'), 'corrupt', false],
    ['a full disk', new DOMException('…', 'QuotaExceededError'), 'storage-full', false],
    ['a text that is no JSON', new SyntaxError('…'), 'corrupt', false],
    ['something that is no error', 'Engine.unload() is called.', 'unknown', false],
  ])('%s', (_, error, kind, fatal) => {
    const failure = failureFrom(error, 'Qwen');
    expect(failure).toMatchObject({ kind });
    expect(isFatal(failure)).toBe(fatal);
  });
});

test('a failure of ours stays as it is', () => {
  const failure = new ModelFailure('empty', 'Nothing came.');
  expect(failureFrom(failure, 'Qwen')).toBe(failure);
});

test('whatever is thrown when the GPU goes, the GPU is to blame', async () => {
  const gone = new ModelFailure('device-lost', 'Gone.');
  expect(await explainFailure(new Error('mapAsync failed'), 'Qwen', Promise.resolve(gone))).toBe(gone);
  expect(await explainFailure(new Error('mapAsync failed'), 'Qwen', never)).toMatchObject({ kind: 'unknown' });
});
