import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtFiles } from './service-worker-plugin.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-worker-'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['index-AAAAAAAA.js', 'index-BBBBBBBB.css']) writeFileSync(join(folder, 'assets', name), '');
});

afterEach(() => rmSync(folder, { recursive: true }));

const publish = (base: string) =>
  writeFileSync(
    join(folder, 'index.html'),
    `<link rel="icon" href="${base}icon.svg">
<script type="module" crossorigin src="${base}assets/index-AAAAAAAA.js"></script>
<link rel="stylesheet" crossorigin href="${base}assets/index-BBBBBBBB.css">`,
  );

test.each(['./', '/', '/sub/', 'https://files.example/sub/'])(
  'what the first paint needs is among the cached files, for a page built for %s',
  async (base) => {
    publish(base);
    const { first, page } = await builtFiles(folder, base);
    expect(first).toEqual(['assets/index-AAAAAAAA.js', 'assets/index-BBBBBBBB.css']);
    expect(page.map(({ url }) => url)).toEqual(expect.arrayContaining(first));
  },
);

test('a page that could never open from its cache is not built', async () => {
  publish('/elsewhere/');
  await expect(builtFiles(folder, '/sub/')).rejects.toThrow('/elsewhere/assets/index-AAAAAAAA.js');
});
