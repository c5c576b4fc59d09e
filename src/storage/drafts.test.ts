import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browserDrafts } from './drafts.ts';

let kept: Map<string, string>;
let refuses: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  kept = new Map();
  refuses = false;
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (refuses) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, text);
    },
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a draft is written once typing rests, and removed with its last letter', () => {
  const drafts = browserDrafts();
  drafts.save('x', 'half');
  expect([drafts.read('x'), kept.size]).toEqual(['half', 0]);
  vi.runAllTimers();
  expect([...kept.values()]).toEqual(['half']);
  drafts.save('x', '');
  vi.runAllTimers();
  expect([drafts.read('x'), kept.size]).toEqual(['', 0]);
});

test('what the browser refuses to keep is kept for this visit', () => {
  const drafts = browserDrafts();
  drafts.save('x', 'half');
  vi.runAllTimers();
  refuses = true;
  drafts.save('x', 'half a message');
  vi.runAllTimers();
  expect(drafts.read('x')).toBe('half a message');
});
