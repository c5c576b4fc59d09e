import { bytesToHex } from '@noble/hashes/utils.js';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import type { Fault } from '../../../e2e/support/hub-faults.ts';
import { MODEL_BUCKET } from './file-store.ts';
import type { GetOptions, ModelFile } from './model-files.ts';
import { type OpenModelFiles, openModelFiles } from './open-model-files.ts';

/* The store in its worker, in a real browser: OPFS, Web Locks, quota, and a hub of another origin. */

const SIZE = 3_000_000;
const HUB = inject('hub');

const stores: OpenModelFiles[] = [];
let folder = '';
/** Opening the same folder again is what another tab does. */
const open = (again = false): OpenModelFiles => {
  if (!again) folder = `test-${crypto.randomUUID()}`;
  const files = openModelFiles({ folder, retryAfter: [1, 1, 1] });
  stores.push(files);
  return files;
};

afterEach(async () => {
  for (const files of stores.splice(0)) files.close();
  for (const root of [await navigator.storage.getDirectory(), await (await bucket()).getDirectory()]) {
    await root.removeEntry(folder, { recursive: true }).catch(() => undefined);
  }
});

interface Buckets {
  open(name: string): Promise<{ getDirectory(): Promise<FileSystemDirectoryHandle>; persisted(): Promise<boolean> }>;
  delete(name: string): Promise<void>;
}
const { storageBuckets } = navigator as unknown as { readonly storageBuckets: Buckets };
const bucket = () => storageBuckets.open(MODEL_BUCKET);
const filesIn = async (root: FileSystemDirectoryHandle): Promise<string[]> => {
  const names: string[] = [];
  const held = await root.getDirectoryHandle(folder).catch(() => null);
  for await (const name of held?.keys() ?? []) names.push(name);
  return names.sort();
};

const fail = (fault: Fault): Promise<Response> =>
  fetch(`${HUB}/-/faults`, { method: 'POST', body: JSON.stringify(fault) });
const requests = async (path: string): Promise<{ range: string | null; status: number; sent: number }[]> => {
  const log = (await (await fetch(`${HUB}/-/log`)).json()) as {
    path: string;
    range: string | null;
    status: number;
    sent: number;
  }[];
  return log.filter((request) => request.path.startsWith(path) && request.status !== 302);
};

/** A file that no other test requests. */
const fresh = (): { repo: string; file: ModelFile } => {
  const repo = `made/${crypto.randomUUID()}`;
  const model = { key: `test:${repo}`, name: 'A model' };
  return { repo, file: { model, url: `${HUB}/${repo}/resolve/main/${SIZE}.bin`, sha256: null } };
};
const calmly = (): GetOptions => ({ signal: new AbortController().signal });
const sha256 = async (blob: Blob): Promise<string> =>
  bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())));
const reference = async (file: ModelFile): Promise<string> => sha256(await (await fetch(file.url)).blob());

/** Aborts once this many bytes have arrived. */
const upTo = (bytes: number): GetOptions & { seen: number[] } => {
  const stop = new AbortController();
  const seen: number[] = [];
  return {
    seen,
    signal: stop.signal,
    onProgress: (loaded) => {
      seen.push(loaded);
      if (loaded > bytes) stop.abort(new Error('enough'));
    },
  };
};

describe('the model store', () => {
  it('keeps a file for good and gives it again without asking the network', async () => {
    const { repo, file } = fresh();
    const files = open();
    expect(await files.fleeting()).toBeNull();
    expect(await files.kept(file.url)).toBeNull();
    const seen: [number, number | null][] = [];
    const options = { ...calmly(), onProgress: (loaded: number, total: number | null) => seen.push([loaded, total]) };
    const blob = await files.get(file, options);
    expect(blob.size).toBe(SIZE);
    expect(seen.at(-1)).toEqual([SIZE, SIZE]);
    files.close();

    const later = open(true);
    const again = await later.kept(file.url);
    expect(again && (await sha256(again))).toBe(await sha256(blob));
    await later.get(file, calmly());
    expect(await requests(repo)).toHaveLength(1);
    expect(await later.list()).toEqual([{ ...file.model, bytes: SIZE, total: SIZE }]);
  });

  it('keeps files apart from what is a person’s own, where the browser may drop them', async () => {
    const { file } = fresh();
    const files = open();
    await files.get(file, calmly());
    expect(await filesIn(await navigator.storage.getDirectory())).toEqual([]);
    expect(await filesIn(await (await bucket()).getDirectory())).toHaveLength(2);
    expect(await (await bucket()).persisted()).toBe(false);
    files.close();
    await storageBuckets.delete(MODEL_BUCKET);
    const later = open(true);
    expect(await later.kept(file.url)).toBeNull();
    expect(await later.list()).toEqual([]);
    expect(await sha256(await later.get(file, calmly()))).toBe(await reference(file));
  });

  it('finds, finishes and removes what was kept before there was a place apart', async () => {
    const [whole, begun, other] = [fresh().file, fresh().file, fresh().file];
    await open().get(whole, calmly());
    const half = upTo(1_000_000);
    await open(true)
      .get(begun, half)
      .catch(() => undefined);
    for (const files of stores.splice(0)) files.close();
    const before = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
    const now = await (await (await bucket()).getDirectory()).getDirectoryHandle(folder);
    for await (const handle of now.values()) {
      const held = handle as FileSystemFileHandle & {
        move(to: FileSystemDirectoryHandle, name: string): Promise<void>;
      };
      // The browser holds a closed worker's files a moment longer.
      await vi.waitFor(() => held.move(before, held.name), { timeout: 20_000 });
    }
    expect(await filesIn(await (await bucket()).getDirectory())).toEqual([]);

    const later = open(true);
    expect(await sha256((await later.kept(whole.url)) ?? new Blob())).toBe(await reference(whole));
    expect((await later.get(begun, calmly())).size).toBe(SIZE);
    await later.get(other, calmly());
    expect(await later.list()).toHaveLength(3);
    expect(await filesIn(await navigator.storage.getDirectory())).toHaveLength(4);
    expect(await filesIn(await (await bucket()).getDirectory())).toHaveLength(2);
    for (const { model } of [whole, begun, other]) await later.remove(model.key);
    expect(await later.list()).toEqual([]);
    expect(await filesIn(await navigator.storage.getDirectory())).toEqual([]);
  });

  it('goes on in a later tab from where a killed one was', async () => {
    const { repo, file } = fresh();
    await fail({ path: repo, bytesPerSecond: 4_000_000 });
    const files = open();
    let came = 0;
    // Killed, not cancelled: nothing is cleaned up.
    const killed = new Promise<void>((resolve) => {
      const onProgress = (loaded: number): void => {
        came = loaded;
        if (loaded > 1_000_000) resolve();
      };
      files.get(file, { ...calmly(), onProgress }).catch(() => undefined);
    });
    await killed;
    files.close();
    await fail({ path: repo });
    const later = open(true);
    const blob = await later.get(file, calmly());
    expect(await sha256(blob)).toBe(await reference(file));
    expect(came).toBeGreaterThan(1_000_000);
    expect(await requests(repo)).toHaveLength(3);
  });

  it('keeps what came when it is cancelled, and goes on from there', async () => {
    const { repo, file } = fresh();
    await fail({ path: repo, bytesPerSecond: 4_000_000 });
    const files = open();
    await expect(files.get(file, upTo(500_000))).rejects.toThrow('enough');
    await fail({ path: repo });
    const blob = await files.get(file, calmly());
    expect(await sha256(blob)).toBe(await reference(file));
    const [, second] = await requests(repo);
    expect(Number(/\d+/.exec(second?.range ?? '')?.[0])).toBeGreaterThan(500_000);
  });

  it('shares one download among callers; one that leaves does not end it', async () => {
    const { repo, file } = fresh();
    await fail({ path: repo, bytesPerSecond: 6_000_000 });
    const files = open();
    const leaving = upTo(500_000);
    const [left, stayed] = await Promise.allSettled([files.get(file, leaving), files.get(file, calmly())]);
    expect(left.status).toBe('rejected');
    expect(stayed.status === 'fulfilled' && stayed.value.size).toBe(SIZE);
    expect(await requests(repo)).toHaveLength(1);
  });

  it('shares one download with another tab, which sees how far it is', async () => {
    const { repo, file } = fresh();
    await fail({ path: repo, bytesPerSecond: 6_000_000 });
    const one = open();
    const other = open(true);
    const seen = new Set<number>();
    const [a, b] = await Promise.all([
      one.get(file, calmly()),
      other.get(file, { ...calmly(), onProgress: (loaded) => seen.add(loaded) }),
    ]);
    expect([a.size, b.size]).toEqual([SIZE, SIZE]);
    expect(seen.size).toBeGreaterThan(2);
    expect(await requests(repo)).toHaveLength(1);
  });

  it('tells a server that keeps this page out from one that is not there', async () => {
    const { repo, file } = fresh();
    await fail({ path: repo, noCors: true });
    const files = open();
    await expect(files.get(file, calmly())).rejects.toMatchObject({ kind: 'cors' });
    const nobody = { ...file, url: 'http://127.0.0.1:9/x/y/resolve/main/1.bin' };
    await expect(files.get(nobody, calmly())).rejects.toMatchObject({ kind: 'unreachable' });
    await fail({ path: repo, status: 404 });
    await expect(files.get(file, calmly())).rejects.toMatchObject({ kind: 'not-found', name: 'ModelFailure' });
    expect(await files.list()).toEqual([]);
  });

  it('removes a file that is not what it should be', async () => {
    const { file } = fresh();
    const files = open();
    const wrong = { ...file, sha256: '0'.repeat(64) };
    await expect(files.get(wrong, calmly())).rejects.toMatchObject({ kind: 'corrupt' });
    expect(await files.kept(file.url)).toBeNull();
    expect(await files.list()).toEqual([]);
    await expect(files.get({ ...file, sha256: await reference(file) }, calmly())).resolves.toHaveProperty('size', SIZE);
  });

  it('says that the storage is full, keeps what fitted, and goes on once there is room', async () => {
    const { file } = fresh();
    const files = open();
    await files.list();
    const { usage = 0 } = await navigator.storage.estimate();
    const { origin } = location;
    await cdp().send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 1_500_000 });
    try {
      await expect(files.get(file, calmly())).rejects.toMatchObject({ kind: 'storage-full' });
      const [begun] = await files.list();
      expect(begun?.bytes).toBeGreaterThan(0);
      expect(begun?.bytes).toBeLessThan(1_500_000);
      const own = new Blob([new Uint8Array(2_000_000)]);
      await expect(files.keep(file.model, 'own:big/model.gguf', own)).rejects.toMatchObject({ kind: 'storage-full' });
    } finally {
      await cdp().send('Storage.overrideQuotaForOrigin', { origin });
    }
    expect(await sha256(await files.get(file, calmly()))).toBe(await reference(file));
    expect(await files.list()).toHaveLength(1);
  });

  it('keeps a file that the person gave, and says when it is gone', async () => {
    const files = open();
    const model = { key: 'wllama:file:abc', name: 'mine.gguf' };
    const own = { model, url: 'own:abc/mine.gguf', sha256: null };
    await files.keep(model, own.url, new Blob(['GGUF and more']));
    expect(await (await files.get(own, calmly())).text()).toBe('GGUF and more');
    expect(await files.list()).toEqual([{ ...model, bytes: 13, total: 13 }]);
    await files.remove(model.key);
    await expect(files.get(own, calmly())).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('deletes a model, but no file that another one needs', async () => {
    const { file } = fresh();
    const other = { key: 'test:other build', name: 'Another build' };
    const files = open();
    await files.get(file, calmly());
    await files.get({ ...file, model: other }, calmly());
    expect(await files.list()).toHaveLength(2);
    await files.remove(file.model.key);
    expect(await files.kept(file.url)).not.toBeNull();
    await files.remove(other.key);
    expect(await files.kept(file.url)).toBeNull();
    expect(await files.list()).toEqual([]);
  });

  it('rejects what is under way when it is closed, and works again afterwards', async () => {
    const { repo, file } = fresh();
    await fail({ path: repo, bytesPerSecond: 1_000_000 });
    const files = open();
    const under = files.get(file, calmly());
    files.close();
    await expect(under).rejects.toMatchObject({ kind: 'closed' });
    await fail({ path: repo });
    expect((await files.get(file, calmly())).size).toBe(SIZE);
  });
});
