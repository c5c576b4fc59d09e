import { expect } from '@playwright/test';
import { TINY, test } from './support/webllm-page.ts';

// The real library in its real worker, as far as it gets without a real compiled model: it then requests the model
// itself and finds a stand-in.
const END = { ok: false, kind: 'unknown' };

test('brings a model here, tells bytes, and hands it to the library, which finds all of it', async ({
  webllm,
  model,
}) => {
  const told = await webllm.load();
  expect(told).toMatchObject({ ...END, prepared: model.bytes });
  expect(told.downloading.at(-1)).toEqual({ loaded: model.bytes, total: model.bytes });
  const bytes = told.downloading.map(({ loaded }) => loaded);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  expect(await webllm.libraryHasTiny()).toBe(true);
  expect(await webllm.stored()).toEqual([
    { key: `webllm:tiny@${webllm.hub.address}${TINY.weights}`, name: 'tiny', bytes: model.bytes, total: model.bytes },
  ]);
});

test('works with the network off once it is here, also after a reload', async ({ webllm, model }) => {
  await webllm.load();
  await webllm.hub.stop();
  await webllm.page.reload();
  const told = await webllm.load();
  expect(told).toMatchObject({ ...END, prepared: model.bytes });
  expect(told.downloading.at(-1)?.loaded).toBe(model.bytes);
});

test('is deleted whole, and then comes anew', async ({ webllm }) => {
  await webllm.load();
  const [stored] = await webllm.stored();
  await webllm.remove(stored?.key ?? '');
  expect(await webllm.stored()).toEqual([]);
  expect(await webllm.kept()).toEqual([]);
  expect(await webllm.libraryHasTiny()).toBe(false);
  webllm.hub.clearLog();
  await webllm.load();
  expect(webllm.fetched()).toHaveLength(9);
});

test('cancelled, it stops asking, keeps whole shards, and goes on from them', async ({ webllm, model }) => {
  webllm.hub.fail({ path: 'local/tiny/params_shard', bytesPerSecond: 200_000 });
  const told = await webllm.load({ cancelAt: 800_000 });
  expect(told).toMatchObject({ ok: false, message: 'cancelled' });
  const kept = (await webllm.kept()).filter((name) => name.startsWith('params'));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(model.shards.length);
  expect(await webllm.libraryHasTiny()).toBe(false);
  const [stored] = await webllm.stored();
  expect(stored?.bytes).toBeLessThan(model.bytes);

  // The transfer in progress has ended: the connection was cut.
  await expect
    .poll(() =>
      webllm.hub.log.some(({ path, status, sent }) => path.includes('shard') && status === 200 && sent < 200_000),
    )
    .toBe(true);
  webllm.hub.fail();
  webllm.hub.clearLog();
  const again = await webllm.load();
  expect(again.downloading[0]?.loaded).toBeGreaterThan(0);
  expect(again).toMatchObject({ ...END, prepared: model.bytes });
  const anew = webllm.fetched().filter((name) => name.startsWith('params'));
  expect(anew.toSorted()).toEqual(model.shards.filter((name) => !kept.includes(name)));
});

test('a page that is closed in the middle loses no whole shard', async ({ webllm, model }) => {
  webllm.hub.fail({ path: 'local/tiny/params_shard_4', bytesPerSecond: 1000 });
  const loading = webllm.load().catch(() => null);
  await expect.poll(async () => (await webllm.kept()).length).toBe(8);
  await webllm.page.reload();
  await loading;
  webllm.hub.fail();
  webllm.hub.clearLog();
  expect(await webllm.load()).toMatchObject({ ...END, prepared: model.bytes });
  expect(webllm.fetched()).toEqual(['params_shard_4.bin']);
});

test('a line that breaks once is taken up again; one that keeps breaking is told, and what came stays', async ({
  webllm,
  model,
}) => {
  webllm.hub.fail({ path: 'local/tiny/params_shard_1', cutAfter: 1000, times: 1 });
  expect(await webllm.load()).toMatchObject({ ...END, prepared: model.bytes });
  await webllm.remove((await webllm.stored())[0]?.key ?? '');

  webllm.hub.fail({ path: 'local/tiny/params_shard_4', cutAfter: 1000 });
  expect(await webllm.load()).toMatchObject({ ok: false, kind: 'download-interrupted', prepared: null });
  expect(await webllm.kept()).toContain('params_shard_0.bin');
  expect(await webllm.kept()).not.toContain('params_shard_4.bin');
  webllm.hub.fail();
  webllm.hub.clearLog();
  expect(await webllm.load()).toMatchObject(END);
  expect(webllm.fetched()).toEqual(['params_shard_4.bin']);
});

test('two who want the same model at the same time share one download', async ({ webllm, model }) => {
  const both = await Promise.all([webllm.load(), webllm.load()]);
  expect(both).toMatchObject([
    { ...END, prepared: model.bytes },
    { ...END, prepared: model.bytes },
  ]);
  expect(webllm.fetched()).toHaveLength(9);
});

test('files of a plain folder are found where they are', async ({ webllm, model }) => {
  // Not the form that the library gives an address.
  await webllm.page.context().route('**/plain/tiny/files/*', async (route) => {
    const name = route.request().url().split('/').at(-1);
    await route.continue({ url: `${webllm.hub.address}/local/tiny/resolve/main/${name}` });
  });
  const told = await webllm.load({
    custom: { weights: '/plain/tiny/files', library: '/plain/tiny/files/stand-in-webgpu.wasm' },
  });
  expect(told).toMatchObject({ ...END, prepared: model.bytes });
});

test('the library is not fetched before a model is loaded', async ({ webllm }) => {
  const scripts = await webllm.page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).decodedBodySize),
  );
  expect(Math.max(...scripts)).toBeLessThan(200_000);
});
