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
