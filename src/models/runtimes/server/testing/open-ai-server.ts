import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { echo, lettersOf } from './default-answers.ts';
import { answeredWith, type Fault } from './fault.ts';
import { type Requested, readRequest } from './requested.ts';
import { type Answer, type StreamOptions, streamed } from './streamed.ts';

export interface OpenAiServerOptions {
  /** Entries of its list; a name stands for an entry that has nothing else. */
  readonly models?: readonly (string | Readonly<Record<string, unknown>>)[];
  /** Whether pages of other origins may read it. `simple`: only what needs no leave beforehand (no preflight). */
  readonly cors?: boolean | 'simple';
  /** The only key it accepts; null: it wants none. */
  readonly key?: string | null;
  /** What it answers; repeats the message if left out. */
  readonly answer?: string | Answer | ((request: Requested) => string | Answer);
  readonly reasoningField?: StreamOptions['reasoningField'];
  readonly pieceDelay?: number;
  /** Fields of a chat request that it refuses with 400, e.g. `stream_options`, `response_format:json_schema`. */
  readonly refuses?: readonly string[];
  /** Parts of the `usage` that it tells beside the counts. */
  readonly usage?: object;
  /** It embeds texts. */
  readonly embeds?: boolean;
  /** JSON answers at other paths of the server, e.g. `/api/ps`. */
  readonly also?: Readonly<Record<string, unknown>>;
}

export interface OpenAiServer {
  /** Base address, up to and with `/v1`. */
  readonly address: string;
  /** Everything that was asked, preflights left out. */
  readonly requests: readonly Requested[];
  /** The next request of a path (`/chat/completions` if not said otherwise) meets with this; several queue. */
  fail(fault: Fault, path?: string): void;
  /** Changes what it answers, and how, from the next request on. */
  set(change: OpenAiServerOptions): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server on this machine that speaks the OpenAI protocol as Ollama, LM Studio, llama.cpp and vLLM do, with faults on
 * demand. It has no model: what it says is scripted. For tests in Node and in Playwright.
 */
export const startOpenAiServer = async (given: OpenAiServerOptions = {}): Promise<OpenAiServer> => {
  let options = given;
  const requests: Requested[] = [];
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

const allowOrigin = (cors: boolean | 'simple', { method }: Requested, response: ServerResponse): void => {
  if (cors === false) return;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'retry-after');
  if (method !== 'OPTIONS' || cors === 'simple') return;
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  response.setHeader('access-control-allow-methods', 'GET, POST');
};

const answer = async (
  options: OpenAiServerOptions,
  request: Requested,
  fault: Fault | null,
  response: ServerResponse,
): Promise<void> => {
  const { models = ['small-model'], key = null, also = {}, embeds = true } = options;
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const refuse = (status: number, message: string, code: string | null = null) =>
    json(status, { error: { message, type: 'invalid_request_error', code } });
  if (key !== null && request.headers.authorization !== `Bearer ${key}`) {
    // As some servers do, which is why no message may repeat it.
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
  request: Requested,
  fault: Fault | null,
  response: ServerResponse,
  refuse: (status: number, message: string) => void,
): Promise<void> => {
  const {
    answer: say = echo,
    reasoningField = 'reasoning_content',
    pieceDelay = 0,
    refuses = [],
    usage = {},
  } = options;
  const { body } = request;
  const sent = [
    ...Object.keys(body),
    ...(body.response_format ? [`response_format:${body.response_format.type}`] : []),
  ];
  const refused = sent.find((field) => refuses.includes(field));
  if (refused !== undefined) return refuse(400, `unsupported: ${refused}`);
  const said = typeof say === 'function' ? say(request) : say;
  const whole = typeof said === 'string' ? { text: said, reasoning: null } : said;
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
  const counts = {
    prompt_tokens: words(body.messages.map(({ content }: { content: string }) => content).join(' ')),
    completion_tokens: words(`${whole.reasoning ?? ''} ${whole.text}`),
  };
  const told = body.stream_options?.include_usage === true ? { ...counts, ...usage } : null;
  return streamed(response, whole, fault, { reasoningField, pieceDelay, usage: told });
};
