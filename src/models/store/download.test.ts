import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, startHub } from '../../../e2e/support/hub.ts';
import { hubFile } from '../../../e2e/support/hub-files.ts';
import { downloadModelFile } from './download.ts';
import { fileInWords, fullFailure } from './failures.ts';
import { type FileStore, memoryDepot, wholeFromAnotherHub } from './file-store.ts';

/* The download itself, over real HTTP from a hub that misbehaves as told. */

const SIZE = 3_000_000;
const MODEL = { key: 'test:one', name: 'One' };

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.stop());
afterEach(() => {
  hub.fail();
  hub.clearLog();
});

const urlOf = (repo: string, size = SIZE): string => `${hub.address}/made/${repo}/resolve/main/${size}.bin`;
const bytesOf = (repo: string, version = 0, size = SIZE): Buffer =>
  hubFile({}, `made/${repo}`, `${size}.bin`, version)?.bytes ?? Buffer.alloc(0);
/** Ranges of the requests for the file itself, which is behind a redirect. */
const ranges = (): (string | null)[] => askedForFiles().flatMap(({ status, range }) => (status === 302 ? [] : [range]));
/** All requests except those for the hub's listings. */
const askedForFiles = () => hub.log.filter(({ path }) => !path.startsWith('/api/'));

interface Told {
  readonly sha256?: string | null;
  readonly signal?: AbortSignal;
  onProgress?(loaded: number, total: number | null): void;
}

const get = async (depot: FileStore, url: string, told: Told = {}): Promise<void> =>
  downloadModelFile({ model: MODEL, url, sha256: told.sha256 ?? null }, depot, {
    signal: told.signal ?? new AbortController().signal,
    onProgress: told.onProgress ?? (() => undefined),
    retryAfter: [1, 1, 1],
    stalledAfter: 5000,
  });
const kept = async (depot: FileStore, url: string): Promise<Buffer> =>
  Buffer.from((await (await depot.blob(url))?.arrayBuffer()) ?? new ArrayBuffer(0));

it('a file is named in words whatever its address has in it', () => {
  expect(fileInWords('https://hub.example/a/my%20model.gguf?token=secret')).toBe('my model.gguf from hub.example');
  expect(fileInWords('https://hub.example:8080/a/100%.gguf')).toBe('100%.gguf from hub.example:8080');
});

describe('a download', () => {
  it('follows the redirect, tells how far it is, and keeps the file with its facts', async () => {
    const depot = memoryDepot(null);
    const seen: [number, number | null][] = [];
    await get(depot, urlOf('plain'), { onProgress: (loaded, total) => seen.push([loaded, total]) });
    expect((await kept(depot, urlOf('plain'))).equals(bytesOf('plain'))).toBe(true);
    expect(seen[0]).toEqual([0, null]);
    expect(seen.at(-1)).toEqual([SIZE, SIZE]);
    expect(seen.every(([loaded], at) => loaded >= (seen[at - 1]?.[0] ?? 0))).toBe(true);
    expect(await depot.journal(urlOf('plain'))).toMatchObject({ whole: true, total: SIZE, models: [MODEL] });
    expect(askedForFiles().map(({ status }) => status)).toEqual([302, 206]);
  });

  it('goes on from where the line broke, as often as something comes', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/cut', cutAfter: 500_000 });
    await get(depot, urlOf('cut'));
    expect((await kept(depot, urlOf('cut'))).equals(bytesOf('cut'))).toBe(true);
    expect(ranges().length).toBeGreaterThanOrEqual(6);
    expect(new Set(ranges()).size).toBe(ranges().length);
  });

  it('gives up after a few tries when nothing more comes, keeps what came, and a later one goes on from there', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/gone', cutAt: 1_000_000 });
    await expect(get(depot, urlOf('gone'))).rejects.toMatchObject({ kind: 'download-interrupted' });
    const journal = await depot.journal(urlOf('gone'));
    expect(journal).toMatchObject({ whole: false, total: SIZE });
    expect(journal?.flushed).toBeGreaterThan(0);
    hub.fail();
    hub.clearLog();
    await get(depot, urlOf('gone'));
    expect(ranges()).toEqual([`bytes=${journal?.flushed}-`]);
    expect((await kept(depot, urlOf('gone'))).equals(bytesOf('gone'))).toBe(true);
  });

  it('rejects with the reason of an abort, keeps what came, and goes on later', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/stop', bytesPerSecond: 4_000_000 });
    const stop = new AbortController();
    const reason = new Error('enough');
    const onProgress = (loaded: number): void => {
      if (loaded > 400_000) stop.abort(reason);
    };
    await expect(get(depot, urlOf('stop'), { signal: stop.signal, onProgress })).rejects.toBe(reason);
    const came = (await kept(depot, urlOf('stop'))).length;
    expect(came).toBeGreaterThan(400_000);
    hub.clearLog();
    await get(depot, urlOf('stop'));
    expect(ranges()).toEqual([`bytes=${came}-`]);
    expect((await kept(depot, urlOf('stop'))).equals(bytesOf('stop'))).toBe(true);
  });

  it('starts over where a server ignores ranges', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/norange', noRange: true, cutAfter: 1_000_000, times: 2 });
    await get(depot, urlOf('norange'));
    expect((await kept(depot, urlOf('norange'))).equals(bytesOf('norange'))).toBe(true);
  });

  it('starts over when the file became another one', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/new', cutAt: 1_000_000 });
    await expect(get(depot, urlOf('new'))).rejects.toMatchObject({ kind: 'download-interrupted' });
    hub.fail({ path: 'made/new', version: 2 });
    await get(depot, urlOf('new'));
    expect((await kept(depot, urlOf('new'))).equals(bytesOf('new', 2))).toBe(true);
  });

  it('believes no bytes that were not flushed before a crash', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/crash', cutAt: 1_000_000 });
    await expect(get(depot, urlOf('crash'))).rejects.toMatchObject({ kind: 'download-interrupted' });
    const journal = await depot.journal(urlOf('crash'));
    if (journal === null) throw new Error('no journal');
    await depot.saveJournal({ ...journal, flushed: 300_000 });
    hub.fail();
    hub.clearLog();
    await get(depot, urlOf('crash'));
    expect(ranges()).toEqual(['bytes=300000-']);
    expect((await kept(depot, urlOf('crash'))).equals(bytesOf('crash'))).toBe(true);
  });

  it('is found again under the address of another hub, for the same model', async () => {
    const depot = memoryDepot(null);
    await get(depot, urlOf('moved'));
    const url = `https://mirror.example/models/made/moved/resolve/main/${SIZE}.bin`;
    const file = { model: MODEL, url, sha256: null };
    expect((await wholeFromAnotherHub(depot, file))?.size).toBe(SIZE);
    expect(await wholeFromAnotherHub(depot, { ...file, model: { key: 'test:other', name: 'Other' } })).toBeNull();
    expect(await wholeFromAnotherHub(depot, { ...file, url: url.replace('moved', 'else') })).toBeNull();
    const journals = () => Promise.reject(new DOMException('It was just written.', 'NotReadableError'));
    expect(await wholeFromAnotherHub({ ...depot, journals }, file)).toBeNull();
    hub.fail({ path: 'made/half', cutAt: 1_000_000 });
    await expect(get(depot, urlOf('half'))).rejects.toThrow();
    expect(await wholeFromAnotherHub(depot, { ...file, url: url.replace('moved', 'half') })).toBeNull();
  });

  it('takes an empty file for one', async () => {
    const depot = memoryDepot(null);
    await get(depot, urlOf('empty', 0));
    expect(await depot.journal(urlOf('empty', 0))).toMatchObject({ whole: true, total: 0 });
  });

  it('tells by kind why a server does not give the file', async () => {
    const refused = async (status: 401 | 403 | 404 | 429 | 500): Promise<void> => {
      hub.fail({ path: `made/refused-${status}`, status });
      await get(memoryDepot(null), urlOf(`refused-${status}`));
    };
    // Hugging Face answers so about a name with a letter wrong.
    const message = expect.stringContaining('There may be no such model, so check its name.');
    await expect(refused(401)).rejects.toMatchObject({ kind: 'unauthorised', message });
    await expect(refused(403)).rejects.toMatchObject({ kind: 'unauthorised' });
    await expect(refused(404)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(refused(429)).rejects.toMatchObject({ kind: 'rate-limited' });
    await expect(refused(500)).rejects.toMatchObject({ kind: 'server-error' });
  });

  it('waits out a refusal that passes, and not one that asks for minutes', async () => {
    const depot = memoryDepot(null);
    hub.fail({ path: 'made/busy', status: 503, times: 2 });
    await get(depot, urlOf('busy'));
    expect(ranges()).toHaveLength(3);
    hub.fail({ path: 'made/later', status: 429, retryAfter: 600 });
    hub.clearLog();
    await expect(get(depot, urlOf('later'))).rejects.toMatchObject({ kind: 'rate-limited' });
    expect(ranges()).toHaveLength(1);
  });

  it('removes a file whose hash or length is wrong', async () => {
    const depot = memoryDepot(null);
    const sha256 = createHash('sha256').update(bytesOf('hash')).digest('hex');
    await get(depot, urlOf('hash'), { sha256: sha256.toUpperCase() });
    hub.fail({ path: 'made/bad', corrupt: true });
    const badHash = createHash('sha256').update(bytesOf('bad')).digest('hex');
    await expect(get(depot, urlOf('bad'), { sha256: badHash })).rejects.toMatchObject({ kind: 'corrupt' });
    hub.fail({ path: 'made/short', wrongLengthBy: 1000 });
    await expect(get(depot, urlOf('short'))).rejects.toMatchObject({ kind: 'corrupt' });
    expect((await depot.journals()).map(({ url }) => url)).toEqual([urlOf('hash')]);
    expect(await depot.blob(urlOf('bad'))).toBeNull();
  });

  it('does not begin what is known not to fit, and says how much is missing', async () => {
    const depot: FileStore = { ...memoryDepot(null), room: async () => 1_000_000 };
    await expect(get(depot, urlOf('big'))).rejects.toMatchObject({
      kind: 'storage-full',
      message: expect.stringContaining('2.0 MB short'),
    });
    expect((await kept(depot, urlOf('big'))).length).toBe(0);
  });

  it('says that the storage is full when it turns out to be, and keeps what fitted', async () => {
    const memory = memoryDepot(null);
    const depot: FileStore = {
      ...memory,
      open: async (url) => {
        const file = await memory.open(url);
        return Object.assign(Object.create(file), {
          write: (bytes: Uint8Array<ArrayBuffer>) => {
            if (file.size + bytes.length > 1_000_000) throw new DOMException('full', 'QuotaExceededError');
            file.write(bytes);
          },
        });
      },
    };
    await expect(get(depot, urlOf('quota'))).rejects.toMatchObject({
      kind: 'storage-full',
      message: expect.stringContaining('The part received is kept.'),
    });
    // Of one's own file, nothing is.
    expect((await fullFailure(depot, 5, 'own:k/a.gguf')).message).toMatch(/^This file needs .* smaller model\.$/);
    expect((await depot.journal(urlOf('quota')))?.flushed).toBeGreaterThan(0);
  });

  it('says at once that nobody is there', async () => {
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    await expect(get(memoryDepot(null), `http://127.0.0.1:${port}/x.bin`)).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });

  it('takes a line without a byte for a broken one', async () => {
    const silent = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('begun');
    });
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    const stalled = downloadModelFile(
      { model: MODEL, url: `http://127.0.0.1:${port}/x.bin`, sha256: null },
      memoryDepot(null),
      {
        signal: new AbortController().signal,
        onProgress: () => undefined,
        retryAfter: [1],
        stalledAfter: 100,
      },
    );
    await expect(stalled).rejects.toMatchObject({ kind: 'download-interrupted' });
    silent.closeAllConnections();
    silent.close();
  });
});
