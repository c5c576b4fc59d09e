import { useSyncExternalStore } from 'react';

/** The speech settings on this device. Everything is off by default. */
export interface VoiceSettings {
  /** `local`: speech is recognised on this machine; `remote`: by the browser's maker, which the user has allowed. */
  readonly dictation: 'off' | 'local' | 'remote';
  /** A BCP 47 tag. */
  readonly language: string;
  /** URI of the voice that reads replies aloud; null for none. */
  readonly voice: string | null;
}

const STORED_AS = 'coppice-voice';
const off = (): VoiceSettings => ({ dictation: 'off', language: navigator.language, voice: null });

/** Damaged settings count as off: nothing listens or speaks unasked. */
const stored = (): VoiceSettings => {
  try {
    const { dictation, language, voice } = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
    return {
      dictation: dictation === 'local' || dictation === 'remote' ? dictation : 'off',
      language: typeof language === 'string' ? language : off().language,
      voice: typeof voice === 'string' ? voice : null,
    };
  } catch {
    return off();
  }
};

let read: VoiceSettings | null = null;
const now = (): VoiceSettings => {
  read ??= stored();
  return read;
};
const listeners = new Set<() => void>();

export const setVoice = (change: Partial<VoiceSettings>): void => {
  read = { ...now(), ...change };
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(now()));
  } catch {
    // Lasts for this visit only.
  }
  for (const changed of listeners) changed();
};

export const useVoice = (): VoiceSettings =>
  useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, now);
