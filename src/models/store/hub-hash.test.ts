import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, startHub } from '../../../e2e/support/hub.ts';
import { downloadModelFile } from './download.ts';
import { type FileStore, memoryDepot } from './file-store.ts';

const get = (depot: FileStore, url: string): Promise<void> =>
  downloadModelFile({ model: { key: 'test:one', name: 'One' }, url, sha256: null }, depot, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    retryAfter: [1],
    stalledAfter: 5000,
  });
const kept = async (depot: FileStore, url: string): Promise<Buffer> =>
  Buffer.from((await (await depot.blob(url))?.arrayBuffer()) ?? new ArrayBuffer(0));

describe('the download of a large file that a hub lists', () => {
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at >> 5) ^ at));
  let listing: Hub;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coppice-hub-'));
    await mkdir(join(folder, 'onnx'));
    await writeFile(join(folder, 'onnx', 'a model.onnx'), bytes);
    listing = await startHub({ repos: { 'mine/model': folder } });
  });
  afterAll(async () => {
    await listing.stop();
    await rm(folder, { recursive: true });
  });
  const url = (): string => `${listing.address}/mine/model/resolve/main/onnx/a%20model.onnx`;

  it('refuses bytes that were damaged on their way, and fetches them anew', async () => {
    const depot = memoryDepot(null);
    listing.fail({ path: 'mine/model', corrupt: true });
    await expect(get(depot, url())).rejects.toMatchObject({
      kind: 'corrupt',
      message: expect.stringContaining('Download it again'),
    });
    expect(await depot.journals()).toEqual([]);
    listing.fail();
    await get(depot, url());
    expect((await kept(depot, url())).equals(bytes)).toBe(true);
  });

  it('checks what had come before it broke off, too', async () => {
    const depot = memoryDepot(null);
    listing.fail({ path: 'mine/model', corrupt: true, cutAt: 2_000_000 });
    await expect(get(depot, url())).rejects.toMatchObject({ kind: 'download-interrupted' });
    listing.fail();
    await expect(get(depot, url())).rejects.toMatchObject({ kind: 'corrupt' });
  });

  it('goes on from what had come, and is well', async () => {
    const depot = memoryDepot(null);
    listing.fail({ path: 'mine/model', cutAt: 1_000_000 });
    await expect(get(depot, url())).rejects.toMatchObject({ kind: 'download-interrupted' });
    listing.fail();
    await get(depot, url());
    expect((await kept(depot, url())).equals(bytes)).toBe(true);
  });

  it('goes on without where the hub does not tell', async () => {
    const depot = memoryDepot(null);
    listing.fail({ path: 'api/mine/model', status: 500 });
    await get(depot, url());
    expect((await kept(depot, url())).equals(bytes)).toBe(true);
  });
});
