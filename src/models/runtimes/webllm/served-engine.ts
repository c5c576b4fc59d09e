import type { CompletionUsage } from '@mlc-ai/web-llm';
import type { Usage } from '../../../domain/generation.ts';
import type { ModelFailure } from '../../../engine/model-failure.ts';
import type { SentGeneration } from '../worker/protocol.ts';
import type { ServedModel } from '../worker/serve-model.ts';
import { CachedConversation, type Ended, NO_THOUGHTS } from './cached-conversation.ts';
import { continuationPrompt } from './continuation.ts';
import type { Engine } from './engine.ts';
import { explained, isFatal } from './failures.ts';
import type { Template } from './model-files.ts';
import { PrefixStripper } from './prefix-stripper.ts';
import { givenAs } from './template-text.ts';
import { estimatedTokens, type Tokenizer } from './tokenizer.ts';

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
}

/** Tokens of a constrained answer that sets no limit: a model can write white space for ever. */
const MOST_CONSTRAINED = 1024;
/** Pieces that may still come after an interrupt before the library's own end is no longer waited for. */
const MOST_LATE = 8;

/** A piece of either of the library's two streams. */
interface Piece {
  readonly text: string;
  readonly reason: Ended['reason'] | undefined;
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
    const end: { text: string; reason: Ended['reason']; usage: CompletionUsage | null } = {
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
    { usage, reason }: { usage: CompletionUsage | null; reason: Ended['reason'] },
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
    const sent = cache.prepare(request.messages);
    // Whatever happens from here on, the cache is not what it was; a good end says what it is.
    cache.forget();
    const stream = await engine.chatCompletion({
      messages: sent.messages.map(({ role, content }) => ({ role, content })),
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
    if (!signal.aborted && usage !== null) {
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
    facts: { name: model.name, window: model.window, estimates: model.tokenizer === null, dimensions: null },
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
