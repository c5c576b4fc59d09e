import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
