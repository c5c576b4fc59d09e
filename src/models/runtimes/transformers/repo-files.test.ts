import { describe, expect, test } from 'vitest';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { ModelFiles } from '../../store/model-files.ts';
import type { TransformersSpec } from '../model-spec.ts';
import { loading } from '../testing/asking.ts';
import { type Candidate, Repo } from './repo-files.ts';
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

describe('a repository that lacks some formats', () => {
  const HUB = 'https://hub.example';
  const spec = {
    runtime: 'transformers',
    source: { kind: 'hub', repo: 'local/model' },
    task: 'embed',
    dtype: 'auto',
    device: 'auto',
  } as const;

  /** A store with what was downloaded from a hub, and the hub's files. */
  const hubWith = (paths: readonly string[]) => {
    const stored = new Map<string, Blob>();
    const hub = { isUp: true, asked: [] as string[] };
    const files: ModelFiles = {
      get: async ({ url }) => {
        const there = stored.get(url);
        if (there !== undefined) return there;
        hub.asked.push(url.slice(url.indexOf('/main/') + 6));
        if (!hub.isUp) throw new ModelFailure('unreachable', 'You are offline.');
        if (!paths.some((path) => url.endsWith(`/${path}`))) throw new ModelFailure('not-found', 'There is none.');
        const blob = new Blob(['{}']);
        stored.set(url, blob);
        return blob;
      },
      kept: async (url) => stored.get(url) ?? null,
      keep: async (_, url, blob) => void stored.set(url, blob),
      list: async () => [],
      remove: async () => undefined,
    };
    /** Fetches weights in these formats, one after the other, as a page that has just been opened does. */
    const opened = async (dtypes: readonly Candidate['dtype'][]) => {
      hub.asked = [];
      const repo = new Repo(spec, files, HUB);
      await repo.described(loading);
      const found: string[] = [];
      for (const dtype of dtypes) {
        await repo.weights({ device: 'webgpu', dtype }, {}, loading).then(
          () => found.push(dtype),
          (error: ModelFailure) => found.push(error.kind),
        );
      }
      return found;
    };
    return { hub, opened };
  };
  const DESCRIBED = ['config.json', 'tokenizer.json', 'tokenizer_config.json', '1_Pooling/config.json'];

  test('is not asked for them again, and loads offline', async () => {
    const { hub, opened } = hubWith([...DESCRIBED, 'onnx/model.onnx']);
    expect(await opened(['fp16', 'fp32'])).toEqual(['not-found', 'fp32']);
    hub.isUp = false;
    expect(await opened(['fp16', 'fp32'])).toEqual(['not-found', 'fp32']);
    expect(hub.asked).toEqual([]);
  });

  test('is asked again where it seemed to have none at all', async () => {
    const paths = [...DESCRIBED];
    const { opened } = hubWith(paths);
    expect(await opened(['fp16', 'fp32'])).toEqual(['not-found', 'not-found']);
    paths.push('onnx/model_fp16.onnx');
    expect(await opened(['fp16'])).toEqual(['fp16']);
  });
});
