import { createParser } from 'eventsource-parser';
import * as z from 'zod/mini';
import { parsedJson } from '../../../domain/expectation.ts';
import { answerOf, spokenOf, type Usage } from '../../../domain/reply.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { ANY_UNSPACED } from '../../../engine/text/words.ts';
import { hostOf } from './base-url.ts';
import { type Call, complaintIn, notJson, readJsonResponse, serverFailure } from './server-api.ts';

interface AnswerOptions {
  /** The reply so far. */
  readonly begun: string;
  /** The API key, which no message may repeat. */
  readonly key: string;
  heard(): void;
  onUsage?(usage: Usage): void;
}

const OPEN = '<think>';

const NOT_TOLD: Usage = { prefilled: null, reused: null, generated: null };

/**
 * Streams the text of a chat completion. Reasoning that arrives in a separate field is wrapped in `<think>` and `</think>`.
 * Rejects with `stream-cut`, `empty`, `nonsense`, or the server's own error.
 */
export async function* answerText(response: Response, call: Call, options: AnswerOptions): AsyncGenerator<string> {
  let thinking = spokenOf(options.begun).thinking;
  let answered = options.begun !== '' && !thinking;
  let hasBegun = false;
  // Some servers send the thoughts as content, with tags. Resumed while thinking, such a model starts with its tag again.
  let opening: string | null = thinking ? '' : null;
  let finish: string | null = null;
  let ended = false;
  let usage: Usage | null = null;
  /** Tokens of thoughts, and whether none of them arrived. */
  let thoughts = 0;
  let isHidden = true;
  for await (const chunk of chunks(response, call, options)) {
    if (chunk === 'done') {
      ended = true;
      // Some servers leave the connection open.
      break;
    }
    const said = saidIn(chunk);
    finish = said.finish ?? finish;
    usage = usageIn(chunk) ?? usage;
    thoughts = chunk.usage?.completion_tokens_details?.reasoning_tokens ?? thoughts;
    // Thoughts between two parts of an answer are left out: a tag in the middle would make all before it a thought.
    if (said.reasoning !== '' && !hasBegun) {
      isHidden = false;
      yield thinking ? said.reasoning : `${OPEN}\n${said.reasoning}`;
      thinking = true;
      opening = null;
    }
    let { content } = said;
    if (opening !== null) {
      opening += content;
      const start = opening.trimStart();
      if (start !== OPEN && OPEN.startsWith(start)) continue;
      if (start.startsWith(OPEN)) thinking = false;
      content = thinking ? opening : start.slice(OPEN.length);
      opening = null;
    }
    if (content === '') continue;
    hasBegun ||= content.trim() !== '';
    answered ||= hasBegun;
    yield thinking ? `\n</think>\n\n${content}` : content;
    thinking = false;
  }
  if (opening?.trim()) {
    answered = true;
    yield `\n</think>\n\n${opening}`;
  }
  const cut = finish === 'length';
  if (cut) usage = { ...(usage ?? NOT_TOLD), cut };
  if (usage !== null && isHidden && thoughts > 0) usage = { ...usage, hidden: true };
  if (usage !== null) options.onUsage?.(usage);
  // vLLM and SGLang call a request that they gave up an abort.
  if (finish === 'error' || finish === 'abort' || (finish === null && !ended)) throw streamCut(call.baseUrl);
  if (finish === 'content_filter' && answered) throw filtered(call.baseUrl);
  // A reply cut off while thinking can be continued, unless the server hides the thoughts.
  if (!answered && !(cut && thinking)) throw empty(call, finish, thinking || cut);
}

async function* chunks(response: Response, call: Call, options: AnswerOptions): AsyncGenerator<Chunk | 'done'> {
  const form = response.headers.get('content-type') ?? '';
  if (form.includes('json')) {
    yield chunkOf(await readJsonResponse(response, call), call, options);
    yield 'done';
    return;
  }
  if (!form.includes('text/event-stream')) {
    await response.body?.cancel();
    throw notJson(call.baseUrl);
  }
  for await (const data of events(response, call, options.heard)) {
    yield data.trim() === '[DONE]' ? 'done' : chunkOf(parsedJson(data), call, options);
  }
}

const chunkOf = (json: unknown, { baseUrl, model }: Call, { key }: AnswerOptions): Chunk => {
  // OpenRouter reports an error in a chunk that also has a choice.
  const complaint = complaintIn(json);
  if (complaint.words !== '' || complaint.codes.some((code) => code !== '')) {
    const status = Number(complaint.codes.find((code) => /^[45]\d\d$/.test(code)) ?? 500);
    throw serverFailure(status, complaint, { baseUrl, model, key });
  }
  const parsed = Chunk.safeParse(json);
  if (!parsed.success) throw notJson(baseUrl);
  return parsed.data;
};

const empty = ({ baseUrl, model }: Call, finish: string | null, thought: boolean): ModelFailure => {
  const who = `${model} at ${hostOf(baseUrl)}`;
  if (finish === 'content_filter')
    return new ModelFailure(
      'empty',
      `The content filter of ${hostOf(baseUrl)} blocked the answer. Rephrase the message, or choose another model.`,
    );
  return new ModelFailure(
    'empty',
    thought
      ? `${who} was thinking but gave no answer. Raise “Longest reply” in Reply settings, or choose another model.`
      : `${who} gave an empty answer. Try again, or choose another model.`,
  );
};

const Text = z.optional(z.nullable(z.string()));
/** A token count. Servers may send anything; an invalid count is treated as missing. */
const Count = z.catch(z.optional(z.nullable(z.int().check(z.nonnegative()))), null);

/** Mistral sends the thoughts of its models as parts of the content. */
const Part = z.object({ text: Text, thinking: z.optional(z.nullable(z.array(z.object({ text: Text })))) });
const Content = z.optional(z.nullable(z.union([z.string(), z.array(Part)])));

const MessageDelta = z.object({ content: Content, reasoning_content: Text, reasoning: Text });
type MessageDelta = z.infer<typeof MessageDelta>;

/** A `chat.completion.chunk`, or a whole `chat.completion` from a server that does not stream. */
const Chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.optional(z.nullable(MessageDelta)),
      message: z.optional(z.nullable(MessageDelta)),
      finish_reason: Text,
    }),
  ),
  usage: z.optional(
    z.nullable(
      z.object({
        prompt_tokens: Count,
        completion_tokens: Count,
        prompt_tokens_details: z.optional(z.nullable(z.object({ cached_tokens: Count }))),
        completion_tokens_details: z.optional(z.nullable(z.object({ reasoning_tokens: Count }))),
      }),
    ),
  ),
  /** llama.cpp: prompt tokens reused from its cache, and prompt tokens processed. */
  timings: z.optional(z.nullable(z.object({ cache_n: Count, prompt_n: Count, predicted_n: Count }))),
});
type Chunk = z.infer<typeof Chunk>;

const saidIn = ({ choices: [choice] }: Chunk): { content: string; reasoning: string; finish: string | null } => {
  const said: MessageDelta = choice?.delta ?? choice?.message ?? {};
  const parts = typeof said.content === 'string' ? [{ text: said.content }] : (said.content ?? []);
  return {
    content: textOf(parts),
    reasoning: said.reasoning_content ?? said.reasoning ?? textOf(parts.flatMap(({ thinking }) => thinking ?? [])),
    // Some servers send an empty one until the end.
    finish: choice?.finish_reason || null,
  };
};

const textOf = (parts: readonly { readonly text?: string | null | undefined }[]): string =>
  parts.map(({ text }) => text ?? '').join('');

/** Returns null if the chunk carries no usage. */
export const usageIn = ({ usage, timings }: Chunk): Usage | null => {
  if (timings) {
    return {
      prefilled: timings.prompt_n ?? null,
      reused: timings.cache_n ?? null,
      generated: timings.predicted_n ?? usage?.completion_tokens ?? null,
    };
  }
  if (!usage) return null;
  const reused = usage.prompt_tokens_details?.cached_tokens ?? null;
  const prompt = usage.prompt_tokens ?? null;
  return {
    prefilled: prompt === null ? null : Math.max(0, prompt - (reused ?? 0)),
    reused,
    generated: usage.completion_tokens ?? null,
  };
};

/** Maximum characters per event, so that a server that never ends a line cannot fill the memory. */
const LONGEST_EVENT = 4 << 20;

/** Yields the data of each server-sent event. `heard` is called whenever data arrives. Rejects with `stream-cut`. */
async function* events(response: Response, { baseUrl, signal }: Call, heard: () => void): AsyncGenerator<string> {
  if (response.body === null) throw notJson(baseUrl);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const arrived: string[] = [];
  let endless = false;
  const parser = createParser({
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') endless = true;
    },
    maxBufferSize: LONGEST_EVENT,
  });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        signal.throwIfAborted();
        throw streamCut(baseUrl, cause);
      });
      heard();
      if (done) parser.reset({ consume: true });
      else parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
      if (endless) throw notJson(baseUrl);
      if (done) return;
    }
  } finally {
    // A broken stream can no longer be cancelled.
    await reader.cancel().catch(() => undefined);
  }
}

const streamCut = (baseUrl: string, cause?: unknown): ModelFailure =>
  new ModelFailure(
    'stream-cut',
    `The answer from ${hostOf(baseUrl)} was interrupted. The part received is kept. Continue it or try again.`,
    {
      cause,
    },
  );

const filtered = (baseUrl: string): ModelFailure =>
  new ModelFailure(
    'stream-cut',
    `The content filter of ${hostOf(baseUrl)} cut the answer off. The part received is kept. Continue it or try again.`,
  );

/** Whether a reply has thoughts without the opening tag: its model's template writes that before every answer. */
export const isOpenedByTemplate = (begun: string): boolean =>
  !begun.trimStart().startsWith(OPEN) && answerOf(begun) !== begun;

/**
 * Yields an answer without the thoughts it may start with, for a reply whose answer has begun: a tag in the middle of a reply
 * would be read as part of it. `opened`: the template has written the opening tag. If the closing one never comes, the
 * whole is the answer, unless it was cut off by then.
 */
export async function* withoutThoughts(
  pieces: AsyncIterable<string>,
  opened: boolean,
  isCut: () => boolean,
): AsyncGenerator<string> {
  let held: string | null = '';
  for await (const piece of pieces) {
    if (held === null) {
      yield piece;
      continue;
    }
    held += piece;
    const begun = held.trimStart();
    const start = opened && !begun.startsWith(OPEN) ? OPEN + begun : begun;
    const thinks = start.startsWith(OPEN);
    if (thinks ? answerOf(start) === '' : OPEN.startsWith(start)) continue;
    yield thinks ? answerOf(start) : held;
    held = null;
  }
  if (held && !held.trimStart().startsWith(OPEN) && !(opened && isCut())) yield held;
}

/**
 * Yields what follows `begun` in an answer that may start by repeating it: some servers and models return the whole reply when
 * asked to continue it. `spaced`: the answer is a separate message, so a space separates two words that would otherwise run
 * together.
 */
export async function* withoutRepeat(
  pieces: AsyncIterable<string>,
  begun: string,
  spaced: boolean,
): AsyncGenerator<string> {
  if (begun === '') {
    yield* pieces;
    return;
  }
  let held: string | null = '';
  for await (const piece of pieces) {
    if (held === null) {
      yield piece;
      continue;
    }
    held += piece;
    if (held.length < begun.length && begun.startsWith(held)) continue;
    yield rest(held, begun, spaced);
    held = null;
  }
  if (held) yield rest(held, begun, spaced);
}

const rest = (answer: string, begun: string, spaced: boolean): string => {
  const text = answer.startsWith(begun) ? answer.slice(begun.length) : answer;
  if (/\s$/.test(begun)) return text.replace(/^ /, '');
  return text === answer && spaced && needsSpace(begun, text) ? ` ${text}` : text;
};

/** A word's end with its marks. A mark that follows no letter or is doubled (`std::`, `https://`, `(`) belongs to what comes next. */
const WORD_END = /[\p{L}\p{M}\p{N}](?:[,;:…،؛]|[!?؟।]+)?[)\]"”*`]*$/u;
const STOP = /[\p{L}\p{M}\p{N})"”*`]\.[)\]"”*`]*$/u;

/** Whether a text and what goes on with it are separate words, in a script that puts spaces between them. */
const needsSpace = (begun: string, text: string): boolean => {
  const last = /.$/su.exec(begun)?.[0] ?? '';
  const next = /^./su.exec(text)?.[0] ?? '';
  if (!/[\p{L}\p{N}]/u.test(next) || ANY_UNSPACED.test(last + next)) return false;
  // Not within `np.array`, nor within 3.14, 1,000 and 10:30.
  if (STOP.test(begun)) return /[\p{Lu}\p{Lo}]/u.test(next);
  return WORD_END.test(begun) && !(/\p{N}[,:]$/u.test(begun) && /\p{N}/u.test(next));
};
