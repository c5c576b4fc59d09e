import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createEncoderClient } from '../../embedded/encoder-client.ts';
import { openModelFiles } from '../../store/open-model-files.ts';
import type { TransformersSpec } from '../model-spec.ts';
import type { LoadedEmbedder, LoadProgress } from '../runtime.ts';
import { loading } from '../testing/asking.ts';
import { GLOVE, keptFolder } from './testing/own-folder.ts';
import { transformersRuntime } from './transformers-runtime.ts';

const missing = inject('modelsMissing');
const files = openModelFiles({ folder: 'transformers-tests' });
const runtime = transformersRuntime({ files, hub: () => inject('hub') });
const auto = { dtype: 'auto', device: 'auto' } as const;
const hub = (name: string, task: TransformersSpec['task']): TransformersSpec => ({
  runtime: 'transformers',
  source: { kind: 'hub', repo: `local/${name}` },
  task,
  ...auto,
});
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const embedded = async (spec: TransformersSpec, texts: readonly string[]): Promise<Float32Array[]> => {
  const model = await runtime.loadEmbedder(spec, loading);
  const vectors = await model.embed(texts);
  model.close();
  return vectors;
};

afterAll(async () => {
  for (const { key } of await files.list()) await files.remove(key);
  files.close();
});

describe.skipIf(missing !== null)(`real ONNX models${missing === null ? '' : ` (${missing})`}`, () => {
  describe('an embedder of the hub', () => {
    let model: LoadedEmbedder;
    const progress: LoadProgress[] = [];
    beforeAll(async () => {
      model = await runtime.loadEmbedder(hub('glove-wink-100d-30k', 'embed'), {
        ...loading,
        onProgress: (told) => progress.push(told),
      });
    });
    afterAll(() => model.close());

    test('is downloaded with progress, and says how it runs', () => {
      expect(progress.some(({ phase, loaded, total }) => phase === 'downloading' && loaded === total)).toBe(true);
      expect(progress.at(-1)?.phase).toBe('preparing');
      expect(model.name).toBe('glove-wink-100d-30k (transformers.js, WASM, q8)');
      expect(model.dimensions).toBe(100);
    });

    test('gives one normalised vector a text, the same for the same, nothing for nothing', async () => {
      const [a, b, again, none] = await model.embed(['The dog ran.', 'The moon is round.', 'The dog ran.', ' ']);
      expect(Math.hypot(...(a ?? []))).toBeCloseTo(1, 4);
      expect(again).toEqual(a);
      expect(b).not.toEqual(a);
      expect(Math.hypot(...(none ?? [1]))).toBe(0);
    });

    test('hears what a long text says at its end', async () => {
      const tail = 'The train to the airport leaves from the central station.';
      const [long, short] = await model.embed([
        `${'We cooked beans with rice. '.repeat(300)}${`${tail} `.repeat(60)}`,
        tail,
      ]);
      expect(cosine(long ?? new Float32Array(), short ?? new Float32Array())).toBeGreaterThan(0.2);
    });

    test('is listed with what it takes', async () => {
      const [kept] = (await runtime.stored()).filter(({ name }) => name === 'glove-wink-100d-30k');
      expect(kept?.bytes).toBeGreaterThan(3_000_000);
    });
  });

  test('the same weights give what the embedded encoder gives', async () => {
    const texts = [
      'How do I sort a list in Python?',
      'The ferry to the island leaves at nine.',
      'Bury the seedlings deep.',
    ];
    const encoder = createEncoderClient(new URL('/models/use-lite-en/', location.href).href, () => undefined);
    const [ours, theirs] = [await encoder.embed(texts), await embedded(hub('use-lite-en', 'embed'), texts)];
    encoder.close();
    ours.forEach((vector, i) => {
      expect(cosine(vector, theirs[i] ?? new Float32Array())).toBeGreaterThan(0.99);
    });
  });

  describe('a folder of the person’s own', () => {
    const glove = (): string => `${inject('hub')}/local/glove-wink-100d-30k`;
    const load = async (key: string, changed: Record<string, BlobPart | null> = {}): Promise<Float32Array[]> =>
      embedded(await keptFolder(files, glove(), GLOVE, { key, task: 'embed', ...auto }, changed), ['The dog ran.']);

    test('is a model as good as the hub’s', async () => {
      const [[own], [hubs]] = [
        await load('mine'),
        await embedded(hub('glove-wink-100d-30k', 'embed'), ['The dog ran.']),
      ];
      expect(own).toEqual(hubs);
    });

    test('that lacks a file says which', async () => {
      await expect(load('half', { 'tokenizer.json': null })).rejects.toMatchObject({
        kind: 'not-found',
        message: expect.stringContaining('tokenizer.json'),
      });
      await expect(load('bare', { 'onnx/model_quantized.onnx': null })).rejects.toMatchObject({ kind: 'not-found' });
    });

    test('with a page in place of its weights is corrupt', async () => {
      await expect(load('page', { 'onnx/model_quantized.onnx': '<!doctype html>' })).rejects.toMatchObject({
        kind: 'corrupt',
      });
    });

    test('that gives other vectors than its name promises is not believed', async () => {
      const bytes = await (await fetch(`${glove()}/resolve/main/onnx/model_quantized.onnx`)).arrayBuffer();
      new Uint8Array(bytes).fill(0, 1000, 3_000_000);
      await expect(load('glove-wink-100d-30k', { 'onnx/model_quantized.onnx': bytes })).rejects.toMatchObject({
        kind: 'untrusted',
      });
    });
  });

  test('cancelled while it loads, leaves nothing behind', async () => {
    const stop = new AbortController();
    const load = runtime.loadEmbedder(hub('glove-wink-100d-30k', 'embed'), {
      ...loading,
      signal: stop.signal,
      onProgress: ({ phase }) => phase === 'preparing' && stop.abort(new Error('changed my mind')),
    });
    await expect(load).rejects.toThrow('changed my mind');
  });
});

test('a model that is not there is not found', async () => {
  await expect(runtime.loadEmbedder(hub('nowhere', 'embed'), loading)).rejects.toMatchObject({ kind: 'not-found' });
});
