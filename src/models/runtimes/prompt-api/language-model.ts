import type { ChatMessage } from '../../../domain/context.ts';

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

export interface PromptOptions {
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
