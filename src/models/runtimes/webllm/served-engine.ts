import type {
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionRequestStreaming,
  Completion,
  CompletionCreateParamsStreaming,
  CompletionUsage,
  MLCEngine,
} from '@mlc-ai/web-llm';
import type { ChatMessage } from '../../../domain/context.ts';
import type { Usage } from '../../../domain/reply.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { estimatedTokens, withPictures } from '../runtime.ts';
import type { SentGeneration } from '../worker/protocol.ts';
import type { ServedModel } from '../worker/serve-model.ts';
import { explainFailure, isFatal } from './failures.ts';
import type { Template } from './webllm-cache.ts';

export interface LoadedModel {
  readonly name: string;
  readonly window: number;
  readonly template: Template;
  /** It comes with its own package (`model_manifest`). */
  readonly packaged: boolean;
  /** null if counts are estimates. */
  readonly tokenizer: Tokenizer | null;
  /** It thinks before answering unless told not to. */
  readonly thinks: boolean;
  /** Whether it accepts pictures; omitted if not. */
  readonly sees?: boolean;
}

/** Token limit for a constrained answer without its own: a model can emit white space forever. */
const MOST_CONSTRAINED = 1024;
/** Maximum number of chunks after an interrupt before giving up on the library to end the stream. */
const MOST_LATE = 8;

/** A chunk of either of the library's two streams. */
interface StreamChunk {
  readonly text: string;
  readonly reason: CompletionEnd['reason'] | undefined;
  readonly usage: CompletionUsage | undefined;
}

/**
 * Wraps the library's engine for our worker. `lost` resolves when the GPU is lost; `onLost` is called if the engine becomes
 * unusable for another reason.
 */
export const servedEngine = (
  engine: WebLlmEngine,
  model: LoadedModel,
  lost: Promise<ModelFailure>,
  onLost: (error: Error) => void,
): ServedModel => {
  const cache = new CachedConversation((message) => escapedForTemplate(message, model.template, model.packaged));

  const read = async (pieces: AsyncIterable<StreamChunk>, piece: (text: string) => void, signal: AbortSignal) => {
    const end: { text: string; reason: CompletionEnd['reason']; usage: CompletionUsage | null } = {
      text: '',
      reason: null,
      usage: null,
    };
    const interrupt = (): void => void engine.interruptGenerate();
    signal.addEventListener('abort', interrupt);
    let late = 0;
    try {
      for await (const { text, reason, usage } of pieces) {
        end.reason = reason ?? end.reason;
        end.usage = usage ?? end.usage;
        if (signal.aborted) {
          // The library drops an interrupt that arrives before it starts, so it is repeated; if it is still ignored, the loop ends here.
          interrupt();
          late += 1;
          if (late > MOST_LATE) break;
        } else if (text !== '') {
          end.text += text;
          piece(text);
        }
      }
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
    return end;
  };

  const usageOf = (
    { usage, reason }: { usage: CompletionUsage | null; reason: CompletionEnd['reason'] },
    reused: number,
    text: string,
  ): Usage => ({
    prefilled: usage?.prompt_tokens ?? null,
    reused: usage === null ? null : reused,
    generated: usage?.completion_tokens ?? (text === '' ? 0 : (count(text) ?? null)),
    ...(reason === 'length' && { cut: true }),
  });

  const count = (text: string): number =>
    model.tokenizer ? model.tokenizer.encode(text).length : estimatedTokens(text);

  const reply = async (request: SentGeneration, piece: (text: string) => void, signal: AbortSignal): Promise<Usage> => {
    const silent = model.thinks && !wantsThoughts(request);
    const pictured = request.pictures !== undefined;
    if (pictured) cache.forget();
    const sent = cache.prepare(request.messages);
    // From here on the cache is no longer what it was; only a clean end restores it.
    cache.forget();
    const stream = await engine.chatCompletion({
      messages: sent.messages.map((message) => sentAs(message, request.pictures)),
      stream: true,
      stream_options: { include_usage: true },
      temperature: request.temperature,
      top_p: topP(request),
      max_tokens: request.maxTokens ?? (request.schema === null ? null : MOST_CONSTRAINED),
      ...(request.schema === null
        ? {}
        : { response_format: { type: 'json_object' as const, schema: JSON.stringify(request.schema) } }),
      ...(silent ? { extra_body: { enable_thinking: false } } : {}),
    });
    const strip = new PrefixStripper(silent ? NO_THOUGHTS : '', piece);
    const { text, reason, usage } = await read(chatPieces(stream), (one) => strip.take(one), signal);
    strip.end();
    // Pictures are not distinguished here, so after them the cache is rebuilt.
    if (!signal.aborted && usage !== null && !pictured) {
      const end = { reason, promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
      cache.ended(request.messages, sent, { shown: strip.shown, kept: text }, end);
    }
    return usageOf({ usage, reason }, sent.reused, strip.shown);
  };

  /** Continues an interrupted reply as a raw completion. The library's cache starts over for it. */
  const goOn = async (request: SentGeneration, piece: (text: string) => void, signal: AbortSignal): Promise<Usage> => {
    // A raw completion is given text only, so the rest would be made up.
    if (request.pictures !== undefined) throw unseeing(model.name);
    cache.forget();
    const { template, tokenizer } = model;
    const prefix = (template.system_prefix_token_ids ?? []).map((id) => tokenizer?.idToToken(id) ?? '').join('');
    const thinks = !model.thinks || wantsThoughts(request);
    const stream = await engine.completion({
      prompt: continuationPrompt(template, request.messages, request.begun, { thinks, prefix }),
      stream: true,
      stream_options: { include_usage: true },
      temperature: request.temperature,
      top_p: topP(request),
      max_tokens: request.maxTokens,
    });
    const end = await read(textPieces(stream), piece, signal);
    return usageOf(end, 0, end.text);
  };

  return {
    facts: {
      name: model.name,
      window: model.window,
      sees: model.sees === true,
      estimates: model.tokenizer === null,
      dimensions: null,
    },
    generate: async (request, piece, signal) => {
      try {
        return await (request.begun === '' ? reply : goOn)(request, piece, signal);
      } catch (error) {
        cache.forget();
        const failure = await explainFailure(error, model.name, lost);
        if (isFatal(failure)) onLost(failure);
        throw failure;
      }
    },
    count: async (texts) => texts.map(count),
  };
};

const unseeing = (name: string): ModelFailure =>
  new ModelFailure(
    'unsupported',
    `${name} cannot continue a reply about pictures, because it would not see them. Try again to get a new reply.`,
  );

/** A message in the library's API format. Only user messages have pictures. */
const sentAs = (message: ChatMessage, urls: SentGeneration['pictures']): ChatCompletionMessageParam =>
  message.role === 'user'
    ? { role: 'user', content: withPictures(message, urls) as string | ChatCompletionContentPart[] }
    : { role: message.role, content: message.content };

/** Structured output leaves no room for reasoning; in free text, Qwen3 obeys `/no_think` at the end of its instructions. */
const wantsThoughts = ({ schema, thinking, messages }: SentGeneration): boolean =>
  schema === null &&
  thinking !== false &&
  !messages.some(({ role, content }) => role === 'system' && content.trimEnd().endsWith('/no_think'));

/** The library does not accept 0. */
const topP = ({ topP: wanted }: SentGeneration): number | null => (wanted === null ? null : Math.max(wanted, 0.001));

async function* chatPieces(stream: Awaited<ReturnType<WebLlmEngine['chatCompletion']>>): AsyncGenerator<StreamChunk> {
  for await (const { choices, usage } of stream) {
    yield { text: choices[0]?.delta.content ?? '', reason: choices[0]?.finish_reason ?? undefined, usage };
  }
}

async function* textPieces(stream: Awaited<ReturnType<WebLlmEngine['completion']>>): AsyncGenerator<StreamChunk> {
  for await (const { choices, usage } of stream) {
    yield { text: choices[0]?.text ?? '', reason: choices[0]?.finish_reason ?? undefined, usage };
  }
}

/** The parts of the library's engine in use. The test double implements it and misbehaves (testing/). */
export interface WebLlmEngine extends Pick<MLCEngine, 'reload' | 'interruptGenerate'> {
  chatCompletion(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>>;
  completion(request: CompletionCreateParamsStreaming): Promise<AsyncIterable<Completion>>;
}

/** The model's own tokenizer, inside the engine. */
export interface Tokenizer {
  encode(text: string): ArrayLike<number>;
  idToToken(id: number): string;
}

/**
 * The tokenizer of a loaded model; null if it cannot be accessed. The library does not expose it, so this reads private state
 * and checks everything, since another version may have changed it.
 */
export const tokenizerOf = (engine: WebLlmEngine, modelId: string): Tokenizer | null => {
  const pipelines: unknown = Reflect.get(engine, 'loadedModelIdToPipeline');
  const pipeline: unknown = pipelines instanceof Map ? pipelines.get(modelId) : null;
  const found = isObject(pipeline) ? Reflect.get(pipeline, 'tokenizer') : null;
  return isTokenizer(found) ? found : null;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isTokenizer = (value: unknown): value is Tokenizer =>
  isObject(value) &&
  typeof Reflect.get(value, 'encode') === 'function' &&
  typeof Reflect.get(value, 'idToToken') === 'function' &&
  (value as Tokenizer).encode('two words').length > 0;

/**
 * Escapes a message so that the model reads it as written. The library inserts text into a model's template with
 * `String.replace`, where `$$`, `$&` and others are special patterns: two dollars would become one. For a model with a package
 * (`model_manifest`), only the instructions are inserted that way.
 */
export const escapedForTemplate = (
  message: ChatMessage,
  { role_templates }: Template,
  packaged: boolean,
): ChatMessage => {
  const { role, content } = message;
  const replaced = role === 'system' || (!packaged && role_templates?.[role]?.includes(`{${role}_message}`));
  return replaced && content.includes('$') ? { role, content: content.replaceAll('$', '$$$$') } : message;
};

/** Strips a prefix that the library puts before a reply; passes everything on if it is missing. */
class PrefixStripper {
  shown = '';
  #held = '';
  #prefix: string;
  readonly #piece: (text: string) => void;

  constructor(prefix: string, piece: (text: string) => void) {
    this.#prefix = prefix;
    this.#piece = piece;
  }

  take(text: string): void {
    if (this.#prefix === '') return this.#hand(text);
    this.#held += text;
    if (this.#held.length < this.#prefix.length && this.#prefix.startsWith(this.#held)) return;
    const rest = this.#held.startsWith(this.#prefix) ? this.#held.slice(this.#prefix.length) : this.#held;
    this.#prefix = '';
    this.#held = '';
    this.#hand(rest);
  }

  /** Emits held text that only looked like the start of the prefix. */
  end(): void {
    if (this.#prefix === '' || this.#held === '') return;
    this.#prefix = '';
    this.#hand(this.#held);
  }

  #hand(text: string): void {
    if (text === '') return;
    this.shown += text;
    this.#piece(text);
  }
}

/**
 * A conversation as the model reads it, up to and including the beginning of an interrupted reply. The library's chat API must
 * end with a question, but it completes any text; so this builds the prompt its chat would (its Conversation.getPromptArray),
 * from the model's own template.
 */
export const continuationPrompt = (
  template: Template,
  messages: readonly ChatMessage[],
  begun: string,
  { thinks, prefix }: { thinks: boolean; prefix: string },
): string => {
  const given = messages[0]?.role === 'system' ? messages[0].content : null;
  const said = messages.filter(({ role }) => role !== 'system');
  const system = systemText(template, given);
  const separator = template.role_content_sep ?? ': ';
  const turns = said.map(({ role, content }, i) => {
    const bare = template.add_role_after_system_message === false && system !== '' && i === 0;
    const name = role === 'user' ? template.roles.user : template.roles.assistant;
    const text = template.role_templates?.[role]?.replace(`{${role}_message}`, () => content) ?? content;
    return `${bare ? '' : name + separator}${text.replace('{function_string}', '')}${template.seps[i % template.seps.length]}`;
  });
  const header = thinks
    ? `${template.roles.assistant}${template.role_empty_sep ?? ': '}`
    : `${template.roles.assistant}${separator}${NO_THOUGHTS}`;
  return `${prefix}${system}${turns.join('')}${header}${begun}`;
};

const systemText = (template: Template, given: string | null): string => {
  const message = given ?? template.system_message;
  if (message === '' && template.render_empty_system_message === false) return '';
  return template.system_template.replace('{system_message}', () => message);
};

/** What Qwen3's template emits instead of reasoning when thinking is off; the library counts it as part of the reply. */
export const NO_THOUGHTS = '<think>\n\n</think>\n\n';

/** How a reply ended and what it cost, as reported by the library. */
export interface CompletionEnd {
  readonly reason: 'stop' | 'length' | 'abort' | 'tool_calls' | null;
  readonly promptTokens: number;
  /** Includes the stop token. */
  readonly completionTokens: number;
}

/**
 * Tracks what the engine's cache holds, by the library's rules (its preparePrefillInput): it is reused only if the messages
 * before the last one match the last request and its reply word for word, and that reply ended normally. Otherwise everything
 * is prefilled again.
 *
 * A thinking model's reasoning is stripped from what is sent back, so its replies never match and everything is prefilled each
 * time. Where it did not think, the empty marks that the library put before its reply are restored, so that it matches.
 */
export class CachedConversation {
  /** As the caller has it, and as the library has it; null while the cache cannot be reused. */
  #held: {
    readonly shown: readonly ChatMessage[];
    readonly kept: readonly ChatMessage[];
    readonly tokens: number;
  } | null = null;

  readonly #given: (message: ChatMessage) => ChatMessage;

  /** `given`: converts a message to what the library must receive (`escapedForTemplate`). */
  constructor(given: (message: ChatMessage) => ChatMessage) {
    this.#given = given;
  }

  /** What to send instead of `messages`, and how many of its tokens the cache holds. */
  prepare(messages: readonly ChatMessage[]): { messages: readonly ChatMessage[]; reused: number } {
    const before = messages.slice(0, -1);
    const last = messages.at(-1);
    if (this.#held === null || last === undefined || !areSame(this.#held.shown, before)) {
      return { messages: messages.map(this.#given), reused: 0 };
    }
    return { messages: [...this.#held.kept, this.#given(last)], reused: this.#held.tokens };
  }

  /** Called after a reply: `sent` is the result of `prepare`, `reply` has what the user saw and what the library returned. */
  ended(
    asked: readonly ChatMessage[],
    sent: ReturnType<CachedConversation['prepare']>,
    reply: { readonly shown: string; readonly kept: string },
    { reason, promptTokens, completionTokens }: CompletionEnd,
  ): void {
    this.#held =
      reason === 'stop'
        ? {
            shown: [...asked, { role: 'assistant', content: reply.shown }],
            kept: [...sent.messages, { role: 'assistant', content: reply.kept }],
            // The last token was sampled, but not yet processed.
            tokens: sent.reused + promptTokens + Math.max(0, completionTokens - 1),
          }
        : null;
  }

  forget(): void {
    this.#held = null;
  }
}

const areSame = (a: readonly ChatMessage[], b: readonly ChatMessage[]): boolean =>
  a.length === b.length && a.every(({ role, content }, i) => role === b[i]?.role && content === b[i]?.content);
