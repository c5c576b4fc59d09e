import { chromium, expect } from '@playwright/test';
import { launchOptions, SOFTWARE_GPU } from '../scripts/find-browser.mjs';
import { standInLibrary } from './support/compiled-model.ts';
import { TINY, test, WebLlmPage } from './support/webllm-page.ts';

const library = (name: string) => ({ ...TINY, library: `/local/tiny/resolve/main/${name}` });

test('a library that is not there', async ({ webllm }) => {
  const told = await webllm.load({ custom: library('none.wasm') });
  expect(told).toMatchObject({ ok: false, kind: 'not-found', message: expect.stringContaining('none.wasm') });
});

for (const [what, name] of [
  ['a page in place of the library', 'page.wasm'],
  ['a library of something else', 'other.wasm'],
] as const) {
  test(`${what} is not kept`, async ({ webllm }) => {
    const told = await webllm.load({ custom: library(name) });
    expect(told).toMatchObject({ ok: false, kind: 'corrupt', prepared: null, message: expect.stringContaining(name) });
    expect(await webllm.kept()).not.toContain(name);
  });
}

test('weights that are not there, and a model that WebLLM does not know', async ({ webllm }) => {
  const told = await webllm.load({ custom: { ...TINY, weights: '/local/nothing' } });
  expect(told).toMatchObject({
    ok: false,
    kind: 'not-found',
    message: expect.stringContaining('mlc-chat-config.json'),
  });
  expect(await webllm.load({ modelId: 'Nobody-7B', custom: null })).toMatchObject({ ok: false, kind: 'not-found' });
});

test('a shard whose bytes are others is refused and fetched anew', async ({ webllm, model }) => {
  webllm.hub.fail({ path: 'local/tiny/params_shard_2', corrupt: true });
  const told = await webllm.load();
  expect(told).toMatchObject({ ok: false, kind: 'corrupt', message: expect.stringContaining('params_shard_2.bin') });
  expect(await webllm.kept()).not.toContain('params_shard_2.bin');
  webllm.hub.fail();
  expect(await webllm.load()).toMatchObject({ kind: 'unknown', prepared: model.bytes });
});

test('a server that lets no page read, one that is away, one that wants to be paid', async ({ webllm }) => {
  webllm.hub.fail({ path: 'local/tiny', noCors: true });
  expect(await webllm.load()).toMatchObject({ ok: false, kind: 'cors' });
  webllm.hub.fail({ path: 'local/tiny', status: 401 });
  expect(await webllm.load()).toMatchObject({ ok: false, kind: 'unauthorised' });
  await webllm.hub.stop();
  expect(await webllm.load()).toMatchObject({ ok: false, kind: 'unreachable' });
});

test('a model that is known not to fit is refused before its weights come', async ({ webllm }) => {
  await webllm.page.context().route('**/tensor-cache.json', (route) =>
    route.fulfill({
      json: { records: [{ dataPath: 'params_shard_0.bin', nbytes: 2e15 }] },
      headers: { 'Access-Control-Allow-Origin': '*' },
    }),
  );
  const told = await webllm.load();
  expect(told).toMatchObject({ ok: false, kind: 'storage-full', message: expect.stringContaining('2000 TB more') });
  expect(webllm.fetched()).toEqual(['mlc-chat-config.json']);
});

test('storage that fills up in the middle is told, and what came stays', async ({ webllm, site }) => {
  const session = await webllm.page.context().newCDPSession(webllm.page);
  webllm.hub.fail({ path: 'local/tiny/params_shard_4', bytesPerSecond: 20_000 });
  const loading = webllm.load();
  await expect.poll(async () => (await webllm.kept()).length).toBe(8);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(site).origin, quotaSize: 1000 });
  expect(await loading).toMatchObject({ ok: false, kind: 'storage-full' });
  expect(await webllm.kept()).toHaveLength(8);
});

test('without 16-bit shaders it takes the 32-bit build, and says so', async ({ webllm, model }) => {
  await webllm.page
    .context()
    .route('https://raw.githubusercontent.com/**', (route) =>
      route.fulfill({ body: standInLibrary(), headers: { 'Access-Control-Allow-Origin': '*' } }),
    );
  const told = await webllm.load({ modelId: 'Qwen3-0.6B-q4f16_1-MLC', custom: null });
  expect(told).toMatchObject({
    kind: 'unknown',
    prepared: model.bytes,
    message: expect.stringContaining('Qwen3-0.6B-q4f32_1 (WebLLM, WebGPU without shader-f16)'),
  });
  // Stored under the model that was chosen, which is what the user deletes.
  expect(await webllm.stored()).toMatchObject([{ key: 'webllm:Qwen3-0.6B-q4f16_1-MLC' }]);
});

test('a build that needs 16-bit shaders and has no other is refused before anything is fetched', async ({ webllm }) => {
  expect(await webllm.load({ modelId: 'tiny-q4f16_1' })).toMatchObject({ ok: false, kind: 'no-shader-f16' });
  expect(webllm.hub.log).toEqual([]);
});

test('no GPU: refused before anything is fetched, the library included', async ({ hub, site }) => {
  const browser = await chromium.launch(await launchOptions(['--disable-gpu', '--disable-software-rasterizer']));
  try {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(site);
    expect(await new WebLlmPage(page, hub).load()).toMatchObject({ ok: false, kind: 'no-webgpu' });
    expect(hub.log).toEqual([]);
    expect(asked.filter((url) => /lib|web-llm/.test(url))).toEqual([]);
  } finally {
    await browser.close();
  }
});

for (const [what, kind] of [
  ['crashes', 'device-lost'],
  // What the library does when it is refused memory for a buffer.
  ['is given up by the library', 'out-of-memory'],
] as const) {
  test(`a GPU that ${what} while the model is put onto it`, async ({ hub, site, model }) => {
    const browser = await chromium.launch(await launchOptions(SOFTWARE_GPU));
    try {
      const page = await browser.newPage();
      await page.goto(site);
      hub.fail({ path: 'local/tiny/params_shard_4', bytesPerSecond: 20_000 });
      const loading = new WebLlmPage(page, hub).load();
      const worker = await page.waitForEvent('worker');
      await worker.evaluate(holdLastShard);
      // The library has its device and is waiting for the shard.
      await expect.poll(() => worker.evaluate(() => Reflect.get(self, 'waiting'))).toBe(true);
      if (kind === 'device-lost') {
        const session = await browser.newBrowserCDPSession();
        // The crash takes the reply to this command with it.
        session.send('Browser.crashGpuProcess').catch(() => undefined);
      } else {
        await worker.evaluate(() => Reflect.get(self, 'device').destroy());
      }
      const end = await loading;
      expect(end).toMatchObject({ ok: false, kind });
      expect(end.prepared).toBeLessThan(model.bytes);
    } finally {
      await browser.close();
    }
  });
}

/** In the worker: keeps a reference to the device and makes the library wait for a shard forever. */
const holdLastShard = (): void => {
  const { match } = Cache.prototype;
  Cache.prototype.match = function (this: Cache, request, options) {
    const isLast = request instanceof Request && request.url.endsWith('params_shard_3.bin');
    if (!isLast) return match.call(this, request, options);
    Reflect.set(self, 'waiting', true);
    return new Promise(() => undefined);
  };
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, ...given) {
    const device = await requestDevice.apply(this, given);
    Reflect.set(self, 'device', device);
    return device;
  };
};
