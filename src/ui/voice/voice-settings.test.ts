import { afterEach, expect, test, vi } from 'vitest';
import { listedVoices } from './voice-settings.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A browser that lists its voices only some time after it was first asked; null for one without any. */
const browserWith = (later: number | null): void => {
  const voices: { readonly name: string }[] = [];
  const synthesis = Object.assign(new EventTarget(), { getVoices: () => voices });
  vi.stubGlobal('speechSynthesis', synthesis);
  vi.useFakeTimers();
  if (later === null) return;
  setTimeout(() => {
    voices.push({ name: 'Ada' });
    synthesis.dispatchEvent(new Event('voiceschanged'));
  }, later);
};

test('voices that the browser lists late are waited for, and those of one without any are not for long', async () => {
  for (const [later, names] of [
    [50, ['Ada']],
    [null, []],
  ] as const) {
    browserWith(later);
    const listed = listedVoices();
    await vi.runAllTimersAsync();
    expect((await listed).map(({ name }) => name)).toEqual(names);
  }
});
