import { expect, test } from 'vitest';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { isFatal, llamaFailure } from './load-llama.ts';

test.each([
  ['request (700 tokens) exceeds the available context size (512 tokens), try increasing it', 'too-long', false],
  ['(ABORT) ggml_webgpu: Device lost! Reason: destroyed', 'device-lost', true],
  ['(ABORT) Aborted(Cannot enlarge memory arrays)', 'out-of-memory', true],
  ['std::bad_alloc', 'out-of-memory', true],
  ["unknown model architecture: 'mamba9'", 'unsupported', false],
  ['(ABORT) Aborted(native code called abort())', 'worker-died', true],
  ['memory access out of bounds', 'worker-died', true],
  ['something new', 'unknown', false],
] as const)('%s → %s', (words, kind, fatal) => {
  const failure = llamaFailure(new Error(words));
  expect(failure.kind).toBe(kind);
  expect(isFatal(failure)).toBe(fatal);
});

test('the log tells what the error does not', () => {
  expect(llamaFailure(new Error('no model'), ['ggml: failed to allocate buffer of size 900']).kind).toBe(
    'out-of-memory',
  );
});

test('a crash is one whatever was logged before, and the log may tell its reason', () => {
  const crash = new Error('RuntimeError: unreachable');
  const tooLong = 'request (700 tokens) exceeds the available context size (512 tokens), try increasing it';
  expect(llamaFailure(crash, [tooLong, 'failed to parse grammar']).kind).toBe('worker-died');
  expect(llamaFailure(crash, [tooLong, 'ggml: failed to allocate buffer of size 900']).kind).toBe('out-of-memory');
});

test('what is a failure already stays as it is', () => {
  const failure = new ModelFailure('corrupt', 'Broken.');
  expect(llamaFailure(failure)).toBe(failure);
});
