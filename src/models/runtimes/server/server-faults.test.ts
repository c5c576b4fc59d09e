import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ModelFailure, ModelFailureKind } from '../../../engine/model-failure.ts';
import { modelsOfServer, serverRuntime } from './server-runtime.ts';
import { answered, loading } from './testing/asking.ts';
import {
  type Fault,
  type OpenAiServer,
  type OpenAiServerOptions,
  startOpenAiServer,
} from './testing/open-ai-server.ts';

const KEY = 'sk-very-secret-0815';
let server: OpenAiServer;
afterEach(() => server.close());

const loaded = async (options: OpenAiServerOptions = {}, patience = { first: 5000, between: 5000 }) => {
  server = await startOpenAiServer({ key: KEY, answer: 'one two three four five', ...options });
  const runtime = serverRuntime({ keyFor: () => KEY, patience });
  return runtime.loadGenerator({ runtime: 'server', baseUrl: server.address, model: 'small-model' }, loading());
};

const status = (code: number, body?: unknown, headers?: Record<string, string>): Fault => ({
  kind: 'status',
  status: code,
  ...(body === undefined ? {} : { body }),
  ...(headers === undefined ? {} : { headers }),
});

describe('instead of an answer', () => {
  test.each<[string, Fault, ModelFailureKind, RegExp]>([
    ['401', status(401), 'unauthorised', /does not accept the key \(401\)/],
    [
      '403',
      status(403, { error: { message: 'Your input was flagged', code: 403 } }),
      'unauthorised',
      /refused this \(403\): the key may not use this model, or the message was blocked.*It says: Your input was flagged/,
    ],
    ['404', status(404), 'not-found', /has no model “small-model”/],
    ['413', status(413), 'too-long', /longer than .*Shorten the message/],
    ['429 with seconds', status(429, undefined, { 'retry-after': '12' }), 'rate-limited', /Try again in 12 s/],
    ['429 with minutes', status(429, undefined, { 'retry-after': '600' }), 'rate-limited', /in 10 minutes/],
    [
      '429 with a date',
      status(429, undefined, { 'retry-after': new Date(Date.now() + 3.6e6).toUTCString() }),
      'rate-limited',
      /in 60 minutes/,
    ],
    ['429 alone', status(429), 'rate-limited', /Try again later/],
    ['500', status(500, { error: 'CUDA error' }), 'server-error', /failed \(500\).*It says: CUDA error/],
    ['503 while a model loads', status(503, { error: { message: 'Loading model' } }), 'server-error', /Loading model/],
    [
      'a web page with 502',
      status(502, '<html>Bad gateway</html>'),
      'server-error',
      /failed \(502\)\. Try again later\.$/,
    ],
    [
      'OpenAI: too long',
      status(400, { error: { message: 'x', code: 'context_length_exceeded' } }),
      'too-long',
      /longer/,
    ],
    [
      'llama.cpp: too long',
      status(400, { error: { message: 'x', type: 'exceed_context_size_error' } }),
      'too-long',
      /longer/,
    ],
    [
      'vLLM: too long',
      status(400, { error: { message: "This model's maximum context length is 4096" } }),
      'too-long',
      /4096/,
    ],
    [
      'SGLang: too long',
      status(400, {
        object: 'error',
        message: "The input is longer than the model's context length (4096 tokens).",
        type: 'BadRequestError',
        code: 400,
      }),
      'too-long',
      /longer.*Shorten the message.*It says: .*4096/,
    ],
    [
      'LM Studio: too long',
      {
        kind: 'error-event',
        after: 0,
        error: 'The number of tokens to keep from the initial prompt is greater than the context length.',
      },
      'too-long',
      /longer/,
    ],
    [
      'no memory for a context',
      status(500, { error: { message: 'failed to allocate a context size of 131072' } }),
      'server-error',
      /failed \(500\)/,
    ],
    ['418', status(418, { error: { message: 'I am a teapot' } }), 'unknown', /I am a teapot/],
    ['418 in a list', status(418, [{ error: { message: 'Teapot', code: 418 } }]), 'unknown', /It says: Teapot/],
    ['418 with a list', status(418, { error: { message: 'Teapot', param: ['tea'] } }), 'unknown', /It says: Teapot/],
    ['a web page', { kind: 'web-page' }, 'nonsense', /not as an OpenAI-compatible server does/],
    ['a broken connection', { kind: 'reset' }, 'unreachable', /closed the connection/],
    ['nothing said', { kind: 'empty', finish: 'stop' }, 'empty', /gave an empty answer/],
    ['thoughts that are hidden', { kind: 'empty', finish: 'length' }, 'empty', /was thinking.*Raise “Longest reply”/],
    [
      'an error that also ends the answer',
      { kind: 'error-event', after: 0, error: { message: 'Provider disconnected', code: 502 }, finish: 'error' },
      'server-error',
      /failed \(502\).*Provider disconnected/,
    ],
    ['an answer held back', { kind: 'empty', finish: 'content_filter' }, 'empty', /content filter.*Rephrase/],
  ])('%s', async (_, fault, kind, words) => {
    const generator = await loaded();
    server.fail(fault);
    const { text, error } = await answered(generator);
    expect(text).toBe('');
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(await answered(generator)).toEqual({ text: 'one two three four five', error: null });
  });
});

describe('in the middle of an answer, what came stays', () => {
  test.each<[string, Fault, ModelFailureKind, RegExp]>([
    ['the connection breaks', { kind: 'cut', after: 2 }, 'stream-cut', /was interrupted\. The part received is kept/],
    ['the stream ends too early', { kind: 'unfinished', after: 2 }, 'stream-cut', /was interrupted/],
    ['something that cannot be read', { kind: 'garbled-event', after: 2 }, 'nonsense', /not as an OpenAI-compatible/],
    ['a line that never ends', { kind: 'endless-line', after: 2 }, 'nonsense', /not as an OpenAI-compatible/],
    [
      'an error',
      { kind: 'error-event', after: 2, error: { message: 'out of memory' } },
      'server-error',
      /out of memory/,
    ],
    [
      'an error with a code',
      { kind: 'error-event', after: 2, error: { message: 'slow down', code: 429 } },
      'rate-limited',
      /slow down/,
    ],
    [
      'an error that also ends the answer',
      { kind: 'error-event', after: 2, error: { message: 'Provider disconnected', code: 502 }, finish: 'error' },
      'server-error',
      /failed \(502\).*Provider disconnected/,
    ],
    [
      'an end in error without its reason',
      { kind: 'error-event', after: 2, finish: 'error' },
      'stream-cut',
      /was interrupted\. The part received is kept/,
    ],
    [
      'the content filter steps in',
      { kind: 'empty', finish: 'content_filter', after: 2 },
      'stream-cut',
      /content filter of .* cut the answer off\. The part received is kept/,
    ],
    ['the server gives the request up', { kind: 'empty', finish: 'abort', after: 2 }, 'stream-cut', /was interrupted/],
  ])('%s', async (_, fault, kind, words) => {
    const generator = await loaded();
    server.fail(fault);
    const { text, error } = await answered(generator);
    expect(text).toBe('one two');
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) });
  });

  test('counts of tokens that are none spoil no answer', async () => {
    const generator = await loaded({ usage: { prompt_tokens: 1e308, completion_tokens: -1 } });
    expect(await answered(generator)).toEqual({ text: 'one two three four five', error: null });
  });

  test('thoughts alone are no answer', async () => {
    const generator = await loaded({ answer: { reasoning: 'hm, hm', text: '' } });
    const { text, error } = await answered(generator);
    expect(text).toBe('<think>\nhm, hm');
    expect(error).toMatchObject({ kind: 'empty', message: expect.stringContaining('“Longest reply” in Reply') });
  });
});

describe('silence', () => {
  test('before the first word', async () => {
    const generator = await loaded({}, { first: 60, between: 5000 });
    server.fail({ kind: 'silence', after: null });
    expect(await answered(generator)).toMatchObject({ text: '', error: { kind: 'timeout' } });
  });

  test('after an answer that is whole is none of it', async () => {
    const generator = await loaded({}, { first: 5000, between: 200 });
    server.fail({ kind: 'lingering' });
    expect(await answered(generator)).toEqual({ text: 'one two three four five', error: null });
  });

  test('in the middle', async () => {
    const generator = await loaded({}, { first: 5000, between: 200 });
    server.fail({ kind: 'silence', after: 2 });
    expect(await answered(generator)).toMatchObject({ text: 'one two', error: { kind: 'timeout' } });
  });
});

describe('loading', () => {
  const load = (baseUrl: string, model = 'small-model', key = KEY, signal?: AbortSignal) =>
    serverRuntime({ keyFor: () => key }).loadGenerator({ runtime: 'server', baseUrl, model }, loading(signal));

  test('nobody there', async () => {
    server = await startOpenAiServer();
    await server.close();
    await expect(load(server.address)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('Is the server running'),
    });
  });

  test('a wrong path, a key that is missing or wrong, something else than such a server', async () => {
    server = await startOpenAiServer({ key: KEY });
    await expect(load(`${server.address}/openai`)).rejects.toMatchObject({
      kind: 'not-found',
      message: expect.stringContaining('usually ends with /v1'),
    });
    await expect(load(server.address, 'small-model', '')).rejects.toMatchObject({
      kind: 'unauthorised',
      message: expect.stringContaining('requires a key'),
    });
    server.fail(status(403), '/models');
    await expect(load(server.address, 'small-model', '')).rejects.toMatchObject({
      kind: 'unauthorised',
      message: expect.stringMatching(/refused this \(403\)\. If it requires a key, enter it/),
    });
    await expect(load(server.address, 'small-model', 'sk-wrong')).rejects.toMatchObject({ kind: 'unauthorised' });
    server.fail({ kind: 'web-page' }, '/models');
    await expect(load(server.address)).rejects.toMatchObject({ kind: 'nonsense' });
  });

  test('a model that is not listed is tried: one that is not there is said to be missing', async () => {
    server = await startOpenAiServer({ key: KEY });
    await expect(load(server.address, 'other')).rejects.toMatchObject({
      kind: 'not-found',
      message: expect.stringContaining('“other”'),
    });
    server.set({ models: ['small-model:latest', 'other'] });
    expect((await load(server.address)).name).toMatch(/^small-model \(127\.0\.0\.1:\d+, window assumed: 8,192\)$/);
  });

  test('cancelled, it rejects with the reason', async () => {
    server = await startOpenAiServer({ key: KEY });
    server.fail({ kind: 'silence', after: null }, '/models');
    const controller = new AbortController();
    const load1 = load(server.address, 'small-model', KEY, controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error('cancelled'));
    await expect(load1).rejects.toThrow('cancelled');
  });

  test('a page over https cannot read from http elsewhere, and nothing is sent', async () => {
    const page = { origin: 'https://coppice.example', protocol: 'https:' };
    server = await startOpenAiServer();
    const runtime = serverRuntime({ keyFor: () => '', page });
    const spec = { runtime: 'server', baseUrl: 'http://192.0.2.1/v1', model: 'm' } as const;
    await expect(runtime.loadGenerator(spec, loading())).rejects.toMatchObject({
      kind: 'cors',
      message: expect.stringContaining('https address'),
    });
  });

  describe('a page over https', () => {
    const load = () => {
      const page = { origin: 'https://coppice.example', protocol: 'https:' };
      const spec = { runtime: 'server', baseUrl: 'http://192.168.1.5:1/v1', model: 'm' } as const;
      return serverRuntime({ keyFor: () => '', page }).loadGenerator(spec, loading());
    };
    afterEach(() => vi.unstubAllGlobals());

    test('reads from http on the local network where the browser lets it', async () => {
      vi.stubGlobal('fetch', async () => Response.json({ data: [{ id: 'm', max_model_len: 4096 }] }));
      expect(await load()).toMatchObject({ name: 'm (192.168.1.5:1)', window: 4096 });
    });

    test.each([
      ['a browser that never does', undefined, { kind: 'cors', message: expect.stringContaining('https address') }],
      [
        'one in which this was denied',
        'denied',
        { kind: 'unreachable', message: expect.stringContaining('allow “local network access”') },
      ],
    ])('is told why it cannot: %s', async (_, state, failure) => {
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
      vi.stubGlobal('navigator', { permissions: state && { query: async () => ({ state }) } });
      await expect(load()).rejects.toMatchObject(failure);
    });
  });
});

test('no message and no cause of any failure repeats the key, though the server does', async () => {
  const generator = await loaded();
  const failures: ModelFailure[] = [];
  for (const code of [400, 401, 403, 404, 429, 500, 503]) {
    const fault = status(code, { error: { message: `Bad key ${KEY}` } });
    server.fail(fault);
    // A refused request is retried in a plainer form.
    if (code === 400) server.fail(fault);
    failures.push((await answered(generator)).error as ModelFailure);
  }
  server.fail({ kind: 'error-event', after: 0, error: { message: `key ${KEY}` } });
  failures.push((await answered(generator)).error as ModelFailure);
  expect(failures.map(({ kind }) => kind)).toEqual([
    'unknown',
    'unauthorised',
    'unauthorised',
    'not-found',
    'rate-limited',
    'server-error',
    'server-error',
    'server-error',
  ]);
  for (const { message, stack, cause } of failures) expect(`${message} ${stack} ${cause}`).not.toContain(KEY);
});

test('an Ollama without models lists none', async () => {
  server = await startOpenAiServer();
  server.fail({ kind: 'status', status: 200, body: { object: 'list', data: null } }, '/models');
  expect(await modelsOfServer({ keyFor: () => '' }, server.address)).toEqual([]);
});

test('a list of models may come as the array alone', async () => {
  server = await startOpenAiServer();
  server.fail({ kind: 'status', status: 200, body: [{ id: 'b', context_length: 8192 }, { id: 'a' }] }, '/models');
  expect(await modelsOfServer({ keyFor: () => '' }, server.address)).toEqual(['b', 'a']);
});

test('the list of models is the server’s, in its order', async () => {
  server = await startOpenAiServer({ models: ['b', { id: 'a', owned_by: 'library' }] });
  expect(await modelsOfServer({ keyFor: () => '' }, server.address.replace('http://', ''))).toEqual(['b', 'a']);
});
