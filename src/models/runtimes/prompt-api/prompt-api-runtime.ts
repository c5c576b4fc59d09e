import type { ChatMessage } from '../../../domain/context.ts';
import { errorMessage, ModelFailure } from '../../../engine/model-failure.ts';
import { Queue } from '../../../engine/tasks.ts';
import type { PromptApiSpec } from '../model-spec.ts';
import {
  estimatedTokens,
  type GenerationRequest,
  type LoadOptions,
  type Runtime,
  type TextGenerator,
} from '../runtime.ts';

/*
 * The browser Prompt API (https://webmachinelearning.github.io/prompt-api/), as far as it is used here. Two sets of names
 * exist: `inputQuota`, `inputUsage` and `measureInputUsage` became `contextWindow`, `contextUsage` and `measureContextUsage`.
 */

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

interface LanguageModelFactory {
  availability(): Promise<Availability>;
  create(options?: CreateOptions): Promise<LanguageModelSession>;
  /** Missing or null if a page may not set sampling parameters. */
  params?(): Promise<{ readonly defaultTopK: number; readonly maxTemperature: number } | null>;
}

interface CreateOptions {
  readonly initialPrompts?: readonly PromptMessage[];
  readonly temperature?: number;
  readonly topK?: number;
  readonly signal?: AbortSignal;
  monitor?(target: EventTarget): void;
}

interface PromptMessage extends ChatMessage {
  /** The answer starts with this message. */
  readonly prefix?: true;
}

interface PromptOptions {
  readonly signal?: AbortSignal;
  /** A JSON schema. */
  readonly responseConstraint?: object;
  /** The prompt already describes the format. */
  readonly omitResponseConstraintInput?: boolean;
}

type Measure = (input: string | readonly PromptMessage[], options?: { signal?: AbortSignal }) => Promise<number>;

interface LanguageModelSession {
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

/** The browser's own factory; undefined if it has none. */
const browsersLanguageModel = (): LanguageModelFactory | undefined =>
  (globalThis as { LanguageModel?: LanguageModelFactory }).LanguageModel;

/** Tokens, for a browser that does not report its window: the smallest window that one has shipped with. */
const SMALLEST_WINDOW = 4096;

const windowOf = ({ contextWindow, inputQuota }: LanguageModelSession): number => {
  const reported = contextWindow ?? inputQuota ?? 0;
  return Number.isFinite(reported) && reported > 0 ? reported : SMALLEST_WINDOW;
};

/** Tokens of its window that a session has used. */
const usedBy = ({ contextUsage, inputUsage }: LanguageModelSession): number => contextUsage ?? inputUsage ?? 0;

/** Tokens that an input would use; null if the browser cannot measure it. */
const measured = async (
  session: LanguageModelSession,
  input: string | readonly PromptMessage[],
): Promise<number | null> => {
  if (session.measureContextUsage !== undefined) return session.measureContextUsage(input);
  return session.measureInputUsage === undefined ? null : session.measureInputUsage(input);
};

const missing = (): ModelFailure =>
  new ModelFailure(
    'unsupported',
    'This browser has no model of its own. Desktop Chrome and Edge have one. Otherwise choose another model.',
  );

const unavailable = (): ModelFailure =>
  new ModelFailure(
    'unsupported',
    'The browser’s own model does not run on this machine: it may lack memory, disk space or a GPU. Choose another model.',
  );

const SHORTER = 'Shorten the message, limit the context in Engine, or choose another model.';

const tooLong = (tokens: number, window: number): ModelFailure =>
  new ModelFailure(
    'too-long',
    `What is to be sent (about ${tokens} tokens) is longer than the ${window} that the browser’s own model reads. ${SHORTER}`,
  );

/** Maps errors of the browser's model to a ModelFailure, by the names in the standard. */
const promptApiFailure = (error: unknown): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  const name = error instanceof Error ? error.name : '';
  const message = errorMessage(error);
  const failure = (kind: ModelFailure['kind'], words: string) => new ModelFailure(kind, words, { cause: error });
  switch (name) {
    case 'QuotaExceededError':
      return failure('too-long', `The conversation is longer than the browser’s own model reads. ${SHORTER}`);
    case 'NotAllowedError':
      // Shown with a `retry` button, whose click is what the browser waits for.
      return failure(
        'download-interrupted',
        'The browser only starts downloading its model right after a click. Try again.',
      );
    case 'NetworkError':
      return failure(
        'download-interrupted',
        'The browser could not download its model. Check your connection and try again.',
      );
    case 'NotSupportedError':
      return failure('unsupported', `The browser’s own model cannot do this: ${message}`);
    case 'NotReadableError':
      return failure('empty', 'The browser blocked its model’s answer. Rephrase the message, or choose another model.');
    case 'InvalidStateError':
    case 'OperationError':
    case 'UnknownError':
      return failure('worker-died', `The browser’s own model crashed. Try again. (${message})`);
    default:
      return failure('unknown', `The browser’s own model failed: ${message}`);
  }
};

/**
 * The browser's own model (Prompt API). The browser downloads it, stores it and shares it between sites, so there is nothing to
 * list or remove here. A cancelled download continues in the browser.
 */
export const promptApiRuntime = (
  languageModel: () => LanguageModelFactory | undefined = browsersLanguageModel,
): Required<Pick<Runtime<PromptApiSpec>, 'loadGenerator'>> => ({
  loadGenerator: async (_, options) => {
    const factory = languageModel();
    if (factory === undefined) throw missing();
    try {
      const availability = await factory.availability();
      if (availability === 'unavailable') throw unavailable();
      const root = await opened(factory, availability, options);
      const params = (await factory.params?.().catch(() => null)) ?? null;
      return new PromptApiGenerator({ factory, root, params, onLost: options.onLost });
    } catch (error) {
      options.signal.throwIfAborted();
      throw promptApiFailure(error);
    }
  },
});

const opened = async (
  factory: LanguageModelFactory,
  availability: Availability,
  { signal, onProgress }: LoadOptions,
): Promise<LanguageModelSession> => {
  onProgress({ phase: availability === 'available' ? 'preparing' : 'downloading', loaded: 0, total: null });
  const session = await factory.create({
    signal,
    monitor: (target) => {
      target.addEventListener('downloadprogress', (event) => {
        const { loaded, total = 1 } = event as Event & { loaded: number; total?: number };
        onProgress({ phase: loaded < total ? 'downloading' : 'preparing', loaded, total });
      });
    },
  });
  if (signal.aborted) session.destroy();
  signal.throwIfAborted();
  return session;
};

interface PromptApiParts {
  readonly factory: LanguageModelFactory;
  /** A session with an empty context, used to measure texts; destroyed with the generator. */
  readonly root: LanguageModelSession;
  /** null if a page may not set sampling parameters. */
  readonly params: { readonly defaultTopK: number; readonly maxTemperature: number } | null;
  onLost(error: Error): void;
}

/** Number of texts measured at a time. */
const MEASURED = 16;

/**
 * The browser's own model. It supports neither `topP` nor an answer limit; the limit is enforced here, with estimated tokens.
 * Temperature is applied where the browser lets a page set it.
 */
class PromptApiGenerator implements TextGenerator {
  readonly name = 'Browser’s own model';
  readonly window: number;
  readonly estimates: boolean;
  readonly #parts: PromptApiParts;
  readonly #sessions: PrefixSessions;
  readonly #queue = new Queue();
  readonly #closing = new AbortController();

  constructor(parts: PromptApiParts) {
    this.#parts = parts;
    this.#sessions = new PrefixSessions(parts.factory);
    this.window = windowOf(parts.root);
    this.estimates = parts.root.measureContextUsage === undefined && parts.root.measureInputUsage === undefined;
  }

  async *generate(request: GenerationRequest, outer: AbortSignal): AsyncGenerator<string> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([outer, this.#closing.signal, leaving.signal]);
    let leave: () => void = () => undefined;
    let session: LanguageModelSession | null = null;
    try {
      leave = await this.#queue.enter(signal);
      const prefix = request.messages.slice(0, -1);
      const { session: kept, reused } = await this.#sessions.at(prefix, this.#sampling(request), signal);
      session = await kept.clone({ signal });
      const input = inputOf(request);
      const before = usedBy(session) + ((await measured(session, input)) ?? 0);
      if (before >= this.window) throw tooLong(before, this.window);
      const stream = session.promptStreaming(input, {
        signal,
        ...(request.schema === null ? {} : { responseConstraint: request.schema, omitResponseConstraintInput: true }),
      });
      const cut = yield* limited(pieces(stream), request.maxTokens);
      signal.throwIfAborted();
      const generated = Math.max(0, usedBy(session) - before);
      request.onUsage?.({ prefilled: before - reused, reused, generated, ...(cut && { cut }) });
    } catch (error) {
      if (outer.aborted) return;
      this.#closing.signal.throwIfAborted();
      throw this.#failed(error);
    } finally {
      leaving.abort();
      session?.destroy();
      leave();
    }
  }

  async count(texts: readonly string[]): Promise<number[]> {
    const counts: number[] = [];
    for (let at = 0; at < texts.length; at += MEASURED) {
      const some = texts.slice(at, at + MEASURED);
      counts.push(...(await Promise.all(some.map((text) => this.#cost(text)))));
    }
    return counts;
  }

  close(): void {
    this.#closing.abort(new ModelFailure('closed', 'The browser’s own model was closed.'));
    this.#sessions.clear();
    this.#parts.root.destroy();
  }

  async #cost(text: string): Promise<number> {
    try {
      return (await measured(this.#parts.root, text)) ?? estimatedTokens(text);
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      throw this.#failed(error);
    }
  }

  #sampling({ temperature }: GenerationRequest): Sampling {
    const { params } = this.#parts;
    if (temperature === null || params === null) return {};
    return { temperature: Math.min(temperature, params.maxTemperature), topK: params.defaultTopK };
  }

  #failed(error: unknown): ModelFailure {
    const failure = promptApiFailure(error);
    if (failure.kind === 'worker-died') {
      this.#sessions.clear();
      this.#parts.onLost(failure);
    }
    return failure;
  }
}

const inputOf = ({ messages, begun }: GenerationRequest): PromptMessage[] => [
  ...messages.slice(-1),
  ...(begun === '' ? [] : [{ role: 'assistant' as const, content: begun, prefix: true as const }]),
];

async function* pieces(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // It may already have ended or failed.
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns whether the limit was reached. */
async function* limited(answer: AsyncIterable<string>, maxTokens: number | null): AsyncGenerator<string, boolean> {
  let text = '';
  for await (const piece of answer) {
    yield piece;
    text += piece;
    if (maxTokens !== null && estimatedTokens(text) >= maxTokens) return true;
  }
  return false;
}

/** Maximum number of kept sessions, each of which takes memory: one for each kind of prompt, and the last two places in the chat. */
const MOST = 6;

type Sampling = Pick<CreateOptions, 'temperature' | 'topK'>;

interface CachedSession {
  readonly messages: readonly string[];
  readonly sampling: string;
  readonly session: LanguageModelSession;
}

/**
 * Sessions that have read only the beginning of a conversation, most recently used first. They are never prompted themselves: a
 * prompt goes to a clone, so that the branch's next message, another reply and a fork all reuse what was read before.
 */
class PrefixSessions {
  readonly #factory: LanguageModelFactory;
  #kept: readonly CachedSession[] = [];

  constructor(factory: LanguageModelFactory) {
    this.#factory = factory;
  }

  /** Returns a session that has read these messages, and how many of its tokens were reused. Not for concurrent calls. */
  async at(
    prefix: readonly ChatMessage[],
    sampling: Sampling,
    signal: AbortSignal,
  ): Promise<{ session: LanguageModelSession; reused: number }> {
    const messages = prefix.map((message) => JSON.stringify([message.role, message.content]));
    const drawn = JSON.stringify(sampling);
    const known = this.#kept
      .filter((kept) => kept.sampling === drawn && kept.messages.every((message, i) => message === messages[i]))
      .toSorted((a, b) => b.messages.length - a.messages.length)[0];
    if (known?.messages.length === messages.length) {
      this.#keep(known);
      return { session: known.session, reused: usedBy(known.session) };
    }
    // A session created without a system prompt cannot be given one later.
    if (known === undefined || known.messages.length === 0) {
      const session = await this.#factory.create({ initialPrompts: prefix, ...sampling, signal });
      this.#keep({ messages, sampling: drawn, session });
      return { session, reused: 0 };
    }
    const rest = prefix.slice(known.messages.length);
    const reused = usedBy(known.session);
    const needed = reused + ((await measured(known.session, rest)) ?? 0);
    // The browser would silently drop the oldest messages.
    if (needed > windowOf(known.session)) throw tooLong(needed, windowOf(known.session));
    const session = await known.session.clone({ signal });
    try {
      await session.append(rest, { signal });
    } catch (error) {
      session.destroy();
      throw error;
    }
    this.#keep(known);
    this.#keep({ messages, sampling: drawn, session });
    return { session, reused };
  }

  #keep(used: CachedSession): void {
    const order = [used, ...this.#kept.filter((kept) => kept !== used)];
    for (const { session } of order.slice(MOST)) session.destroy();
    this.#kept = order.slice(0, MOST);
  }

  clear(): void {
    for (const { session } of this.#kept) session.destroy();
    this.#kept = [];
  }
}
