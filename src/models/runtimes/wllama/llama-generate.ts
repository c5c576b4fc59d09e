import type { ChatCompletionChunk } from '@wllama/wllama/esm/types/oai-compat.d.ts';
import type { Usage } from '../../../domain/generation.ts';
import type { SentGeneration } from '../worker/protocol.ts';
import type { Llama } from './load-llama.ts';
import { PLAIN_STOPS } from './plain-template.ts';

/** Streams an answer. An abort ends it within a token, or a batch of the prompt; what it used is told even so. */
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
    // llama.cpp refuses to go on with an answer where the model may think first, and a form leaves no room to.
    ...(request.begun === '' && request.schema === null ? {} : { chat_template_kwargs: { enable_thinking: false } }),
    timings_per_token: true,
    cache_prompt: true,
    abortSignal: signal,
  };
  await wllama.createChatCompletion({ ...body, stream: true, onData }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return cut ? { ...usage, cut } : usage;
};

/** llama.cpp says again what the answer began with; only what comes after it is new. */
const withoutBegun = (begun: string, piece: (text: string) => void): ((text: string) => void) => {
  let held: string | null = begun === '' ? null : '';
  return (text) => {
    if (held === null) return piece(text);
    held += text;
    // It may come in parts, and a version that does not repeat it is as welcome.
    if (begun.startsWith(held) && held.length < begun.length) return;
    const rest = held.startsWith(begun) ? held.slice(begun.length) : held;
    held = null;
    if (rest !== '') piece(rest);
  };
};

/** The last message, if it is the assistant's, is what the template leaves open: the answer goes on from there. */
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
