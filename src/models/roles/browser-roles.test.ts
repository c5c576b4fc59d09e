import { afterEach, expect, test, vi } from 'vitest';
import { createBrowserRoles } from './browser-roles.ts';

afterEach(() => vi.unstubAllGlobals());

test('the machine is tested once, while its free space is as of now', async () => {
  let tests = 0;
  let usage = 0;
  vi.stubGlobal('sessionStorage', {});
  vi.stubGlobal('navigator', { hardwareConcurrency: 2, storage: { estimate: async () => ({ usage, quota: 10 }) } });
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: ((event: { data: unknown }) => void) | null = null;
      postMessage() {
        tests += 1;
        queueMicrotask(() => this.onmessage?.({ data: { state: 'missing', why: 'It has none.' } }));
      }
      terminate() {
        this.onmessage = null;
      }
    },
  );
  const { probe } = createBrowserRoles({ embedded: {} } as Parameters<typeof createBrowserRoles>[0]);
  expect((await probe()).storage).toEqual({ usage: 0, quota: 10 });
  usage = 7;
  expect((await probe()).storage).toEqual({ usage: 7, quota: 10 });
  expect(tests).toBe(1);
  await probe(true);
  expect(tests).toBe(2);
});
