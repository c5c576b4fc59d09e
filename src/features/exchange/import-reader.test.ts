import { afterEach, expect, test, vi } from 'vitest';
import { createImportReader } from './import-reader.ts';
import type { ImportReport, ImportRequest } from './import-worker.ts';

afterEach(() => vi.unstubAllGlobals());

test('while a conversation is sought, it is told how far the files have been read', async () => {
  class PlainWorker {
    onmessage: ((message: { data: ImportReport }) => void) | null = null;

    postMessage({ type }: ImportRequest): void {
      const reports: ImportReport[] =
        type === 'take'
          ? [
              { type: 'progress', read: 3 },
              { type: 'progress', read: 7 },
              { type: 'taken', taken: {} as never },
            ]
          : [{ type: 'done' }];
      for (const data of reports) this.onmessage?.({ data });
    }
  }
  vi.stubGlobal('Worker', PlainWorker);
  const told: (number | string)[] = [];
  const keep = async () => void told.push('taken');
  await createImportReader(() => 0).take([], [0], keep, (read) => told.push(read));
  expect(told).toEqual([3, 7, 'taken']);
});
