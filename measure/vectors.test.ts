import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { USE_LITE_DIMENSIONS } from '../src/engine/embedded-names.ts';
import { keepVectors, readCache } from './vectors.ts';

let folder: URL;
beforeEach(async () => {
  folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'coppice-vectors-'))}/`);
});
afterEach(() => rm(folder, { recursive: true }));

/** A vector whose numbers are all one and the same, under a key of that number. */
const vectorsOf = (number: number): Map<string, Float32Array> =>
  new Map([[String(number).padStart(32, '0'), new Float32Array(USE_LITE_DIMENSIONS).fill(number)]]);

test('vectors that were kept while others were being made are kept beside those', async () => {
  await keepVectors(vectorsOf(1), folder);
  await keepVectors(vectorsOf(2), folder);
  expect(await readCache(folder)).toEqual(new Map([...vectorsOf(1), ...vectorsOf(2)]));
});

test('threads of one process can keep vectors at the same time', async () => {
  await Promise.all([1, 2, 3, 4].map((number) => keepVectors(vectorsOf(number), folder)));
  const kept = [...(await readCache(folder))];
  expect(kept).not.toEqual([]);
  for (const [key, vector] of kept) expect(new Map([[key, vector]])).toEqual(vectorsOf(Number(key)));
  expect(await readdir(folder)).toHaveLength(1);
});
