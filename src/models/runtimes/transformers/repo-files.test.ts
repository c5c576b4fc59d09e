import { expect, test } from 'vitest';
import type { ModelFiles } from '../../store/model-files.ts';
import type { TransformersSpec } from '../model-spec.ts';
import { loading } from '../testing/asking.ts';
import { transformersRuntime } from './transformers-runtime.ts';

/* A host that answers unknown paths with its own page, instead of saying that there is no such file. */

const WEB_PAGE = '<!doctype html><title>Welcome</title>';

const refusal = async (source: TransformersSpec['source'], texts: Readonly<Record<string, string>>) => {
  const removed: string[] = [];
  const at = (url: string): Blob => {
    const path = Object.keys(texts).find((one) => url.endsWith(`/${one}`));
    return new Blob([path === undefined ? WEB_PAGE : (texts[path] ?? '')]);
  };
  const files: ModelFiles = {
    get: async ({ url }) => at(url),
    kept: async (url) => (url.includes('/coppice/') ? null : at(url)),
    keep: async () => undefined,
    list: async () => [],
    remove: async (key) => void removed.push(key),
  };
  const runtime = transformersRuntime({ files, hub: () => 'https://hub.example' });
  const spec = { runtime: 'transformers', source, task: 'embed', dtype: 'q8', device: 'wasm' } as const;
  const error: unknown = await runtime.loadEmbedder(spec, loading).catch((thrown: unknown) => thrown);
  return { error, removed };
};

test.each([
  ['config.json', {}],
  ['1_Pooling/config.json', { 'main/config.json': '{}' }],
])('a %s that is a web page is not kept', async (path, texts) => {
  const { error, removed } = await refusal({ kind: 'hub', repo: 'local/model' }, texts);
  expect(error).toMatchObject({
    kind: 'corrupt',
    message: `${path} of model is not what it should be, and was deleted. Check the address of the model hub in Models, then try again.`,
  });
  expect(removed).toEqual(['transformers:local/model:q8:wasm']);
});

test('one in a folder of the person’s own stays theirs', async () => {
  const { error, removed } = await refusal({ kind: 'folder', name: 'mine', key: 'f1' }, {});
  expect(error).toMatchObject({ kind: 'corrupt', message: expect.stringMatching(/^config\.json in the folder mine/) });
  expect(removed).toEqual([]);
});
