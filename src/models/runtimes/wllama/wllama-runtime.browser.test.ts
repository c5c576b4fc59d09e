import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Usage } from '../../../domain/reply.ts';
import { openModelFiles } from '../../store/open-model-files.ts';
import { specKey, type WllamaSpec } from '../model-spec.ts';
import type { LoadedEmbedder, LoadProgress, TextGenerator } from '../runtime.ts';
import { asked, collect, loading, never, stoppedEarly } from '../testing/asking.ts';
import { ggufFile } from './testing/gguf-file.ts';
import { splitGguf } from './testing/split-gguf.ts';
import { wllamaRuntime } from './wllama-runtime.ts';

const missing = inject('modelsMissing');
const files = openModelFiles({ folder: 'wllama-tests' });
const runtime = wllamaRuntime({ files, hub: () => inject('hub') });
const stories = (file = 'stories260K-f32.gguf'): WllamaSpec => ({
  runtime: 'wllama',
  source: { kind: 'hub', repo: 'local/stories260K-gguf', file },
  embeds: false,
});
const own = (key: string): WllamaSpec => ({
  runtime: 'wllama',
  source: { kind: 'file', name: 'mine.gguf', key },
  embeds: false,
});
const keep = (key: string, bytes: BlobPart): Promise<void> =>
  files.keep({ key: `wllama:file:${key}`, name: 'mine.gguf' }, `own:${key}/mine.gguf`, new Blob([bytes]));

afterAll(async () => {
  for (const { key } of await files.list()) await files.remove(key);
  files.close();
});

describe.skipIf(missing !== null)(`a real GGUF model${missing === null ? '' : ` (${missing})`}`, () => {
  let model: TextGenerator;
  const progress: LoadProgress[] = [];
  beforeAll(async () => {
    model = await runtime.loadGenerator(stories(), { ...loading, onProgress: (told) => progress.push(told) });
  });
  afterAll(() => model.close());

  test('is downloaded and prepared with progress, and says what runs it', () => {
    expect(progress.some(({ phase, loaded, total }) => phase === 'downloading' && loaded === total)).toBe(true);
    expect(progress.at(-1)?.phase).toBe('preparing');
    expect(model.name).toMatch(/^stories260K-f32\.gguf \(wllama, WASM/);
    expect(model.window).toBe(512);
  });

  test('streams an answer, as long as it may be, and tells what it used', async () => {
    const usage: Usage[] = [];
    const { text, pieces } = await collect(
      model.generate(asked('Once upon a time', { maxTokens: 24, onUsage: (one) => usage.push(one) }), never),
    );
    expect(text.length).toBeGreaterThan(10);
    expect(pieces).toBeGreaterThan(3);
    expect(usage).toHaveLength(1);
    expect(usage[0]?.generated).toBe(24);
    expect((usage[0]?.prefilled ?? 0) + (usage[0]?.reused ?? 0)).toBeGreaterThan(10);
  });

  test('says the same at temperature 0, other things at a high one, and heeds top-p', async () => {
    const say = async (temperature: number, topP: number | null = null): Promise<string> =>
      (await collect(model.generate(asked('The cat sat', { temperature, topP, maxTokens: 16 }), never))).text;
    const greedy = await say(0);
    expect(await say(0)).toBe(greedy);
    expect(new Set([await say(2), await say(2), await say(2), greedy]).size).toBeGreaterThan(1);
    expect(await say(2, 0.000_01)).toBe(greedy);
  });

  test('goes on with an answer that was begun, and does not say it again', async () => {
    const begun = 'Lily and the';
    const { text } = await collect(model.generate(asked('Tell me a story', { begun, maxTokens: 12 }), never));
    expect(text).not.toBe('');
    expect(text.startsWith(begun)).toBe(false);
    const whole = await collect(model.generate(asked('Tell me a story', { maxTokens: 12 }), never));
    expect(whole.text).not.toBe(text);
  });

  test.each([
    { type: 'object', properties: { action: { enum: ['create', 'switch'] } }, required: ['action'] },
    {
      type: 'object',
      properties: { action: { enum: ['continue'] }, target: { type: 'string', maxLength: 4 } },
      required: ['action', 'target'],
      additionalProperties: false,
    },
  ])('answers by a schema, whatever it would rather say: %#', async (schema) => {
    const { text } = await collect(model.generate(asked('Which one?', { schema, maxTokens: 120 }), never));
    const answer = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(schema.required);
    expect(schema.properties.action.enum).toContain(answer.action);
  });

  test('counts tokens as it reads them, and keeps its cache while it does', async () => {
    const usage: Usage[] = [];
    const onUsage = (one: Usage): void => {
      usage.push(one);
    };
    const long = 'Tom had a red ball and a big dog. He liked to run and play with the dog in the park.';
    expect(model.estimates).toBe(false);
    const [none, whole, twice] = await model.count(['', long, `${long} ${long}`]);
    expect(none).toBe(0);
    expect(twice).toBe((whole ?? 0) * 2);
    await collect(model.generate(asked(long, { maxTokens: 4, onUsage }), never));
    await model.count([long]);
    await collect(model.generate(asked(`${long} Then`, { maxTokens: 4, onUsage }), never));
    const [, second] = usage;
    expect(second?.reused).toBeGreaterThanOrEqual(whole ?? Number.NaN);
    expect(second?.prefilled).toBeLessThan(whole ?? Number.NaN);
  });

  test('says that a text is too long, and is well afterwards', async () => {
    const long = collect(model.generate(asked('word '.repeat(600)), never));
    await expect(long).rejects.toMatchObject({ kind: 'too-long' });
    expect((await collect(model.generate(asked('Hi', { maxTokens: 4 }), never))).text).not.toBe('');
  });

  test('stops when it is told to, keeps what came, tells what it used, and answers the next', async () => {
    const { text, usage } = await stoppedEarly(model);
    expect(text.length).toBeGreaterThan(20);
    expect(usage[0]?.generated).toBeLessThan(400);
    for await (const _ of model.generate(asked('Once', { maxTokens: 400 }), never)) break;
    expect((await collect(model.generate(asked('Hi', { maxTokens: 4 }), never))).text).not.toBe('');
  });

  test('asked twice at once, answers both', async () => {
    const say = (word: string) => collect(model.generate(asked(word, { maxTokens: 8 }), never));
    const [both, alone] = [await Promise.all([say('One'), say('Two')]), [await say('One'), await say('Two')]];
    expect(both.map(({ text }) => text)).toEqual(alone.map(({ text }) => text));
  });

  test('put away in the middle of an answer, says so', async () => {
    const other = await runtime.loadGenerator(stories(), loading);
    const reading = async (): Promise<void> => {
      for await (const _ of other.generate(asked('Once', { maxTokens: 400 }), never)) other.close();
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'closed' });
    expect((await collect(model.generate(asked('Hi', { maxTokens: 4 }), never))).text).not.toBe('');
  });

  test('is listed with what it takes, and can be removed while it is in use', async () => {
    const key = 'wllama:local/stories260K-gguf/stories260K-f32.gguf';
    const listed = (await runtime.stored()).find((stored) => stored.key === key);
    expect(listed).toMatchObject({ name: 'stories260K-f32.gguf', bytes: 1_185_472 });
    await runtime.remove(key);
    expect((await runtime.stored()).some((stored) => stored.key === key)).toBe(false);
    expect((await collect(model.generate(asked('Hi', { maxTokens: 4 }), never))).text).not.toBe('');
  });

  describe('as an embedder', () => {
    let embedder: LoadedEmbedder;
    beforeAll(async () => {
      embedder = await runtime.loadEmbedder({ ...stories(), embeds: true }, loading);
    });
    afterAll(() => embedder.close());

    test('gives one normalised vector a text, the same for the same, nothing for nothing', async () => {
      const [a, b, again, none] = await embedder.embed(['A dog ran.', 'The moon is round.', 'A dog ran.', ' ']);
      expect(a).toHaveLength(64);
      expect(Math.hypot(...(a ?? []))).toBeCloseTo(1, 4);
      expect(again).toEqual(a);
      expect(b).not.toEqual(a);
      expect(Math.hypot(...(none ?? [1]))).toBe(0);
    });

    test('reads a text that is longer than its window in parts', async () => {
      const [vector] = await embedder.embed(['The dog ran to the park. '.repeat(100)]);
      expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 4);
    });
  });

  const whole = async (): Promise<ArrayBuffer> =>
    (await fetch(`${inject('hub')}/local/stories260K-gguf/resolve/main/stories260K-f32.gguf`)).arrayBuffer();

  test('in parts says what it says in one piece', async () => {
    const spec: WllamaSpec = {
      runtime: 'wllama',
      source: { kind: 'url', url: 'https://split.invalid/stories-00001-of-00002.gguf' },
      embeds: false,
    };
    for (const [i, part] of splitGguf(await whole()).entries()) {
      const url = `https://split.invalid/stories-0000${i + 1}-of-00002.gguf`;
      await files.keep({ key: specKey(spec), name: 'stories' }, url, new Blob([part]));
    }
    const parts = await runtime.loadGenerator(spec, loading);
    const request = asked('The cat sat', { maxTokens: 12 });
    const [one, other] = [await collect(parts.generate(request, never)), await collect(model.generate(request, never))];
    parts.close();
    expect(one.text).toBe(other.text);
  });

  describe('that is broken', () => {
    test('in its length is told before it is loaded', async () => {
      await keep('short', (await whole()).slice(0, -1000));
      await expect(runtime.loadGenerator(own('short'), loading)).rejects.toMatchObject({
        kind: 'corrupt',
        message: expect.stringContaining('1,184,472 of 1,185,472 bytes'),
      });
    });

    test('in its header is told, too', async () => {
      await keep('page', '<!doctype html><title>Sign in</title>');
      await expect(runtime.loadGenerator(own('page'), loading)).rejects.toMatchObject({ kind: 'corrupt' });
    });

    test('inside is told where llama.cpp takes it for loaded', async () => {
      await keep('hollow', ggufFile({ metadata: { 'general.architecture': 'llama' }, tensors: [] }));
      await expect(runtime.loadGenerator(own('hollow'), loading)).rejects.toMatchObject({ kind: 'corrupt' });
    });
  });

  test('cancelled while it loads, leaves nothing behind', async () => {
    const stop = new AbortController();
    const load = runtime.loadGenerator(stories(), {
      ...loading,
      signal: stop.signal,
      onProgress: ({ phase }) => phase === 'preparing' && stop.abort(new Error('changed my mind')),
    });
    await expect(load).rejects.toThrow('changed my mind');
  });
});

test('a model that is not there is not found', async () => {
  await expect(runtime.loadGenerator(stories('other.gguf'), loading)).rejects.toMatchObject({ kind: 'not-found' });
});
