import type { ChatCompletionChunk } from '@wllama/wllama/esm/types/oai-compat.d.ts';
import type { Usage } from '../../../domain/reply.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { meanVector, normalised } from '../../../engine/vectors/vector-math.ts';
import { halves } from '../embedding.ts';
import type { SentGeneration } from '../worker/protocol.ts';
import { type Llama, llamaFailure } from './load-llama.ts';

/** A model without a chat template (PLAIN_TEMPLATE) has finished its answer once it starts to speak for the user. */
const PLAIN_STOPS: readonly string[] = ['\nUser:', '\nAssistant:'];

/** Streams an answer. An abort ends it within a token, or within a prompt batch; usage is still reported. */
export const generateWith = async (
  { wllama, hasTemplate }: Llama,
  request: SentGeneration,
  piece: (text: string) => void,
  signal: AbortSignal,
): Promise<Usage> => {
  let usage: Usage = { prefilled: null, reused: null, generated: null };
  let cut = false;
  const fresh = withoutBegun(request.begun, piece);
  const onData = ({ choices, timings }: ChatCompletionChunk): void => {
    if (timings !== undefined) {
      usage = { prefilled: timings.prompt_n, reused: timings.cache_n, generated: timings.predicted_n };
    }
    const text = choices[0]?.delta.content;
    if (text) fresh(text);
    cut ||= choices[0]?.finish_reason === 'length';
  };
  const body = {
    ...parameters(request),
    messages: messagesOf(request),
    ...(hasTemplate ? {} : { stop: [...PLAIN_STOPS] }),
    // llama.cpp refuses to continue an answer if the model may think first, and structured output leaves no room for it.
    ...(request.begun === '' && request.schema === null && request.thinking !== false
      ? {}
      : { chat_template_kwargs: { enable_thinking: false } }),
    timings_per_token: true,
    cache_prompt: true,
    abortSignal: signal,
  };
  await wllama.createChatCompletion({ ...body, stream: true, onData }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return cut ? { ...usage, cut } : usage;
};

/** llama.cpp repeats the beginning of the answer; only what follows is new. */
const withoutBegun = (begun: string, piece: (text: string) => void): ((text: string) => void) => {
  let held: string | null = begun === '' ? null : '';
  return (text) => {
    if (held === null) return piece(text);
    held += text;
    // It may arrive in pieces; a version that does not repeat it also works.
    if (begun.startsWith(held) && held.length < begun.length) return;
    const rest = held.startsWith(begun) ? held.slice(begun.length) : held;
    held = null;
    if (rest !== '') piece(rest);
  };
};

/** The template leaves a last assistant message open, so that the answer continues from there. */
const messagesOf = ({ messages, begun }: SentGeneration) => [
  ...messages.map(({ role, content }) => ({ role, content })),
  ...(begun === '' ? [] : [{ role: 'assistant' as const, content: begun }]),
];

const parameters = ({ temperature, topP, maxTokens, schema }: SentGeneration) => ({
  ...(temperature === null ? {} : { temperature }),
  ...(topP === null ? {} : { top_p: topP }),
  ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
  ...(schema === null
    ? {}
    : { response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema, strict: true } } }),
});

/** Maximum number of times a text longer than the window is halved; one that is still too long is rejected. */
const MAX_HALVINGS = 4;

/** A text's normalised vector. For a text longer than the window, the mean of its parts, weighted by length. */
export const embedWith = async (
  llama: Llama,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> => {
  if (text.trim() === '') return new Float32Array(llama.dimensions);
  return normalised(await vectorOf(llama, text, signal, MAX_HALVINGS));
};

const vectorOf = async (
  llama: Llama,
  text: string,
  signal: AbortSignal,
  halvings: number,
): Promise<Float32Array<ArrayBuffer>> => {
  signal.throwIfAborted();
  try {
    const { data } = await llama.wllama.createEmbedding({ input: text });
    const found = data[0]?.embedding;
    if (!Array.isArray(found))
      throw new ModelFailure('empty', 'The model returned no vector. Choose another embedder.');
    const vector = Float32Array.from(found);
    if (!vector.every(Number.isFinite) || vector.every((value) => value === 0)) {
      throw new ModelFailure('untrusted', 'The model returned a vector without numbers. Choose another embedder.');
    }
    return vector;
  } catch (error) {
    const failure = llamaFailure(error);
    if (failure.kind !== 'too-long' || halvings === 0) throw failure;
    const parts = halves(text).filter((part) => part.trim() !== '');
    const vectors: Float32Array[] = [];
    for (const part of parts) vectors.push(await vectorOf(llama, part, signal, halvings - 1));
    const lengths = parts.map(({ length }) => length);
    return meanVector(vectors, lengths);
  }
};

const TOO_LONG = /request \((\d+) tokens\)/;

type CountTokens = (text: string) => Promise<number>;

/**
 * Counts tokens with the model's own tokenizer, for which wllama has no call. However, a prompt longer than the window is
 * rejected before any work, with its exact length, and leaves the cache untouched; so the text is sent after more lines than
 * the window can hold. Rejects if llama.cpp responds differently, as a later version may.
 */
export const tokenCounter = async ({ wllama, window }: Llama): Promise<CountTokens> => {
  // At least two tokens per line with any vocabulary; the newline keeps them apart from the text, whose first word starts with a space.
  const padding = 'a\n'.repeat(window);
  const lengthOf = async (prompt: string): Promise<number> => {
    const answer = await wllama.createCompletion({ prompt, max_tokens: 1 }).catch((error: unknown) => error);
    const length = answer instanceof Error ? TOO_LONG.exec(answer.message)?.[1] : undefined;
    if (length !== undefined) return Number(length);
    throw answer instanceof Error ? answer : new Error('a prompt beyond the window was taken');
  };
  const ofPadding = await lengthOf(padding);
  return async (text) => (text === '' ? 0 : Math.max(1, (await lengthOf(`${padding} ${text}`)) - ofPadding));
};
