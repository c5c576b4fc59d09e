import { afterEach, expect, test, vi } from 'vitest';
import { watchBack } from './dialog.tsx';

afterEach(() => void vi.unstubAllGlobals());

test('Back closes what lies over the page as often as it is pressed there, and afterwards leaves the page again', () => {
  const watching: { onclose: (() => void) | null }[] = [];
  class CloseWatcher {
    onclose: (() => void) | null = null;
    constructor() {
      watching.push(this);
    }
    destroy() {
      watching.splice(watching.indexOf(this), 1);
    }
  }
  vi.stubGlobal('CloseWatcher', CloseWatcher);
  let pressed = 0;
  const end = watchBack(() => {
    pressed += 1;
  });
  for (const times of [1, 2]) {
    watching.pop()?.onclose?.();
    expect(pressed).toBe(times);
    expect(watching).toHaveLength(1);
  }
  end();
  expect(watching).toEqual([]);
});

test('a browser that does not tell of Back is left as it is', () => {
  vi.stubGlobal('CloseWatcher', undefined);
  expect(() => watchBack(() => undefined)()).not.toThrow();
});
