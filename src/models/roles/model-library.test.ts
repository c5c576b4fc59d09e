import { describe, expect, test } from 'vitest';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ModelFiles } from '../store/model-files.ts';
import { chosen, opened, rig } from './testing/rig.ts';

test('a model chosen before the page has opened is refused as a failure, since one that was cancelled is not told', async () => {
  const refusal = { kind: 'unknown', message: 'The page is still opening. Try again in a moment.' };
  await expect(rig().roles.choose('chat', chosen('a'))).rejects.toMatchObject(refusal);
});

describe('a server', () => {
  test('keeps its key for the session, and on the machine only if so asked', async () => {
    const { roles, storage } = await opened();
    const baseUrl = 'http://localhost:1/v1';
    await roles.connect({ baseUrl, key: 'secret', remember: false });
    expect(roles.keyFor(baseUrl)).toBe('secret');
    expect(JSON.stringify(await storage.setting('server-keys')) ?? '').not.toContain('secret');
    await roles.connect({ baseUrl, key: 'secret', remember: true });
    expect((await opened(storage)).roles.keyFor(baseUrl)).toBe('secret');
    await roles.disconnect(baseUrl);
    expect(roles.keyFor(baseUrl)).toBe('');
    expect((await opened(storage)).roles.keyFor(baseUrl)).toBe('');
  });

  test('has the key that was last stored on the machine, in every tab', async () => {
    const { roles: here, storage } = await opened();
    const { roles: there } = await opened(storage);
    const baseUrl = 'http://localhost:1/v1';
    await here.connect({ baseUrl, key: 'old', remember: true });
    expect(here.keyFor(baseUrl)).toBe('old');
    await there.connect({ baseUrl, key: 'new', remember: true });
    await here.offers();
    expect(here.keyFor(baseUrl)).toBe('new');
    await there.disconnect(baseUrl);
    await here.offers();
    expect(here.keyFor(baseUrl)).toBe('');
  });

  test('connected to again without its key keeps the one it has', async () => {
    const { roles, storage, keysSent } = await opened();
    const baseUrl = 'http://localhost:1/v1';
    await roles.connect({ baseUrl, key: 'secret', remember: true });
    await roles.connect({ baseUrl, key: '', remember: false });
    expect(keysSent).toEqual(['secret', 'secret']);
    expect(await roles.serversWithKey()).toEqual([baseUrl]);
    expect((await opened(storage)).roles.keyFor(baseUrl)).toBe('secret');
    await roles.disconnect(baseUrl);
    expect(await roles.serversWithKey()).toEqual([]);
  });

  test('offers the models of it that were added, says where the text goes, and is forgotten with them', async () => {
    const { roles } = await opened();
    const baseUrl = 'http://localhost:1/v1';
    // As typed; what it returns is the address that its models are listed under.
    const found = await roles.connect({ baseUrl: 'localhost:1/', key: '', remember: false });
    expect(found).toEqual({ baseUrl, models: ['m'] });
    const offered = async () => (await roles.offers()).filter(({ runtime }) => runtime === 'server');
    expect(await offered()).toEqual([]);
    await roles.addOwn({ runtime: 'server', baseUrl: 'localhost:1/', model: 'm' });
    expect(await offered()).toEqual([expect.objectContaining({ name: 'm', leavesFor: baseUrl })]);
    await roles.disconnect(baseUrl);
    expect(await offered()).toEqual([]);
  });
});

describe('a folder of one’s own', () => {
  const folderOf = (...paths: readonly string[]) =>
    paths.map((path) => Object.assign(new File(['x'], path), { webkitRelativePath: `mine/${path}` }));
  const own = { runtime: 'transformers', task: 'generate', device: 'auto' } as const;

  test('is refused if it lacks a file without which it would not load', async () => {
    const { roles } = await opened(undefined, undefined, {} as ModelFiles);
    const folder = folderOf('config.json', 'tokenizer.json', 'onnx/model.onnx');
    await expect(roles.addOwn({ ...own, folder })).rejects.toThrow('The folder lacks tokenizer_config.json.');
  });

  test('leaves nothing behind if one of its files cannot be stored', async () => {
    const kept = new Map<string, string>();
    const files: Pick<ModelFiles, 'keep' | 'remove'> = {
      keep: async ({ key }, url) => {
        if (url.endsWith('.onnx')) throw new ModelFailure('storage-full', 'Full.');
        kept.set(url, key);
      },
      remove: async (key) => {
        for (const [url, owner] of kept) if (owner === key) kept.delete(url);
      },
    };
    const { roles } = await opened(undefined, undefined, files as ModelFiles);
    const folder = folderOf('config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx');
    await expect(roles.addOwn({ ...own, folder })).rejects.toThrow('Full.');
    expect([...kept]).toEqual([]);
    files.remove = () => Promise.reject(new Error('It is locked.'));
    await expect(roles.addOwn({ ...own, folder })).rejects.toThrow('Full.');
  });
});

describe('a GGUF', () => {
  const keyOf = async (typed: string, hub = 'https://huggingface.co') => {
    const { roles } = await opened();
    await roles.set({ hub });
    return (await roles.addOwn({ runtime: 'wllama', hub: typed, embeds: false })).key;
  };

  test.each([
    'owner/name/sub/m.gguf',
    'https://huggingface.co/owner/name/blob/main/sub/m.gguf',
    'https://huggingface.co/owner/name/resolve/main/sub/m.gguf?download=true',
    'huggingface.co/owner/name/sub/m.gguf',
    'huggingface.co/owner/name/blob/main/sub/m.gguf',
  ])('is found on the hub however its file is named: %s', async (typed) => {
    expect(await keyOf(typed)).toBe('wllama:owner/name/sub/m.gguf');
  });

  test('is taken from where its address says', async () => {
    const page = 'https://huggingface.co/owner/name/blob/v2/m.gguf';
    const file = 'wllama:https://huggingface.co/owner/name/resolve';
    expect(await keyOf(page)).toBe(`${file}/v2/m.gguf`);
    expect(await keyOf(page.replace('v2', 'main'), 'https://mirror.example/hub')).toBe(`${file}/main/m.gguf`);
    expect(await keyOf('https://mirror.example/hub/owner/name/blob/main/m.gguf', 'https://mirror.example/hub')).toBe(
      'wllama:owner/name/m.gguf',
    );
    const signed = 'https://bucket.example/download?file=1';
    expect(await keyOf(signed)).toBe(`wllama:${signed}`);
  });

  test.each(['owner/name', 'https://huggingface.co/owner/name', 'huggingface.co/owner/m.gguf'])(
    'is refused where no file of the hub is named: %s',
    async (typed) => {
      await expect(keyOf(typed)).rejects.toThrow('Enter the file as owner/name/file.gguf');
    },
  );
});

test('a hub’s address is kept without the slashes at its end', async () => {
  const { roles } = await opened();
  await roles.set({ hub: 'https://mirror.example/models//' });
  expect(roles.hub).toBe('https://mirror.example/models');
});

test('two tabs keep each other’s models, keys and choices', async () => {
  const { roles: here, storage } = await opened();
  const { roles: there } = await opened(storage);
  const connect = (roles: typeof here, baseUrl: string) => roles.connect({ baseUrl, key: 'secret', remember: true });
  await here.addOwn({ runtime: 'server', baseUrl: 'http://localhost:1/v1', model: 'm' });
  await connect(here, 'http://localhost:1/v1');
  await here.choose('summarise', { kind: 'same-as-chat' });
  await there.set({ hub: 'http://localhost:2' });
  await connect(there, 'http://localhost:3/v1');
  await there.choose('decide', { kind: 'same-as-chat' });
  const { roles, states } = await opened(storage);
  expect((await roles.offers()).filter(({ runtime }) => runtime === 'server')).toHaveLength(1);
  expect(await roles.serversWithKey()).toEqual(['http://localhost:1/v1', 'http://localhost:3/v1']);
  expect(roles.hub).toBe('http://localhost:2');
  expect(states).toMatchObject({
    summarise: { choice: { kind: 'same-as-chat' } },
    decide: { choice: { kind: 'same-as-chat' } },
  });
});
