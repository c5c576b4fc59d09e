import { afterEach, expect, test } from 'vitest';
import { serverRuntime } from './server-runtime.ts';
import { loading } from './testing/asking.ts';
import { type OpenAiServer, type OpenAiServerOptions, startOpenAiServer } from './testing/open-ai-server.ts';

let server: OpenAiServer;
afterEach(() => server.close());

const loaded = async (options: OpenAiServerOptions = {}, model = 'small-model') => {
  server = await startOpenAiServer(options);
  return serverRuntime({ keyFor: () => '' }).loadEmbedder(
    { runtime: 'server', baseUrl: server.address, model },
    loading(),
  );
};

test('vectors come normalised, in the order of their texts, however the server orders them, batch by batch', async () => {
  const embedder = await loaded();
  expect(embedder).toMatchObject({ dimensions: 16, theta: 0.6 });
  const texts = Array.from({ length: 150 }, (_, i) => `text ${i} ${'abcdefgh'[i % 8]}`);
  const vectors = await embedder.embed(texts);
  expect(vectors).toHaveLength(150);
  for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  const [alone] = await embedder.embed([texts[100] as string]);
  expect(vectors[100]).toEqual(alone);
  expect(vectors[100]).not.toEqual(vectors[101]);
  expect(server.requests.map(({ body }) => body.input.length)).toEqual([1, 64, 64, 22, 1]);
});

test.each([
  ['vLLM', 400, "This model's maximum context length is 512 tokens. However, you requested 992 tokens."],
  ['Ollama', 400, 'the input length exceeds the context length'],
  ['llama.cpp', 500, 'input (992 tokens) is too large to process. increase the physical batch size (current: 512)'],
  ['Text Embeddings Inference', 413, 'Input validation error: `inputs` must have less than 512 tokens.'],
])('a text too long for %s is embedded in parts, and those beside it as ever', async (_, status, message) => {
  const embedder = await loaded({ embedsUpTo: { length: 40, status, message } });
  const long = `${'aaaa '.repeat(100)}${'bbbb '.repeat(100)}`;
  const [before, parted, after] = await embedder.embed(['first', long, 'last']);
  expect(await embedder.embed(['first', 'last'])).toEqual([before, after]);
  expect(Math.hypot(...(parted ?? []))).toBeCloseTo(1, 5);
  const [a, b] = await embedder.embed(['aaaa '.repeat(8), 'bbbb '.repeat(8)]);
  const mean = (a ?? new Float32Array()).map((value, i) => value + (b?.[i] ?? 0));
  const cosine = (parted ?? new Float32Array()).reduce((sum, value, i) => sum + value * (mean[i] ?? 0), 0);
  expect(cosine / Math.hypot(...mean)).toBeCloseTo(1, 3);
});

test('a text of which no part is short enough is said to be too long', async () => {
  const embedder = await loaded({
    embedsUpTo: { length: 40, status: 400, message: 'the input length exceeds the context length' },
  });
  await expect(embedder.embed(['x'.repeat(100_000)])).rejects.toMatchObject({ kind: 'too-long' });
  expect(server.requests.length).toBeLessThan(12);
});

test('a model or server that cannot embed', async () => {
  await expect(loaded({ embeds: false })).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('Choose an embedding model'),
  });
  await server.close();
  await expect(loaded({}, 'other')).rejects.toMatchObject({ kind: 'not-found' });
});

test.each([
  ['too few', { data: [] }],
  ['of no direction', { data: [{ index: 0, embedding: [0, 0, 0] }] }],
  ['of no length', { data: [{ index: 0, embedding: [] }] }],
  ['of another length', { data: [{ index: 0, embedding: [1, 2] }] }],
  ['something else', { vectors: [] }],
])('embeddings %s are refused', async (_, body) => {
  const embedder = await loaded();
  server.fail({ kind: 'status', status: 200, body }, '/embeddings');
  await expect(embedder.embed(['a text'])).rejects.toMatchObject({ kind: 'nonsense' });
});

test('closing rejects what is under way, an abort with its reason', async () => {
  const embedder = await loaded();
  server.fail({ kind: 'silence', after: null }, '/embeddings');
  const controller = new AbortController();
  const aborted = embedder.embed(['a'], controller.signal);
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  server.fail({ kind: 'silence', after: null }, '/embeddings');
  const closed = embedder.embed(['b']);
  embedder.close();
  await expect(closed).rejects.toMatchObject({ kind: 'closed' });
});
