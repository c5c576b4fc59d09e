import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const RUN_TS = new URL('../scripts/run-ts.mjs', import.meta.url);

interface Threads<Task, Answer> {
  /** The worker's module, in this folder: answers each message with one, and ends at null. */
  readonly worker: string;
  readonly count: number;
  readonly workerData?: unknown;
  /** The next task for a thread that has nothing to do; null if none is left. */
  readonly next: () => Task | null;
  /** What a thread is sent for a task. */
  readonly messageOf: (task: Task) => unknown;
  readonly got: (task: Task, answer: Answer) => void;
}

/** Has tasks done by threads, each of which has one at a time. If one fails, the others are stopped, and it throws. */
export const onThreads = async <Task, Answer>(threads: Threads<Task, Answer>): Promise<void> => {
  const { worker, count, workerData, next, messageOf, got } = threads;
  const started: Worker[] = [];
  const runThread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const thread = new Worker(RUN_TS, { argv: [fileURLToPath(new URL(worker, import.meta.url))], workerData });
      started.push(thread);
      let task: Task | null = null;
      const go = () => {
        task = next();
        thread.postMessage(task && messageOf(task));
      };
      thread.on('error', reject);
      thread.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`a thread of ${worker} ended with code ${code}`));
      });
      thread.on('message', (answer: Answer) => {
        if (task !== null) got(task, answer);
        go();
      });
      go();
    });
  try {
    await Promise.all(Array.from({ length: count }, runThread));
  } finally {
    await Promise.all(started.map((thread) => thread.terminate()));
  }
};
