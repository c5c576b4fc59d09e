import { afterEach, expect, test, vi } from 'vitest';
import { never } from '../testing/asking.ts';
import { llamaWasm } from './load-llama.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('llama.cpp comes from the page’s own origin, and is an address that cannot fail', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const address = await llamaWasm(never);
  expect(address).toMatch(/^blob:/);
  expect(fetched.mock.calls.map(([asked]) => new URL(String(asked)).origin)).toEqual([location.origin]);
  URL.revokeObjectURL(address);
});

test.each([
  ['is not there', () => Promise.resolve(new Response('', { status: 404 })), '404'],
  ['does not answer', () => Promise.reject(new TypeError('Failed to fetch')), 'does not answer'],
  ['is a page of the server', () => Promise.resolve(new Response('<!doctype html>')), 'not WebAssembly'],
] as const)('where it %s, that is said', async (_, answer, words) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
  await expect(llamaWasm(never)).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining(words),
  });
});
