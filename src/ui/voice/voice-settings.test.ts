import { afterEach, expect, test, vi } from 'vitest';
import { languageHeard, listedVoices, voiceFor } from './voice-settings.ts';

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

test('the person is heard in the language that they write in, in the kind of it that the browser prefers', () => {
  expect(languageHeard('de-AT', null, ['de-AT', 'en'])).toBe('de-AT');
  expect(languageHeard('de-AT', 'de', ['de-AT', 'en'])).toBe('de-AT');
  expect(languageHeard('en-US', 'fr', ['en-US', 'fr-CA'])).toBe('fr-CA');
  expect(languageHeard('en-US', 'fa', ['en-US'])).toBe('fa');
});

test('a reply is read by a voice that speaks its language, and never sent away for it', () => {
  const ada = { name: 'Ada', lang: 'en-GB', localService: true };
  const hans = { name: 'Hans', lang: 'de_DE', localService: true };
  const cloud = { name: 'Cloud', lang: 'fr-FR', localService: false };
  const far = { name: 'Far', lang: 'en-US', localService: false };
  const voices = [ada, cloud, far, hans];
  expect(voiceFor(ada, voices, 'en')).toBe(ada);
  expect(voiceFor(ada, voices, null)).toBe(ada);
  expect(voiceFor(ada, voices, 'de')).toBe(hans);
  expect(voiceFor(ada, voices, 'fr')).toBe(ada);
  expect(voiceFor(far, voices, 'fr')).toBe(cloud);
  expect(voiceFor(far, voices, 'de')).toBe(hans);
  expect(voiceFor(ada, voices, 'ja')).toBe(ada);
});
