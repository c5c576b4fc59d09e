import { ModelFailure } from '../../engine/model-failure.ts';
import { failureOfStatus } from './http-failure.ts';
import { fileInWords } from './words.ts';

/** The line broke, or never was; another try may help. */
export class Broken extends Error {}

/** The server refused in a way that may pass. */
export class Refused extends Error {
  readonly failure: ModelFailure;
  /** Milliseconds that the server asks to wait. */
  readonly pause: number;
  constructor(failure: ModelFailure, pause: number) {
    super(failure.message);
    this.failure = failure;
    this.pause = pause;
  }
}

/** Longest wait that a server may ask for before the person is told instead; milliseconds. */
const LONGEST_PAUSE = 15_000;

/** Why an answer is not the file: a `Refused` where another try may help. */
export const refusal = ({ status, headers }: Response, url: string): ModelFailure | Refused => {
  const failure = failureOfStatus(status, url);
  const pause = 1000 * Number(headers.get('retry-after') ?? 0) || 0;
  const passes = failure.kind === 'rate-limited' || failure.kind === 'server-error';
  return passes && pause <= LONGEST_PAUSE ? new Refused(failure, pause) : failure;
};

/** What the person is told once no further try is made. */
export const givenUp = (error: Broken | Refused, url: string): ModelFailure =>
  error instanceof Refused
    ? error.failure
    : new ModelFailure(
        'download-interrupted',
        `The download of ${fileInWords(url)} broke off. What came is kept; try again to go on from there.`,
        { cause: error.cause },
      );

/** Resolves after so many milliseconds; rejects with the signal's reason. */
export const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
