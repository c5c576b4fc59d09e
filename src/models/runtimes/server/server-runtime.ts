import * as z from 'zod/mini';
import { spokenOf } from '../../../domain/reply.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { meanVector, normalised } from '../../../engine/vectors/vector-math.ts';
import { halves, languagesOf, UNCALIBRATED_THETA } from '../embedding.ts';
import type { ServerSpec } from '../model-spec.ts';
import {
  estimatedTokens,
  type GenerationRequest,
  type LoadedEmbedder,
  type Runtime,
  type TextGenerator,
} from '../runtime.ts';
import { answerText, isOpenedByTemplate, withoutRepeat, withoutThoughts } from './answer-text.ts';
import { baseUrlOf, hostOf } from './base-url.ts';
import {
  type Call,
  callServer,
  IdleTimeout,
  notJson,
  readJsonResponse,
  type ServerAccess,
  StatusFailure,
  type Timeouts,
  usualPatience,
} from './server-api.ts';
import {
  type ContextWindow,
  chatBody,
  type Dialect,
  dialectOf,
  dialectWithout,
  fallbackDialects,
  type ListedModel,
  modelList,
  reportedLimits,
  serverKind,
} from './server-kind.ts';

interface ServerRuntimeOptions extends ServerAccess {
  readonly patience?: Timeouts;
}

/**
 * Models on an OpenAI-compatible server that the user names (Ollama, LM Studio, llama.cpp, vLLM). The conversation's text
 * leaves the browser for that address and no other. Also runs in Node.
 */
export const serverRuntime = (
  options: ServerRuntimeOptions,
): Required<Pick<Runtime<ServerSpec>, 'loadGenerator' | 'loadEmbedder'>> => {
  const { patience = usualPatience } = options;
  return {
    loadGenerator: async ({ baseUrl: address, model, window: set }, { signal, onProgress }) => {
      onProgress({ phase: 'preparing', loaded: 0, total: null });
      const baseUrl = baseUrlOf(address);
      const entry = entryOf(await modelList(options, baseUrl, signal), model);
      const kind = serverKind(baseUrl, entry);
      const { window: reported, sees } = await reportedLimits(options, baseUrl, model, entry, kind);
      const window = set === undefined ? reported : { tokens: set, assumed: false };
      signal.throwIfAborted();
      const generator = new ServerGenerator({
        access: options,
        baseUrl,
        model,
        window,
        sees,
        dialect: dialectOf(kind),
        patience,
      });
      // Not every server lists all of its models; one that does not know this model fails here.
      if (entry === undefined) await tryOut(generator, signal);
      return generator;
    },
    loadEmbedder: async ({ baseUrl, model }, { signal, onProgress }) => {
      onProgress({ phase: 'preparing', loaded: 0, total: null });
      return serverEmbedder(options, { baseUrl: baseUrlOf(baseUrl), model }, patience, signal);
    },
  };
};

/** Names of the models a server lists, in its order. Rejects with a ModelFailure. */
export const modelsOfServer = async (
  access: ServerAccess,
  address: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> => (await modelList(access, baseUrlOf(address), signal)).map(({ id }) => id);

const entryOf = (models: readonly ListedModel[], model: string): ListedModel | undefined =>
  models.find(({ id }) => id === model) ?? models.find(({ id }) => id === `${model}:latest`);

const tryOut = async (generator: TextGenerator, signal: AbortSignal): Promise<void> => {
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const request = { messages, begun: '', temperature: null, topP: null, maxTokens: 1, schema: null };
  try {
    for await (const piece of generator.generate(request, signal)) if (piece !== '') break;
  } catch (error) {
    // A single token may come out empty, but the model is there.
    if (!(error instanceof ModelFailure && error.kind === 'empty')) throw error;
  }
  signal.throwIfAborted();
};

interface ServerGeneratorParts {
  readonly access: ServerAccess;
  readonly baseUrl: string;
  readonly model: string;
  readonly window: ContextWindow;
  readonly sees: boolean;
  readonly dialect: Dialect;
  readonly patience: Timeouts;
}

/** A language model on an OpenAI-compatible server. There is no tokenizer on this side, so token counts are estimates. */
class ServerGenerator implements TextGenerator {
  readonly name: string;
  readonly window: number;
  sees: boolean;
  readonly forgetsThoughts = true;
  readonly estimates = true;
  readonly #parts: ServerGeneratorParts;
  readonly #closing = new AbortController();
  #dialect: Dialect;

  constructor(parts: ServerGeneratorParts) {
    const { model, baseUrl, window } = parts;
    const note = window.assumed ? `, window assumed: ${window.tokens.toLocaleString('en')}` : '';
    this.name = `${model} (${hostOf(baseUrl)}${note})`;
    this.window = window.tokens;
    this.sees = parts.sees;
    this.#parts = parts;
    this.#dialect = parts.dialect;
  }

  async *generate(request: GenerationRequest, signal: AbortSignal): AsyncGenerator<string> {
    const { baseUrl, patience, access } = this.#parts;
    const leaving = new AbortController();
    const silence = new IdleTimeout(hostOf(baseUrl), [signal, this.#closing.signal, leaving.signal]);
    try {
      silence.wait(patience.first);
      const { response, call, dialect } =
        (await this.#roomyAnswer(request, silence.signal)) ?? (await this.#answer(request, silence.signal));
      let isCut = false;
      const text = answerText(response, call, {
        begun: request.begun,
        key: access.keyFor(baseUrl),
        heard: () => silence.wait(patience.between),
        onUsage: (usage) => {
          isCut = usage.cut === true;
          request.onUsage?.(usage);
        },
      });
      const { answer, thinking } = spokenOf(request.begun);
      const answering = request.begun.trim() !== '' && !thinking;
      const isAsked = dialect.continues === 'ask';
      // Only who is asked starts a new message, and with it to think.
      const opened = isAsked && isOpenedByTemplate(request.begun);
      yield* withoutRepeat(answering ? withoutThoughts(text, opened, () => isCut) : text, answer, isAsked);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    } finally {
      silence.end();
      leaving.abort();
    }
  }

  /** The answer with room to think again; null if none is needed or the server refuses it. */
  async #roomyAnswer(request: GenerationRequest, signal: AbortSignal): Promise<ServerAnswer | null> {
    const roomy = withRoomToThinkAgain(request);
    if (roomy === request) return null;
    try {
      // Some hosts cap the longest reply. Without the field for it they would accept it, and what the user set would hold no more.
      return await this.#sent(roomy, this.#dialect, signal);
    } catch (error) {
      if (isRefused(error) || isTooLong(error)) return null;
      throw error;
    }
  }

  /** As `#accepted`. If the server refuses the request, finds out whether that is because of its limit or its pictures. */
  async #answer(request: GenerationRequest, signal: AbortSignal): Promise<ServerAnswer> {
    try {
      return await this.#accepted(request, signal);
    } catch (error) {
      if (isTooLong(error) && request.maxTokens !== null) {
        // Some servers want room for the longest reply behind the prompt. Without a limit they give what is left, which is less.
        return this.#accepted({ ...request, maxTokens: null }, signal).catch(() => Promise.reject(error));
      }
      const { pictures, ...bare } = request;
      if (pictures === undefined || !isRefused(error) || !(await this.#accepts(bare, signal))) throw error;
      const { baseUrl, model } = this.#parts;
      // The name suggested that the model has vision; the next reply is made without pictures.
      this.sees = false;
      throw new ModelFailure(
        'unsupported',
        `${hostOf(baseUrl)} did not accept the pictures for “${model}”. Regenerate the reply to send only their names. (${error.message})`,
        { cause: error },
      );
    }
  }

  async #accepts(request: GenerationRequest, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#accepted(request, signal).catch(() => null);
    await answer?.response.body?.cancel();
    return answer !== null;
  }

  /** Sends the request in the dialect that last worked; if the server refuses it, tries plainer ones and remembers what works. */
  async #accepted(request: GenerationRequest, signal: AbortSignal): Promise<ServerAnswer> {
    let refused: StatusFailure | null = null;
    let ways = [this.#dialect, ...fallbackDialects(this.#dialect, request)];
    for (let dialect = ways.shift(); dialect !== undefined; dialect = ways.shift()) {
      try {
        return await this.#sent(request, dialect, signal);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refused ??= error;
        const named = dialectWithout(error.param, dialect, request);
        if (named !== null) ways = [named, ...fallbackDialects(named, request)];
      }
    }
    throw refused;
  }

  async #sent(request: GenerationRequest, dialect: Dialect, signal: AbortSignal): Promise<ServerAnswer> {
    const { access, baseUrl, model } = this.#parts;
    const call = { baseUrl, path: '/chat/completions', body: chatBody(model, request, dialect), model, signal };
    const response = await callServer(access, call);
    this.#dialect = dialect;
    return { response, call, dialect };
  }

  async count(texts: readonly string[]): Promise<number[]> {
    return texts.map(estimatedTokens);
  }

  close(): void {
    this.#closing.abort(new ModelFailure('closed', `${this.name} was closed.`));
  }
}

/** Thoughts are not sent back, so a model that was cut off while thinking has to think as far as that again. */
const withRoomToThinkAgain = (request: GenerationRequest): GenerationRequest =>
  request.maxTokens !== null && spokenOf(request.begun).thinking
    ? { ...request, maxTokens: request.maxTokens + estimatedTokens(request.begun) }
    : request;

interface ServerAnswer {
  readonly response: Response;
  readonly call: Call;
  readonly dialect: Dialect;
}

/** Whether the server rejected a field that it does not know or accept. */
const isRefused = (error: unknown): error is StatusFailure =>
  error instanceof StatusFailure && error.kind === 'unknown' && (error.status === 400 || error.status === 422);

/** Texts per request. */
const BATCH = 64;

/** Maximum number of times a text longer than the window is halved; the embedder rejects one that is still too long. */
const MAX_HALVINGS = 8;

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })),
});

/** An embedding model on an OpenAI-compatible server. Embeds a first text to learn the vector dimensions. */
const serverEmbedder = async (
  access: ServerAccess,
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  patience: Timeouts,
  signal: AbortSignal,
): Promise<LoadedEmbedder> => {
  const closing = new AbortController();
  const embedBatch = async (input: readonly string[], outer: readonly AbortSignal[]): Promise<Float32Array[]> => {
    const silence = new IdleTimeout(hostOf(baseUrl), [closing.signal, ...outer]);
    silence.wait(patience.first);
    const body = { model, input, encoding_format: 'float' };
    const call = { baseUrl, path: '/embeddings', body, model, signal: silence.signal };
    try {
      const parsed = Embeddings.safeParse(await readJsonResponse(await callServer(access, call), call));
      if (!parsed.success) throw notJson(baseUrl);
      const vectors = parsed.data.data
        .toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => directionOf(embedding));
      if (vectors.length !== input.length || vectors.some((vector) => vector === null)) throw unusable(baseUrl, model);
      return vectors as Float32Array[];
    } catch (error) {
      const missing = error instanceof StatusFailure && isMissing(error.status) && !isTooLong(error);
      throw missing ? unable(baseUrl, model, error) : error;
    } finally {
      silence.end();
    }
  };

  /** For a text longer than the window, the mean of its parts, weighted by length. */
  const embedAll = async (
    texts: readonly string[],
    outer: readonly AbortSignal[],
    halvings = MAX_HALVINGS,
  ): Promise<Float32Array[]> => {
    try {
      return await embedBatch(texts, outer);
    } catch (error) {
      if (!isTooLong(error) || halvings === 0) throw error;
      const vectors: Float32Array[] = [];
      if (texts.length > 1) {
        for (const text of texts) vectors.push(...(await embedAll([text], outer, halvings)));
        return vectors;
      }
      const parts = texts.flatMap(halves).filter((part) => part.trim() !== '');
      for (const part of parts) vectors.push(...(await embedAll([part], outer, halvings - 1)));
      const lengths = parts.map(({ length }) => length);
      return [normalised(meanVector(vectors, lengths))];
    }
  };

  const [first] = await embedBatch(['Which tram goes to the castle?'], [signal]);
  const dimensions = first?.length ?? 0;
  return {
    name: `${model} (${hostOf(baseUrl)})`,
    dimensions,
    theta: UNCALIBRATED_THETA,
    languages: languagesOf(model),
    embed: async (texts, outer) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        vectors.push(...(await embedAll(texts.slice(at, at + BATCH), outer === undefined ? [] : [outer])));
      }
      if (vectors.some(({ length }) => length !== dimensions)) throw unusable(baseUrl, model);
      return vectors;
    },
    close: () => closing.abort(new ModelFailure('closed', `${model} was closed.`)),
  };
};

/** Returns null for a vector without a direction. */
const directionOf = (vector: readonly number[]): Float32Array | null => {
  const norm = Math.hypot(...vector);
  return Number.isFinite(norm) && norm > 0 ? Float32Array.from(vector, (value) => value / norm) : null;
};

const isTooLong = (error: unknown): boolean => error instanceof StatusFailure && error.kind === 'too-long';

const isMissing = (status: number): boolean => status === 400 || status === 405 || status === 501;

const unable = (baseUrl: string, model: string, cause: StatusFailure): ModelFailure =>
  new ModelFailure(
    'unsupported',
    `${hostOf(baseUrl)} gives no embeddings of “${model}”. Choose an embedding model. (${cause.message})`,
    {
      cause,
    },
  );

const unusable = (baseUrl: string, model: string): ModelFailure =>
  new ModelFailure(
    'nonsense',
    `The embeddings of “${model}” at ${hostOf(baseUrl)} cannot be used: some are missing, empty or of another length. Choose another embedder.`,
  );
