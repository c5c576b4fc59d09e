import { ModelFailure } from '../../../engine/model-failure.ts';
import { estimatedTokens } from '../estimated-tokens.ts';
import type { GenerationRequest, TextGenerator } from '../text-generator.ts';
import {
  type LanguageModelFactory,
  type LanguageModelSession,
  measured,
  type PromptMessage,
  usedBy,
  windowOf,
} from './language-model.ts';
import { PrefixSessions, type Sampling } from './prefix-sessions.ts';
import { promptApiFailure, tooLong } from './prompt-api-failure.ts';
import { Queue } from './queue.ts';

export interface PromptApiParts {
  readonly factory: LanguageModelFactory;
  /** A session that has read nothing; it measures texts, and is destroyed with the generator. */
  readonly root: LanguageModelSession;
  /** null where a page may not choose how answers are drawn. */
  readonly params: { readonly defaultTopK: number; readonly maxTemperature: number } | null;
  onLost(error: Error): void;
}

/** Texts that are measured at a time. */
const MEASURED = 16;

/**
 * The browser's own model. It knows no `topP`, and no limit to an answer: that is ended here, by an estimate of its
 * tokens. Temperature is heeded where the browser lets a page set it.
 */
export class PromptApiGenerator implements TextGenerator {
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
    // It may be at its end, or broken already.
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns whether the limit ended it. */
async function* limited(answer: AsyncIterable<string>, maxTokens: number | null): AsyncGenerator<string, boolean> {
  let text = '';
  for await (const piece of answer) {
    yield piece;
    text += piece;
    if (maxTokens !== null && estimatedTokens(text) >= maxTokens) return true;
  }
  return false;
}
