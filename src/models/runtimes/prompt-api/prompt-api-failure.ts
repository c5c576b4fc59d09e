import { ModelFailure } from '../../../engine/model-failure.ts';

export const missing = (): ModelFailure =>
  new ModelFailure(
    'unsupported',
    'This browser has no model of its own. Desktop Chrome and Edge have; else choose another model.',
  );

export const unavailable = (): ModelFailure =>
  new ModelFailure(
    'unsupported',
    'The browser’s own model does not run on this machine: it may lack memory, disk space or a GPU. Choose another model.',
  );

export const tooLong = (tokens: number, window: number): ModelFailure =>
  new ModelFailure(
    'too-long',
    `What is to be sent (about ${tokens} tokens) is longer than the ${window} that the browser’s own model reads.`,
  );

/** What the browser's model rejects with, by the names that the standard gives. */
export const promptApiFailure = (error: unknown): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  const failure = (kind: ModelFailure['kind'], words: string) => new ModelFailure(kind, words, { cause: error });
  switch (name) {
    case 'QuotaExceededError':
      return failure('too-long', 'The conversation is longer than the browser’s own model reads.');
    case 'NotAllowedError':
      // With `retry` beside it, whose click is what the browser waits for.
      return failure(
        'download-interrupted',
        'The browser starts its model’s download only right after a click. Try again.',
      );
    case 'NetworkError':
      return failure(
        'download-interrupted',
        'The browser could not download its model. Check the network, then try again.',
      );
    case 'NotSupportedError':
      return failure('unsupported', `The browser’s own model cannot do this: ${message}`);
    case 'NotReadableError':
      return failure(
        'empty',
        'The browser held its model’s answer back. Put the message in other words, or choose another model.',
      );
    case 'InvalidStateError':
    case 'OperationError':
    case 'UnknownError':
      return failure('worker-died', `The browser’s own model broke down. Try again. (${message})`);
    default:
      return failure('unknown', `The browser’s own model failed: ${message}`);
  }
};
