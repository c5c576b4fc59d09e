import { expect, test } from 'vitest';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { isFatal, onnxFailure } from './load-repo.ts';

test.each([
  [new Error("Can't create a session. ERROR_CODE: 7, ERROR_MESSAGE: Protobuf parsing failed."), 'corrupt'],
  [new SyntaxError('Unexpected token < in JSON at position 0'), 'corrupt'],
  [new Error('std::bad_alloc'), 'out-of-memory'],
  [new RangeError('Array buffer allocation failed'), 'out-of-memory'],
  [new Error('Unsupported model type: foo'), 'unsupported'],
  [new Error('no available backend found. ERR: [wasm] TypeError'), 'unsupported'],
  [new Error('[WebGPU] Device is lost'), 'device-lost'],
  [new Error('memory access out of bounds'), 'worker-died'],
  [123_456, 'unknown'],
] as const)('%s → %s', (error, kind) => {
  expect(onnxFailure(error).kind).toBe(kind);
});

test('a text that is too long spoils nothing', () => {
  expect(isFatal(new ModelFailure('too-long', 'Shorten it.'))).toBe(false);
  expect(isFatal(onnxFailure(new Error('anything')))).toBe(true);
});
