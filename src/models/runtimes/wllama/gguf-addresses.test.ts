import { afterEach, expect, test, vi } from 'vitest';
import type { ModelFiles } from '../../store/model-files.ts';
import { specName, type WllamaSpec } from '../model-spec.ts';
import { loading } from '../testing/asking.ts';
import { ggufFiles, wllamaRuntime } from './wllama-runtime.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const HUB = 'https://hub.example';
const urls = (source: Parameters<typeof ggufFiles>[0]['source']) =>
  ggufFiles({ runtime: 'wllama', source, embeds: false }, HUB).map(({ url }) => url);

test('a model of the hub is one file in its repository', () => {
  expect(urls({ kind: 'hub', repo: 'owner/name', file: 'sub/model.gguf' })).toEqual([
    'https://hub.example/owner/name/resolve/main/sub/model.gguf',
  ]);
});

test('a split model is all its parts, in order, whichever was named', () => {
  expect(urls({ kind: 'url', url: 'https://x.example/m-00002-of-00003.gguf?download=true' })).toEqual([
    'https://x.example/m-00001-of-00003.gguf?download=true',
    'https://x.example/m-00002-of-00003.gguf?download=true',
    'https://x.example/m-00003-of-00003.gguf?download=true',
  ]);
});

test('a model is named after its file, without the signature in its address', () => {
  const named = (url: string) => {
    const spec: WllamaSpec = { runtime: 'wllama', source: { kind: 'url', url }, embeds: false };
    expect(ggufFiles(spec, HUB)).toMatchObject([{ url, model: { name: specName(spec) } }]);
    return specName(spec);
  };
  expect(named('https://bucket.example/models/my%20model.gguf?X-Amz-Signature=secret')).toBe('my model.gguf');
  expect(named('https://bucket.example/o/models%2Fmine.gguf?token=a/secret')).toBe('mine.gguf');
  expect(named('https://bucket.example/100%.gguf#secret')).toBe('100%.gguf');
});

test('a file of the person’s own is where it was kept', () => {
  expect(urls({ kind: 'file', name: 'mine.gguf', key: 'k1' })).toEqual(['own:k1/mine.gguf']);
});

test('nothing is downloaded where the browser could not run it', async () => {
  vi.stubGlobal('WebAssembly', { Memory: class {} });
  const get = vi.fn<ModelFiles['get']>(() => Promise.reject(new Error('downloaded')));
  const { loadGenerator } = wllamaRuntime({ files: { get } as unknown as ModelFiles, hub: () => HUB });
  const spec: WllamaSpec = { runtime: 'wllama', source: { kind: 'hub', repo: 'a/b', file: 'm.gguf' }, embeds: false };
  await expect(loadGenerator(spec, loading)).rejects.toThrow('downloaded');
  vi.stubGlobal('WebAssembly', {});
  get.mockClear();
  await expect(loadGenerator(spec, loading)).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('64-bit WebAssembly'),
  });
  expect(get).not.toHaveBeenCalled();
});
