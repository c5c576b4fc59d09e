import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';

/** From how many texts on threads are worth their start (about a second each). */
const WORTH_THREADS = 400;
const MOST_THREADS = 4;
/** Texts that a thread is given at a time. */
const BATCH = 16;

const RUN_TS = new URL('../scripts/run-ts.mjs', import.meta.url);
const WORKER = fileURLToPath(new URL('embed-worker.ts', import.meta.url));

/** Embeds texts with the encoder that ships, many on several threads at once; `got` is called for each. */
export const embedMany = async (
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
  let next = 0;
  const take = (): string[] => {
    const batch = texts.slice(next, next + BATCH);
    next += batch.length;
    return batch;
  };
  const threads = Math.min(availableParallelism(), MOST_THREADS);
  await Promise.all(Array.from({ length: threads }, () => embedOnThread(take, got)));
};

const embedOnThread = (take: () => string[], got: (text: string, vector: Float32Array) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(RUN_TS, { argv: [WORKER] });
    let batch = take();
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`a thread that embeds texts ended with code ${code}`));
    });
    worker.on('message', (vectors: Float32Array[]) => {
      for (const [at, text] of batch.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) got(text, vector);
      }
      batch = take();
      worker.postMessage(batch);
    });
    worker.postMessage(batch);
  });
