import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuilt } from './build.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-build-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a file and dates it, and its folder, `at` seconds. */
const write = (path: string, at: number) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  for (const dated of [file, dirname(file)]) utimesSync(dated, at, at);
};

test('only a complete build without options counts as built', () => {
  write('src/main.tsx', 100);
  write('dist/index.html', 200);
  expect(isBuilt(folder)).toBe(false);
  write('dist/.built', 200);
  expect(isBuilt(folder)).toBe(true);
});

test('what the service worker is made of counts among the sources', () => {
  write('src/main.tsx', 100);
  write('dist/.built', 200);
  write('scripts/page-headers.mjs', 300);
  expect(isBuilt(folder)).toBe(false);
});
