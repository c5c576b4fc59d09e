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
