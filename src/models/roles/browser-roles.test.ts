import { afterEach, describe, expect, test, vi } from 'vitest';
import { createBrowserRoles, loadMarks } from './browser-roles.ts';

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

describe('marks of loads', () => {
  /** A browser with a tab whose locks are these. */
  const browser = (held: string[] | null) => {
    const stored: Record<string, unknown> = {};
    const hide = new EventTarget();
    vi.stubGlobal('localStorage', stored);
    Object.defineProperty(stored, 'setItem', { value: (name: string) => Object.assign(stored, { [name]: '' }) });
    Object.defineProperty(stored, 'removeItem', { value: (name: string) => Reflect.deleteProperty(stored, name) });
    vi.stubGlobal('addEventListener', hide.addEventListener.bind(hide));
    vi.stubGlobal('removeEventListener', hide.removeEventListener.bind(hide));
    const locks = {
      request: async (name: string, _: object, task: () => Promise<void>) => {
        held?.push(name);
        await task();
        held?.splice(held.indexOf(name), 1);
      },
      query: async () => ({ held: held?.map((name) => ({ name })) }),
    };
    vi.stubGlobal('navigator', held === null ? {} : { locks });
    return { hide };
  };

  test('are left by a page that ends in the middle of a load, not by another tab that is loading', async () => {
    const held: string[] = [];
    browser(held);
    loadMarks().mark('chat a');
    expect(await loadMarks().left()).toEqual(new Set());
    held.length = 0;
    expect(await loadMarks().left()).toEqual(new Set(['chat a']));
    loadMarks().clear('chat a');
    expect(await loadMarks().left()).toEqual(new Set());
  });

  test('are gone once the load ends or the page is left', async () => {
    const held: string[] = [];
    const { hide } = browser(held);
    const unmark = loadMarks().mark('chat a');
    loadMarks().mark('embed b');
    unmark();
    hide.dispatchEvent(new Event('pagehide'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(held).toEqual([]);
    expect(await loadMarks().left()).toEqual(new Set());
  });

  test('work without locks, and are none where site data is blocked', async () => {
    browser(null);
    loadMarks().mark('chat a');
    expect(await loadMarks().left()).toEqual(new Set(['chat a']));
    vi.stubGlobal('localStorage', undefined);
    loadMarks().mark('chat a')();
    loadMarks().clear('chat a');
    expect(await loadMarks().left()).toEqual(new Set());
  });
});
