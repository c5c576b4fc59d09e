import type { ChatMessage } from '../../../domain/context.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';

/*
 * The Prompt API of browsers (https://webmachinelearning.github.io/prompt-api/), as far as it is used here. Two sets of names are about:
 * `inputQuota`, `inputUsage` and `measureInputUsage` became `contextWindow`, `contextUsage` and `measureContextUsage`.
 */

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface LanguageModelFactory {
  availability(): Promise<Availability>;
  create(options?: CreateOptions): Promise<LanguageModelSession>;
  /** Missing, or null, where a page may not choose how answers are drawn. */
  params?(): Promise<{ readonly defaultTopK: number; readonly maxTemperature: number } | null>;
}

export interface CreateOptions {
  readonly initialPrompts?: readonly PromptMessage[];
  readonly temperature?: number;
  readonly topK?: number;
  readonly signal?: AbortSignal;
  monitor?(target: EventTarget): void;
}

export interface PromptMessage extends ChatMessage {
  /** The answer begins with this. */
  readonly prefix?: true;
}

interface PromptOptions {
  readonly signal?: AbortSignal;
  /** A JSON schema. */
  readonly responseConstraint?: object;
  /** The prompt describes the form already. */
  readonly omitResponseConstraintInput?: boolean;
}

type Measure = (input: string | readonly PromptMessage[], options?: { signal?: AbortSignal }) => Promise<number>;

export interface LanguageModelSession {
  promptStreaming(input: readonly PromptMessage[], options?: PromptOptions): ReadableStream<string>;
  append(input: readonly PromptMessage[], options?: { signal?: AbortSignal }): Promise<void>;
  clone(options?: { signal?: AbortSignal }): Promise<LanguageModelSession>;
  destroy(): void;
  readonly contextWindow?: number;
  readonly contextUsage?: number;
  measureContextUsage?: Measure;
  readonly inputQuota?: number;
  readonly inputUsage?: number;
  measureInputUsage?: Measure;
}

/** The browser's own; undefined where it has none. */
export const browsersLanguageModel = (): LanguageModelFactory | undefined =>
  (globalThis as { LanguageModel?: LanguageModelFactory }).LanguageModel;

/** Tokens where a browser does not tell: the least that one has shipped with. */
const SMALLEST_WINDOW = 4096;

export const windowOf = ({ contextWindow, inputQuota }: LanguageModelSession): number => {
  const told = contextWindow ?? inputQuota ?? 0;
  return Number.isFinite(told) && told > 0 ? told : SMALLEST_WINDOW;
};

/** Tokens of the window that a session has used. */
export const usedBy = ({ contextUsage, inputUsage }: LanguageModelSession): number => contextUsage ?? inputUsage ?? 0;

/** Tokens that an input would use; null where the browser does not tell. */
export const measured = async (
  session: LanguageModelSession,
  input: string | readonly PromptMessage[],
): Promise<number | null> => {
  if (session.measureContextUsage !== undefined) return session.measureContextUsage(input);
  return session.measureInputUsage === undefined ? null : session.measureInputUsage(input);
};

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
