import { answerOf } from '../../../domain/reasoning.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { estimatedTokens } from '../estimated-tokens.ts';
import type { GenerationRequest, TextGenerator } from '../text-generator.ts';
import { answerText } from './answer-text.ts';
import { hostOf } from './base-url.ts';
import type { ContextWindow } from './context-window.ts';
import { chatBody, type Dialect, plainer } from './dialect.ts';
import { type Patience, Silence } from './patience.ts';
import { type Call, callServer, type ServerAccess } from './server-api.ts';
import { StatusFailure } from './status-failure.ts';
import { unrepeated } from './unrepeated.ts';

export interface ServerGeneratorParts {
  readonly access: ServerAccess;
  readonly baseUrl: string;
  readonly model: string;
  readonly window: ContextWindow;
  readonly dialect: Dialect;
  readonly patience: Patience;
}

/** A language model at an OpenAI-compatible server. It has no tokenizer here, so its counts are estimates. */
export class ServerGenerator implements TextGenerator {
  readonly name: string;
  readonly window: number;
  readonly estimates = true;
  readonly #parts: ServerGeneratorParts;
  readonly #closing = new AbortController();
  #dialect: Dialect;

  constructor(parts: ServerGeneratorParts) {
    const { model, baseUrl, window } = parts;
    const note = window.assumed ? `, window taken as ${window.tokens}` : '';
    this.name = `${model} (${hostOf(baseUrl)}${note})`;
    this.window = window.tokens;
    this.#parts = parts;
    this.#dialect = parts.dialect;
  }

  async *generate(request: GenerationRequest, signal: AbortSignal): AsyncGenerator<string> {
    const { baseUrl, patience, access } = this.#parts;
    const leaving = new AbortController();
    const silence = new Silence(hostOf(baseUrl), [signal, this.#closing.signal, leaving.signal]);
    try {
      silence.wait(patience.first);
      const { response, call, dialect } = await this.#answer(request, silence.signal);
      const text = answerText(response, call, {
        begun: request.begun,
        key: access.keyFor(baseUrl),
        heard: () => silence.wait(patience.between),
        ...(request.onUsage === undefined ? {} : { onUsage: request.onUsage }),
      });
      yield* unrepeated(text, answerOf(request.begun), dialect.continues === 'ask');
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    } finally {
      silence.end();
      leaving.abort();
    }
  }

  /** Asks in the way that worked last; where the server refuses that, in plainer ones, and keeps to what works. */
  async #answer(request: GenerationRequest, signal: AbortSignal): Promise<Answered> {
    const { access, baseUrl, model } = this.#parts;
    let refused: StatusFailure | null = null;
    for (const dialect of [this.#dialect, ...plainer(this.#dialect, request)]) {
      const call = { baseUrl, path: '/chat/completions', body: chatBody(model, request, dialect), model, signal };
      try {
        const response = await callServer(access, call);
        this.#dialect = dialect;
        return { response, call, dialect };
      } catch (error) {
        if (!(error instanceof StatusFailure && error.kind === 'unknown' && isRefusal(error.status))) throw error;
        refused ??= error;
      }
    }
    throw refused;
  }

  async count(texts: readonly string[]): Promise<number[]> {
    return texts.map(estimatedTokens);
  }

  close(): void {
    this.#closing.abort(new ModelFailure('closed', `${this.name} was closed.`));
  }
}

interface Answered {
  readonly response: Response;
  readonly call: Call;
  readonly dialect: Dialect;
}

/** Of a field that it does not know or want. */
const isRefusal = (status: number): boolean => status === 400 || status === 422;
