import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { USE_LITE_DIMENSIONS } from '../src/engine/embedded-names.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';
import { onThreads } from './threads.ts';

const KEY_BYTES = 16;
const FOLDER = new URL('../node_modules/.cache/coppice/', import.meta.url);
const FILE = 'use-lite-en-int8.vectors';

/** Embeds texts with the shipped encoder, and keeps the vectors for the next run. */
export const embedAll = async (
  texts: Iterable<string>,
  say: (line: string) => void,
  progress: (done: number, of: number) => void = (done, of) => {
    if (done % 1000 === 0) say(`embedded ${done} of ${of} texts`);
  },
): Promise<VectorOf> => {
  const known = await readCache();
  const missing = [...new Set(texts)].filter((text) => text !== '' && !known.has(keyOf(text)));
  let done = 0;
  await embedMany(missing, (text, vector) => {
    known.set(keyOf(text), vector);
    progress(++done, missing.length);
  });
  if (missing.length > 0) await keepVectors(known);
  const none = new Float32Array(USE_LITE_DIMENSIONS);
  return (text) => {
    if (text === '') return none;
    const vector = known.get(keyOf(text));
    if (vector === undefined) throw new Error(`a text was not embedded: ${text.slice(0, 40)}`);
    return vector;
  };
};

const keyOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * KEY_BYTES);

/** The vectors that were kept, by key. */
export const readCache = async (folder = FOLDER): Promise<Map<string, Float32Array>> => {
  const known = new Map<string, Float32Array>();
  // A Buffer's own `slice` would share its memory.
  const bytes = new Uint8Array(await readFile(new URL(FILE, folder)).catch(() => []));
  const size = KEY_BYTES + USE_LITE_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
  for (let start = 0; start + size <= bytes.length; start += size) {
    const key = Buffer.from(bytes.subarray(start, start + KEY_BYTES)).toString('hex');
    known.set(key, new Float32Array(bytes.slice(start + KEY_BYTES, start + size).buffer));
  }
  return known;
};

/** Keeps vectors beside those that are kept already. Other runs, and other threads of this one, may do so at the same time. */
export const keepVectors = async (vectors: ReadonlyMap<string, Float32Array>, folder = FOLDER): Promise<void> => {
  // Also what others have kept since this run has read them: otherwise that would have to be embedded again.
  const known = new Map([...(await readCache(folder)), ...vectors]);
  const parts = [...known].flatMap(([key, vector]) => [
    Buffer.from(key, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
  await mkdir(folder, { recursive: true });
  // Written atomically, because others may be reading, and to a file of its own: threads share their process's id.
  const half = new URL(`${FILE}.${randomUUID()}.part`, folder);
  await writeFile(half, Buffer.concat(parts));
  await rename(half, new URL(FILE, folder));
};

/** Number of texts from which threads are worth their start (about a second each). */
const WORTH_THREADS = 400;
const MOST_THREADS = 4;
/** Texts sent to a thread at a time. */
const BATCH = 16;

/** Embeds texts with the shipped encoder, on several threads if there are many; `got` is called for each. */
const embedMany = async (
  texts: readonly string[],
  got: (text: string, vector: Float32Array) => void,
): Promise<void> => {
  if (texts.length === 0) return;
  if (texts.length < WORTH_THREADS) {
    const encoder = await encoderFromDisk();
    for (const text of texts) {
      const [vector] = await encoder.embed([text]);
      if (vector !== undefined) got(text, vector);
    }
    return;
  }
  let taken = 0;
  await onThreads<string[], Float32Array[]>({
    worker: 'embed-worker.ts',
    count: Math.min(availableParallelism(), MOST_THREADS),
    next: () => {
      const batch = texts.slice(taken, taken + BATCH);
      taken += batch.length;
      return batch.length === 0 ? null : batch;
    },
    messageOf: (batch) => batch,
    got: (batch, vectors) => {
      for (const [at, text] of batch.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) got(text, vector);
      }
    },
  });
};
