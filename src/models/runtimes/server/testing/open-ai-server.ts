import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OpenAiServerOptions {
  /** The models it lists; a name stands for an entry without any other fields. */
  readonly models?: readonly (string | Readonly<Record<string, unknown>>)[];
  /** Whether pages of other origins may read it. `simple`: only requests that need no preflight. */
  readonly cors?: boolean | 'simple';
  /** The only key it accepts; null if it needs none. */
  readonly key?: string | null;
  /** What it answers; repeats the message if omitted. */
  readonly answer?: string | Answer | ((request: ReceivedRequest) => string | Answer);
  readonly reasoningField?: StreamOptions['reasoningField'];
  readonly pieceDelay?: number;
  /** Fields of a chat request that it refuses with 400, e.g. `stream_options`, `response_format:json_schema`, `part:image_url`, `role:system`. */
  readonly refuses?: readonly string[];
  /** Whether it says in `param` which field it refused, as OpenAI does. */
  readonly namesParam?: boolean;
  /** The longest reply that it allows, in tokens. */
  readonly maxTokens?: number;
  /** Whether it knows no `max_completion_tokens`, and ignores it. */
  readonly ignoresCompletionTokens?: boolean;
  /** Parts of `usage` that it reports besides the counts. */
  readonly usage?: object;
  /** Whether it embeds texts. */
  readonly embeds?: boolean;
  /** How many characters its embedder reads, and how it refuses a longer text. */
  readonly embedsUpTo?: { readonly length: number; readonly status: number; readonly message: string };
  /** JSON answers at other paths of the server, e.g. `/api/ps`. */
  readonly also?: Readonly<Record<string, unknown>>;
}

export interface OpenAiServer {
  /** Base address, up to and including `/v1`. */
  readonly address: string;
  /** All requests received, except preflights. */
  readonly requests: readonly ReceivedRequest[];
  /** Makes the next request to a path (`/chat/completions` by default) meet this fault; several queue up. */
  fail(fault: Fault, path?: string): void;
  /** Changes its answers and behaviour from the next request on. */
  set(change: OpenAiServerOptions): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server on this machine that speaks the OpenAI protocol like Ollama, LM Studio, llama.cpp and vLLM, with faults on
 * demand. It has no model: its answers are scripted. For tests in Node and in Playwright.
 */
export const startOpenAiServer = async (given: OpenAiServerOptions = {}): Promise<OpenAiServer> => {
  let options = given;
  const requests: ReceivedRequest[] = [];
  const faults: { path: string; fault: Fault }[] = [];
  const takeFault = (path: string): Fault | null => {
    const at = faults.findIndex((one) => one.path === path);
    return at < 0 ? null : (faults.splice(at, 1)[0]?.fault ?? null);
  };

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    allowOrigin(options.cors ?? true, request, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    requests.push(request);
    const fault = takeFault(request.path.replace(/^\/v1/, ''));
    if (fault !== null && answeredWith(fault, response)) return;
    await answer(options, request, fault, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/v1`,
    requests,
    fail: (fault, path = '/chat/completions') => faults.push({ path, fault }),
    set: (change) => {
      options = { ...options, ...change };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const allowOrigin = (cors: boolean | 'simple', { method }: ReceivedRequest, response: ServerResponse): void => {
  if (cors === false) return;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'retry-after');
  if (method !== 'OPTIONS' || cors === 'simple') return;
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  response.setHeader('access-control-allow-methods', 'GET, POST');
};

const answer = async (
  options: OpenAiServerOptions,
  request: ReceivedRequest,
  fault: Fault | null,
  response: ServerResponse,
): Promise<void> => {
  const { models = ['small-model'], key = null, also = {}, embeds = true, embedsUpTo } = options;
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const refuse = (status: number, message: string, code: string | null = null, param: string | null = null) =>
    json(status, { error: { message, type: 'invalid_request_error', code, param } });
  if (key !== null && request.headers.authorization !== `Bearer ${key}`) {
    // Like some servers, which is why no message may repeat it.
    return refuse(401, `Incorrect API key provided: ${request.headers.authorization}`, 'invalid_api_key');
  }
  const entries = models.map((entry) => (typeof entry === 'string' ? { id: entry } : entry));
  const known = entries.some(({ id }) => id === request.body?.model);
  switch (`${request.method} ${request.path}`) {
    case 'GET /v1/models':
      return json(200, { object: 'list', data: entries.map((entry) => ({ object: 'model', ...entry })) });
    case 'POST /v1/chat/completions':
      if (!known) return refuse(404, `model '${request.body.model}' not found`, 'model_not_found');
      return chat(options, request, fault, response, refuse);
    case 'POST /v1/embeddings':
      if (!embeds) return refuse(501, 'This server does not support embeddings.');
      if (!known) return refuse(404, `model '${request.body.model}' not found`, 'model_not_found');
      if (embedsUpTo && request.body.input.some(({ length }: string) => length > embedsUpTo.length)) {
        return refuse(embedsUpTo.status, embedsUpTo.message);
      }
      return json(200, {
        object: 'list',
        data: request.body.input
          .map((text: string, index: number) => ({ object: 'embedding', index, embedding: lettersOf(text) }))
          .reverse(),
      });
    default:
      return request.path in also ? json(200, also[request.path]) : refuse(404, 'Not Found');
  }
};

const chat = async (
  options: OpenAiServerOptions,
  request: ReceivedRequest,
  fault: Fault | null,
  response: ServerResponse,
  refuse: (status: number, message: string, code: string | null, param: string | null) => void,
): Promise<void> => {
  const {
    answer: say = echo,
    reasoningField = 'reasoning_content',
    pieceDelay = 0,
    refuses = [],
    namesParam = false,
    maxTokens = Number.POSITIVE_INFINITY,
    ignoresCompletionTokens = false,
    usage = {},
  } = options;
  const { body } = request;
  const parts = body.messages.flatMap(({ content }: { content: unknown }) => (Array.isArray(content) ? content : []));
  const sent = [
    ...Object.keys(body),
    ...body.messages.map(({ role }: { role: string }) => `role:${role}`),
    ...parts.map(({ type }: { type: string }) => `part:${type}`),
    ...(body.response_format ? [`response_format:${body.response_format.type}`] : []),
  ];
  const refused = sent.find((field) => refuses.includes(field));
  if (refused !== undefined) {
    return refuse(400, `unsupported: ${refused}`, null, namesParam ? refused : null);
  }
  const completionTokens = ignoresCompletionTokens ? 0 : (body.max_completion_tokens ?? 0);
  if (Math.max(body.max_tokens ?? 0, completionTokens) > maxTokens) {
    return refuse(400, `valid range of max_tokens is [1, ${maxTokens}]`, null, null);
  }
  const said = typeof say === 'function' ? say(request) : say;
  const whole = typeof said === 'string' ? { text: said, reasoning: null } : said;
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
  const counts = {
    prompt_tokens: words(body.messages.map(wordsIn).join(' ')),
    completion_tokens: words(`${whole.reasoning ?? ''} ${whole.text}`),
  };
  const sentUsage = body.stream_options?.include_usage === true ? { ...counts, ...usage } : null;
  return streamed(response, whole, fault, { reasoningField, pieceDelay, usage: sentUsage });
};

/** Repeats the message; if a form is requested, gives the first answer that fits it. */
const echo = ({ body }: ReceivedRequest): Answer => {
  const { response_format: format, messages } = body;
  if (format?.type === 'json_schema') {
    return { text: JSON.stringify(firstOf(format.json_schema.schema)), reasoning: null };
  }
  const last = messages.findLast(({ role }: { role: string }) => role === 'user') ?? { content: '' };
  const pictures = Array.isArray(last.content) ? last.content.length - 1 : 0;
  const seen = pictures === 0 ? '' : ` I see ${pictures} ${pictures === 1 ? 'picture' : 'pictures'}.`;
  return { text: `You said: ${wordsIn(last)}${seen}`, reasoning: null };
};

/** The words of a message, whose content may be in parts, including pictures. */
const wordsIn = ({ content }: { content: string | readonly { readonly text?: string }[] }): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(' ');

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly enum?: readonly unknown[];
}

const firstOf = ({ properties, enum: values }: Schema): unknown =>
  properties === undefined
    ? (values?.[0] ?? '')
    : Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, firstOf(property)]));

const DIMENSIONS = 16;

/** Rough counts of each letter in the text: the same text gives the same vector, and no vector is normalised. */
const lettersOf = (text: string): number[] => {
  const vector = Array<number>(DIMENSIONS).fill(0.1);
  for (const letter of text) {
    const at = (letter.codePointAt(0) ?? 0) % DIMENSIONS;
    vector[at] = (vector[at] as number) + 1;
  }
  return vector;
};

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; null if there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as they like
  readonly body: any;
}

const readRequest = async (request: IncomingMessage): Promise<ReceivedRequest> => {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += piece;
  return {
    method: request.method ?? 'GET',
    path: new URL(request.url ?? '/', 'http://server').pathname,
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
  };
};

interface Answer {
  readonly text: string;
  /** What a thinking model says first; null for a model that does not think. */
  readonly reasoning: string | null;
}

interface StreamOptions {
  /** The name that servers give its field; `content` if they send it there, in parts. */
  readonly reasoningField: 'reasoning_content' | 'reasoning' | 'content';
  /** Milliseconds between pieces. */
  readonly pieceDelay: number;
  /** The last event, if it was requested. */
  readonly usage: object | null;
}

/** Streams an answer as `chat.completion.chunk` events, up to where a fault ends it. */
const streamed = async (
  response: ServerResponse,
  { text, reasoning }: Answer,
  fault: Fault | null,
  { reasoningField, pieceDelay, usage }: StreamOptions,
): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  const send = (data: string) => response.write(`data: ${data}\n\n`);
  const chunk = (delta: object, finish: string | null = null) =>
    send(JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] }));
  chunk({ role: 'assistant', content: '' });
  const deltas = [
    ...piecesOf(reasoning ?? '').map((piece) => ({
      [reasoningField]: reasoningField === 'content' ? [{ type: 'thinking', thinking: textParts(piece) }] : piece,
    })),
    ...piecesOf(text).map((piece) => ({ content: reasoningField === 'content' ? textParts(piece) : piece })),
  ];
  const after = fault !== null && 'after' in fault ? (fault.after ?? 0) : fault?.kind === 'empty' ? 0 : deltas.length;
  for (const delta of deltas.slice(0, after)) {
    if (response.destroyed) return;
    chunk(delta);
    if (pieceDelay > 0) await sleep(pieceDelay);
  }
  // Everything written is on its way before anything breaks.
  await sleep(0);
  switch (fault?.kind) {
    case 'cut':
      // After what was written: a connection that is reset may lose that, too.
      response.socket?.end();
      return;
    case 'silence':
      return;
    case 'unfinished':
      response.end();
      return;
    case 'garbled-event':
      send('{"choices":[{"del');
      break;
    case 'endless-line':
      response.write('data: ');
      while (!response.destroyed) {
        const wait = response.write('x'.repeat(1 << 18)) ? 0 : 5;
        await sleep(wait);
      }
      return;
    case 'error-event':
      if (fault.finish === undefined) {
        send(JSON.stringify({ error: fault.error }));
        response.end();
        return;
      }
      send(JSON.stringify({ error: fault.error, choices: [{ delta: { content: '' }, finish_reason: fault.finish }] }));
      break;
    default:
      chunk({}, fault?.kind === 'empty' ? fault.finish : 'stop');
  }
  if (usage !== null) send(JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage }));
  send('[DONE]');
  if (fault?.kind !== 'lingering') response.end();
};

const textParts = (text: string): readonly object[] => [{ type: 'text', text }];

/** About one token each. */
const piecesOf = (text: string): string[] => text.match(/\s*\S{1,6}/gu) ?? [];

/** What the next request gets instead of a good answer. `after`: pieces of the answer that come first. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  /** The connection breaks, before anything was said or in the middle of the stream. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly after: number }
  /** The answer is whole and says so, but the connection stays open. */
  | { readonly kind: 'lingering' }
  /** The stream ends properly, but the answer was not finished. */
  | { readonly kind: 'unfinished'; readonly after: number }
  /** Falls silent, from the start or after some piece, and keeps the connection open. */
  | { readonly kind: 'silence'; readonly after: number | null }
  /** A web page with status 200, as from a router or an unrelated site. */
  | { readonly kind: 'web-page' }
  | { readonly kind: 'garbled-event'; readonly after: number }
  /** A line that goes on for as long as anyone reads it. */
  | { readonly kind: 'endless-line'; readonly after: number }
  /** `finish`: the same event also ends the answer in this way, and the stream ends properly. */
  | { readonly kind: 'error-event'; readonly after: number; readonly error?: unknown; readonly finish?: string }
  | { readonly kind: 'empty'; readonly finish: string; readonly after?: number };

const WEB_PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>';

/** Answers with the fault if it needs no stream. Returns whether it did. */
const answeredWith = (fault: Fault, response: ServerResponse): boolean => {
  switch (fault.kind) {
    case 'status': {
      const { status, headers = {}, body = { error: { message: `status ${status}` } } } = fault;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      return true;
    }
    case 'reset':
      response.destroy();
      return true;
    case 'web-page':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(WEB_PAGE);
      return true;
    case 'silence':
      return fault.after === null;
    case 'cut':
    case 'lingering':
    case 'unfinished':
    case 'garbled-event':
    case 'endless-line':
    case 'error-event':
    case 'empty':
      return false;
  }
};
