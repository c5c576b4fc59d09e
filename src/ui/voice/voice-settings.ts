import { useSyncExternalStore } from 'react';

/** What of speech the person has switched on, on this device; as shipped, nothing. */
export interface VoiceSettings {
  /** `local`: words are made of speech on this machine; `remote`: by whoever made the browser, which the person has allowed. */
  readonly dictation: 'off' | 'local' | 'remote';
  /** As BCP 47. */
  readonly language: string;
  /** The voice that reads replies aloud, by its address; null is none. */
  readonly voice: string | null;
}

const STORED_AS = 'coppice-voice';
const off = (): VoiceSettings => ({ dictation: 'off', language: navigator.language, voice: null });

/** What is damaged counts as off: nothing listens or speaks unasked. */
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
    // Holds for this visit only.
  }
  for (const changed of listeners) changed();
};

export const useVoice = (): VoiceSettings =>
  useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, now);
