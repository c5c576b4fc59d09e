import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onThreads } from './threads.ts';

/** Counts on for ever in the given memory when told to; at anything else, fails once another does so. */
const WORKER = `
  import { parentPort, workerData } from 'node:worker_threads';
  const count = () => {
    Atomics.add(workerData, 0, 1);
    Atomics.notify(workerData, 0);
  };
  parentPort.on('message', (task) => {
    if (task === 'count') return setInterval(count);
    Atomics.wait(workerData, 0, 0);
    throw new Error('no such task');
  });
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coppice-threads-'));
  await writeFile(join(folder, 'worker.ts'), WORKER);
});
afterAll(() => rm(folder, { recursive: true }));

test('when a thread fails, the others do not go on', async () => {
  const counted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const tasks = ['count', 'fail'];
  const run = onThreads<string, never>({
    worker: pathToFileURL(join(folder, 'worker.ts')).href,
    count: tasks.length,
    workerData: counted,
    next: () => tasks.shift() ?? null,
    messageOf: (task) => task,
    got: () => undefined,
  });
  await expect(run).rejects.toThrow('no such task');
  const before = counted[0];
  expect(before).toBeGreaterThan(0);
  await sleep(100);
  expect(counted[0]).toBe(before);
});
