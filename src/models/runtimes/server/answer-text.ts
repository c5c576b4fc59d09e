import type { Usage } from '../../../domain/generation.ts';
import { spokenOf } from '../../../domain/reasoning.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { hostOf } from './base-url.ts';
import { Chunk, saidIn, usageIn } from './chunk.ts';
import { events, streamCut } from './events.ts';
import { type Call, notJson, readJson } from './server-api.ts';
import { complaintIn, failureOf, jsonOf } from './status-failure.ts';

export interface AnswerOptions {
  /** What the reply says already. */
  readonly begun: string;
  /** The key, that no message may repeat. */
  readonly key: string;
  heard(): void;
  onUsage?(usage: Usage): void;
}

const NOT_TOLD: Usage = { prefilled: null, reused: null, generated: null };

/**
 * The text of a chat answer, piece by piece, reasoning that comes in a field of its own between `<think>` and `</think>`.
 * Rejects with `stream-cut`, `empty`, `nonsense`, or what the server says went wrong.
 */
export async function* answerText(response: Response, call: Call, options: AnswerOptions): AsyncGenerator<string> {
  let thinking = spokenOf(options.begun).thinking;
  let answered = options.begun !== '' && !thinking;
  let finish: string | null = null;
  let ended = false;
  let usage: Usage | null = null;
  for await (const chunk of chunks(response, call, options)) {
    if (chunk === 'done') {
      ended = true;
      continue;
    }
    const said = saidIn(chunk);
    finish = said.finish ?? finish;
    usage = usageIn(chunk) ?? usage;
    if (said.reasoning !== '') {
      yield thinking ? said.reasoning : `<think>\n${said.reasoning}`;
      thinking = true;
    }
    if (said.content === '') continue;
    answered ||= said.content.trim() !== '';
    yield thinking ? `\n</think>\n\n${said.content}` : said.content;
    thinking = false;
  }
  const cut = finish === 'length';
  if (cut) usage = { ...(usage ?? NOT_TOLD), cut };
  if (usage !== null) options.onUsage?.(usage);
  if (finish === null && !ended) throw streamCut(call.baseUrl);
  // Cut off while it thought, it can be gone on with.
  if (!answered && !(cut && thinking)) throw empty(call, finish, thinking);
}

async function* chunks(response: Response, call: Call, options: AnswerOptions): AsyncGenerator<Chunk | 'done'> {
  const form = response.headers.get('content-type') ?? '';
  if (form.includes('json')) {
    yield chunkOf(await readJson(response, call), call, options);
    yield 'done';
    return;
  }
  if (!form.includes('text/event-stream')) {
    await response.body?.cancel();
    throw notJson(call.baseUrl);
  }
  for await (const data of events(response, call, options.heard)) {
    yield data.trim() === '[DONE]' ? 'done' : chunkOf(jsonOf(data), call, options);
  }
}

const chunkOf = (json: unknown, { baseUrl, model }: Call, { key }: AnswerOptions): Chunk => {
  const parsed = Chunk.safeParse(json);
  if (parsed.success) return parsed.data;
  const told = complaintIn(json);
  if (told.words !== '' || told.codes.length > 0) {
    const status = Number(told.codes.find((code) => /^[45]\d\d$/.test(code)) ?? 500);
    throw failureOf(status, told, { baseUrl, model, key });
  }
  throw notJson(baseUrl);
};

const empty = ({ baseUrl, model }: Call, finish: string | null, thought: boolean): ModelFailure => {
  const who = `${model} at ${hostOf(baseUrl)}`;
  if (finish === 'content_filter')
    return new ModelFailure('empty', `${hostOf(baseUrl)} held the answer back (its content filter).`);
  return new ModelFailure(
    'empty',
    thought
      ? `${who} thought, but gave no answer. Allow longer replies in the conversation’s settings, or choose another model.`
      : `${who} gave an empty answer. Try again, or choose another model.`,
  );
};
