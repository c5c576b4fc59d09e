import { parsedJson } from '../../domain/expectation.ts';
import { createStored } from '../parts/hooks.ts';

/** The speech settings on this device. Everything is off by default. */
interface VoiceSettings {
  /** `local`: speech is recognised on this machine; `remote`: by the browser's maker, which the user has allowed. */
  readonly dictation: 'off' | 'local' | 'remote';
  /** A BCP 47 tag. */
  readonly language: string;
  /** URI of the voice that reads replies aloud; null for none. */
  readonly voice: string | null;
}

/** Damaged settings count as off: nothing listens or speaks unasked. */
const stored = createStored('coppice-voice', (text): VoiceSettings => {
  const { dictation, language, voice }: Partial<Record<keyof VoiceSettings, unknown>> = Object(
    parsedJson(text ?? '{}'),
  );
  return {
    dictation: dictation === 'local' || dictation === 'remote' ? dictation : 'off',
    language: typeof language === 'string' ? language : navigator.language,
    voice: typeof voice === 'string' ? voice : null,
  };
});

export const setVoice = (change: Partial<VoiceSettings>): void => stored.set({ ...stored.get(), ...change });

export const useVoice = stored.use;

/** Whether a BCP 47 tag is of a language, as ISO 639-1. */
const isOf = (tag: string, language: string): boolean =>
  tag.toLowerCase().replace('_', '-').split('-')[0] === language.toLowerCase();

/**
 * The language in which the person is heard, as a BCP 47 tag: the one that they write in, in the kind of it that the
 * browser is set to (`preferred`), otherwise that of the settings. `written`: ISO 639-1; null until it is known.
 */
export const languageHeard = (set: string, written: string | null, preferred: readonly string[]): string =>
  written === null || isOf(set, written) ? set : (preferred.find((tag) => isOf(tag, written)) ?? written);

/**
 * The voice for a text in this language (ISO 639-1; null if unknown): the chosen one, or another that speaks the
 * language where the chosen one does not. One that sends the text away only takes the place of one that does, too.
 */
export const voiceFor = <Voice extends Pick<SpeechSynthesisVoice, 'lang' | 'localService'>>(
  chosen: Voice,
  voices: readonly Voice[],
  language: string | null,
): Voice => {
  if (language === null || isOf(chosen.lang, language)) return chosen;
  const fit = voices.filter(({ lang, localService }) => isOf(lang, language) && (localService || !chosen.localService));
  return fit.find(({ localService }) => localService) ?? fit[0] ?? chosen;
};

/** How long to wait for the list of voices, in milliseconds. */
const VOICES_PATIENCE = 1000;

/** The voices of this browser. Chrome only starts to list them when first asked. */
export const listedVoices = async (): Promise<readonly SpeechSynthesisVoice[]> => {
  if (speechSynthesis.getVoices().length === 0) {
    const listed = new AbortController();
    await new Promise<unknown>((resolve) => {
      speechSynthesis.addEventListener('voiceschanged', resolve, { signal: listed.signal });
      setTimeout(resolve, VOICES_PATIENCE, null);
    });
    listed.abort();
  }
  return speechSynthesis.getVoices();
};
