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
import type { ModelFailure } from '../../../engine/model-failure.ts';
import { withPictures } from '../runtime.ts';
import type { SentGeneration } from '../worker/protocol.ts';
import type { ServedModel } from '../worker/serve-model.ts';
import { explained, isFatal } from './failures.ts';
import type { Template } from './kept-files.ts';

export interface LoadedModel {
  readonly name: string;
  readonly window: number;
  readonly template: Template;
  /** It comes with a package of its own (`model_manifest`). */
  readonly packaged: boolean;
  /** null: counts are estimates. */
  readonly tokenizer: Tokenizer | null;
  /** It thinks before it answers unless it is told not to. */
  readonly thinks: boolean;
  /** It takes pictures; left out where it does not. */
  readonly sees?: boolean;
}

/** Tokens of a constrained answer that sets no limit: a model can write white space for ever. */
const MOST_CONSTRAINED = 1024;
/** Pieces that may still come after an interrupt before the library's own end is no longer waited for. */
const MOST_LATE = 8;

/** A piece of either of the library's two streams. */
interface Piece {
  readonly text: string;
  readonly reason: CompletionEnd['reason'] | undefined;
  readonly usage: CompletionUsage | undefined;
}

/**
 * The library's engine as our worker serves it. `lost` resolves when the GPU is taken away; `onLost` is called where
 * the engine is of no use any more for another reason.
 */
export const servedEngine = (
  engine: Engine,
  model: LoadedModel,
  lost: Promise<ModelFailure>,
  onLost: (error: Error) => void,
): ServedModel => {
  const cache = new CachedConversation((message) => givenAs(message, model.template, model.packaged));

  const read = async (pieces: AsyncIterable<Piece>, piece: (text: string) => void, signal: AbortSignal) => {
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
          // The library forgets an interrupt that comes before it begins; and one that it does not heed ends here.
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
    // Whatever happens from here on, the cache is not what it was; a good end says what it is.
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
    // What it holds of pictures is not told apart here: after them it is read anew.
    if (!signal.aborted && usage !== null && !pictured) {
      const end = { reason, promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
      cache.ended(request.messages, sent, { shown: strip.shown, kept: text }, end);
    }
    return usageOf({ usage, reason }, sent.reused, strip.shown);
  };

  /** Goes on with a reply that broke off, as a text to be completed. The library's cache starts anew for it. */
  const goOn = async (request: SentGeneration, piece: (text: string) => void, signal: AbortSignal): Promise<Usage> => {
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
        const failure = await explained(error, model.name, lost);
        if (isFatal(failure)) onLost(failure);
        throw failure;
      }
    },
    count: async (texts) => texts.map(count),
  };
};

/** A message as the library's API has it. Only the person's come with pictures. */
const sentAs = (message: ChatMessage, urls: SentGeneration['pictures']): ChatCompletionMessageParam =>
  message.role === 'user'
    ? { role: 'user', content: withPictures(message, urls) as string | ChatCompletionContentPart[] }
    : { role: message.role, content: message.content };

/** An answer in a schema has no room for thoughts; in free text Qwen3 heeds this at the end of its instructions. */
const wantsThoughts = ({ schema, messages }: SentGeneration): boolean =>
  schema === null &&
  !messages.some(({ role, content }) => role === 'system' && content.trimEnd().endsWith('/no_think'));

/** The library takes no 0. */
const topP = ({ topP: wanted }: SentGeneration): number | null => (wanted === null ? null : Math.max(wanted, 0.001));

async function* chatPieces(stream: Awaited<ReturnType<Engine['chatCompletion']>>): AsyncGenerator<Piece> {
  for await (const { choices, usage } of stream) {
    yield { text: choices[0]?.delta.content ?? '', reason: choices[0]?.finish_reason ?? undefined, usage };
  }
}

async function* textPieces(stream: Awaited<ReturnType<Engine['completion']>>): AsyncGenerator<Piece> {
  for await (const { choices, usage } of stream) {
    yield { text: choices[0]?.text ?? '', reason: choices[0]?.finish_reason ?? undefined, usage };
  }
}

/** What of the library's engine is used. A test's stand-in implements it and misbehaves (testing/). */
export interface Engine extends Pick<MLCEngine, 'reload' | 'interruptGenerate'> {
  chatCompletion(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>>;
  completion(request: CompletionCreateParamsStreaming): Promise<AsyncIterable<Completion>>;
}

/** The model's own tokenizer, in the engine. */
export interface Tokenizer {
  encode(text: string): ArrayLike<number>;
  idToToken(id: number): string;
}

/**
 * The tokenizer of a loaded model; null if it cannot be reached. The library makes one and does not give it out, so
 * this looks behind its fence, and believes nothing: another version may have rearranged what is there.
 */
export const tokenizerOf = (engine: Engine, modelId: string): Tokenizer | null => {
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

/** UTF-16 units to a token: English has about four, code and other languages fewer; rather too many tokens than too few. */
const UNITS_PER_TOKEN = 3;

const estimatedTokens = (text: string): number => Math.ceil(text.length / UNITS_PER_TOKEN);

/**
 * A message as it has to be given to the library so that the model reads it as it was written. The library puts texts
 * into a model's template by `String.replace`, to which `$$`, `$&` and others are signs: two dollars would become one.
 * A model with a package (`model_manifest`) gets its messages put together in another way, but for the instructions.
 */
export const givenAs = (message: ChatMessage, { role_templates }: Template, packaged: boolean): ChatMessage => {
  const { role, content } = message;
  const replaced = role === 'system' || (!packaged && role_templates?.[role]?.includes(`{${role}_message}`));
  return replaced && content.includes('$') ? { role, content: content.replaceAll('$', '$$$$') } : message;
};

/** Hands on what follows a prefix that the library puts before a reply; or everything, where it does not. */
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

  /** What looked like the beginning of the prefix, and was not. */
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
 * A conversation as the model reads it, up to and with what a reply that broke off already said. The library's chat
 * ends with a question and nothing else, but it completes any text: so this writes the text that its chat would
 * (its Conversation.getPromptArray), from the model's own template.
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

/** What Qwen3's template writes in place of thoughts where thinking is off; the library counts it to the reply. */
export const NO_THOUGHTS = '<think>\n\n</think>\n\n';

/** How a reply came to its end, and what it cost; as the library tells. */
export interface CompletionEnd {
  readonly reason: 'stop' | 'length' | 'abort' | 'tool_calls' | null;
  readonly promptTokens: number;
  /** The stop token is one of them. */
  readonly completionTokens: number;
}

/**
 * What the engine's cache holds, by the library's rules (its preparePrefillInput): it goes on from there only if the
 * messages before the last one are word for word those of the last request and its reply, and that reply came to its
 * own end. Everything else is worked through anew.
 *
 * A thinking model's reasoning is cut from what is sent on, so its replies are never the same again, and it works
 * through everything each time. Where it did not think, the empty marks that the library put before its reply are
 * put back, so that it is the same.
 */
export class CachedConversation {
  /** As our caller writes it, and as the library has it; null while the cache cannot be gone on from. */
  #held: {
    readonly shown: readonly ChatMessage[];
    readonly kept: readonly ChatMessage[];
    readonly tokens: number;
  } | null = null;

  readonly #given: (message: ChatMessage) => ChatMessage;

  /** `given`: a message as it has to be given to the library (template-text.ts). */
  constructor(given: (message: ChatMessage) => ChatMessage) {
    this.#given = given;
  }

  /** What to send in place of `messages`, and how many tokens of it the cache holds. */
  prepare(messages: readonly ChatMessage[]): { messages: readonly ChatMessage[]; reused: number } {
    const before = messages.slice(0, -1);
    const last = messages.at(-1);
    if (this.#held === null || last === undefined || !areSame(this.#held.shown, before)) {
      return { messages: messages.map(this.#given), reused: 0 };
    }
    return { messages: [...this.#held.kept, this.#given(last)], reused: this.#held.tokens };
  }

  /** After a reply: `sent` is what `prepare` gave, `reply` what the person saw of it. */
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
            // The last token was drawn, but not yet worked through.
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
