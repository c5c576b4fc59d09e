import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Hub, startHub } from '../../../e2e/support/hub.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ModelFile, ModelRef, StoreAnswer, StoreTask } from './model-files.ts';

/* The worker itself where site data is blocked: it keeps its files in memory, and is refused locks and channels. */

let hub: Hub;
let mirror: Hub;
const worker: { onmessage?(event: { data: unknown }): void; postMessage(answer: StoreAnswer): void } = {
  postMessage: (answer) => answers.get(answer.id)?.(answer),
};
const answers = new Map<number, (answer: StoreAnswer) => void>();

beforeAll(async () => {
  [hub, mirror] = await Promise.all([startHub(), startHub()]);
  const refuse = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('self', worker);
  vi.stubGlobal('navigator', { locks: { request: async () => refuse() }, storage: { getDirectory: refuse } });
  vi.stubGlobal('BroadcastChannel', new Proxy(BroadcastChannel, { construct: refuse }));
  await import('./store-worker.ts');
  await ask({ kind: 'open', options: { folder: 'test', retryAfter: [1], stalledAfter: 5000 } });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await Promise.all([hub.stop(), mirror.stop()]);
});
beforeEach(() => {
  for (const one of [hub, mirror]) {
    one.fail();
    one.clearLog();
  }
});

const ask = (task: StoreTask): Promise<StoreAnswer> => {
  const id = answers.size;
  return new Promise((resolve) => {
    answers.set(id, resolve);
    worker.onmessage?.({ data: { id, ...task } });
  });
};
const modelNamed = (name: string): ModelRef => ({ key: `test:${name}`, name });
const fileOf = ({ address }: Hub, name: string, size = 1000): ModelFile => ({
  model: modelNamed(name),
  url: `${address}/made/${name}/resolve/main/${size}.bin`,
  sha256: null,
});
const get = async (file: ModelFile): Promise<Blob> => {
  const answer = await ask({ kind: 'get', file });
  if (answer.kind !== 'file' || answer.blob === null) throw new ModelFailure('unknown', JSON.stringify(answer));
  return answer.blob;
};

test('a model from one hub is not downloaded again from another', async () => {
  for (const size of [1000, 2000]) await get(fileOf(hub, 'moved', size));
  // Of no hub, and so in nobody's way.
  await ask({ kind: 'keep', model: modelNamed('moved'), url: 'own:moved/coppice/lacks.json', blob: new Blob(['[]']) });
  for (const size of [1000, 2000]) expect((await get(fileOf(mirror, 'moved', size))).size).toBe(size);
  expect(mirror.log).toEqual([]);
});

test('two roles that want the same file share one download', async () => {
  const file = fileOf(hub, 'wanted', 2000);
  const both = await Promise.all([get(file), get(file)]);
  expect(both.map(({ size }) => size)).toEqual([2000, 2000]);
  expect(hub.log.filter(({ status }) => status !== 302)).toHaveLength(1);
});

test('files of two hubs, which may be of two versions, are not put together', async () => {
  await get(fileOf(hub, 'mixed', 1000));
  await get(fileOf(mirror, 'mixed', 2000));
  mirror.clearLog();
  await get(fileOf(mirror, 'mixed', 1000));
  expect(mirror.log).not.toEqual([]);

  await get(fileOf(hub, 'half', 1000));
  hub.fail({ path: 'made/half', cutAt: 1_000_000 });
  await expect(get(fileOf(hub, 'half', 3_000_000))).rejects.toThrow();
  mirror.clearLog();
  await get(fileOf(mirror, 'half', 1000));
  expect(mirror.log).not.toEqual([]);
});

test('a model is removed while another is being downloaded', async () => {
  await get(fileOf(hub, 'small'));
  const large = fileOf(hub, 'large', 3_000_000);
  hub.fail({ path: 'made/large', cutAt: 1_000_000 });
  await expect(get(large)).rejects.toThrow();
  hub.fail({ path: 'made/large', bytesPerSecond: 500_000 });
  let isWhole = false;
  const downloading = get(large).then(() => {
    isWhole = true;
  });
  expect(await ask({ kind: 'remove', modelKey: modelNamed('small').key })).toMatchObject({ kind: 'done' });
  expect(isWhole).toBe(false);
  const models = await ask({ kind: 'list' });
  expect(models.kind === 'models' && models.models.map(({ name }) => name)).not.toContain('small');
  hub.fail();
  await downloading;
});
