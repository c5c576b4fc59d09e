import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-serve-'));
  mkdirSync(join(folder, 'dist'));
  vi.doMock('./run.mjs', () => ({ root: folder }));
});

afterAll(() => {
  vi.doUnmock('./run.mjs');
  rmSync(folder, { recursive: true });
});

test('a build is served as it is now, also when it was made again meanwhile', async () => {
  const { serve } = await import('./serve.mjs');
  const page = join(folder, 'dist', 'index.html');
  writeFileSync(page, 'old');
  const { address, close } = await serve();
  try {
    rmSync(page);
    writeFileSync(join(folder, 'dist', 'new.js'), 'new');
    expect((await fetch(address)).status).toBe(404);
    expect(await (await fetch(`${address}new.js`)).text()).toBe('new');
  } finally {
    await close();
  }
});

test('where another program has the port, the next is taken; where Coppice has it, that is found', async () => {
  const { serve, serveOrFind } = await import('./serve.mjs');
  writeFileSync(join(folder, 'dist', 'index.html'), '<title>Coppice</title>');
  const other = createServer((_, response) => response.end('Hello.'));
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const { port } = other.address() as AddressInfo;
  const coppice = await serve();
  try {
    const found = await serveOrFind(Number(new URL(coppice.address).port));
    expect(found).toMatchObject({ address: coppice.address, taken: [], isRunning: true });
    const next = await serveOrFind(port);
    expect(next.taken[0]).toBe(`http://127.0.0.1:${port}/`);
    expect(next.address).not.toBe(next.taken[0]);
    await next.close();
  } finally {
    await coppice.close();
    other.close();
  }
});

test('where the system keeps a port to itself, the next is taken', async () => {
  const { serve, serveOrFind } = await import('./serve.mjs');
  const before = await serve();
  await before.close();
  vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('not permitted'), { code: 'EACCES' })));
    return this;
  });
  try {
    const { address, taken, close } = await serveOrFind(Number(new URL(before.address).port));
    await close();
    expect(taken).toEqual([before.address]);
    expect(address).not.toBe(before.address);
  } finally {
    vi.restoreAllMocks();
  }
});
