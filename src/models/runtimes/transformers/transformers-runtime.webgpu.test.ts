import { afterAll, describe, expect, inject, test } from 'vitest';
import type { Usage } from '../../../domain/reply.ts';
import { openModelFiles } from '../../store/open-model-files.ts';
import { specKey, type TransformersSpec } from '../model-spec.ts';
import { asked, collect, loading, never } from '../testing/asking.ts';
import { wllamaRuntime } from '../wllama/wllama-runtime.ts';
import { GLOVE, keptFolder } from './testing/own-folder.ts';
import { transformersRuntime } from './transformers-runtime.ts';

const missing = inject('modelsMissing');
const files = openModelFiles({ folder: 'transformers-webgpu-tests' });
const sources = { files, hub: () => inject('hub') };
const runtime = transformersRuntime(sources);
const onGpu = { dtype: 'auto', device: 'webgpu' } as const;

afterAll(async () => {
  for (const { key } of await files.list()) await files.remove(key);
  files.close();
});

describe.skipIf(missing !== null)(`real models on a GPU${missing === null ? '' : ` (${missing})`}`, () => {
  const folder = (key: string): Promise<TransformersSpec> =>
    keptFolder(files, `${inject('hub')}/local/glove-wink-100d-30k`, GLOVE, { key, task: 'embed', ...onGpu });
  const reference = (spec: TransformersSpec): string => `own:${specKey(spec)}/coppice/reference-q8.json`;

  test('an embedder gives what the same weights give in WASM, which is asked once and kept', async () => {
    const spec = await folder('mine');
    const model = await runtime.loadEmbedder(spec, loading);
    expect(model.name).toBe('mine (transformers.js, WebGPU, q8)');
    const texts = ['The dog ran.', 'How do I prune a hazel in winter, and with what?', 'yes'];
    const onGpu = await model.embed(texts);
    model.close();
    const inWasm = await runtime.loadEmbedder({ ...spec, device: 'wasm' }, loading);
    const apart = (await inWasm.embed(texts)).flatMap((vector, i) =>
      Array.from(vector, (value, at) => Math.abs(value - (onGpu[i]?.[at] ?? Number.NaN))),
    );
    inWasm.close();
    expect(Math.max(...apart)).toBeLessThan(1e-3);
    expect(await files.kept(reference(spec))).not.toBeNull();
  });

  test('one that does not is left for WASM, and its name says so', async () => {
    const spec = await folder('wrong');
    const turned = [0, 1, 2, 3].map((i) => Array.from({ length: 100 }, (_, at) => ((at * 7 + i) % 5) - 2));
    await files.keep({ key: specKey(spec), name: 'wrong' }, reference(spec), new Blob([JSON.stringify(turned)]));
    const model = await runtime.loadEmbedder(spec, loading);
    expect(model.name).toBe('wrong (transformers.js, WASM, q8; WebGPU q8 gave wrong results)');
    model.close();
  });

  test('a language model writes, and uses again what it has read', async () => {
    const spec: TransformersSpec = {
      runtime: 'transformers',
      source: { kind: 'hub', repo: 'local/stories260K' },
      task: 'generate',
      dtype: 'fp32',
      device: 'webgpu',
    };
    const model = await runtime.loadGenerator(spec, loading);
    expect(model.name).toBe('stories260K (transformers.js, WebGPU, fp32)');
    const usage: Usage[] = [];
    const onUsage = (one: Usage): void => {
      usage.push(one);
    };
    const say = async (text: string): Promise<string> =>
      (await collect(model.generate(asked(text, { maxTokens: 6, onUsage }), never))).text;
    const start = 'Once upon a time';
    const first = await say(start);
    expect(first).not.toBe('');
    await say(`${start}${first} and`);
    expect(usage[1]?.reused).toBeGreaterThan(usage[0]?.prefilled ?? Number.NaN);
    model.close();
  });

  test('a GPU in software is nobody’s first choice, and llama.cpp says that it runs on the processor', async () => {
    const hub = { kind: 'hub', repo: 'local/glove-wink-100d-30k' } as const;
    const spec: TransformersSpec = {
      runtime: 'transformers',
      source: hub,
      task: 'embed',
      dtype: 'auto',
      device: 'auto',
    };
    const model = await runtime.loadEmbedder(spec, loading);
    expect(model.name).toContain('(transformers.js, WASM');
    model.close();
    const llama = await wllamaRuntime(sources).loadGenerator(
      {
        runtime: 'wllama',
        source: { kind: 'hub', repo: 'local/stories260K-gguf', file: 'stories260K-f32.gguf' },
        embeds: false,
      },
      loading,
    );
    expect(llama.name).toContain('(wllama, WASM');
    llama.close();
  });
});
