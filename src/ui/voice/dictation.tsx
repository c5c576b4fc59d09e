import { Mic, MicOff } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../engine/model-failure.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { languageHeard, useVoice } from './voice-settings.ts';

/** Dictation under way, and what it has made of which draft. */
interface DictatedDraft {
  readonly conversationId: string;
  readonly draft: string;
  readonly dictation: Dictation;
}

/** Appends what is said to the draft until it is pressed again, or until the draft changes in another way. */
export const DictateButton = ({ disabled }: { disabled: boolean }) => {
  const { session, announce } = useActions();
  const state = useAppState();
  const conversationId = useApp((app) => app.conversationId);
  const draft = useApp((app) => app.session.draft);
  const { dictation, language } = useVoice();
  const [listening, setListening] = useState(false);
  const writing = useRef<DictatedDraft | null>(null);
  const button = useRef<HTMLButtonElement>(null);

  /** Ends it if the draft is no longer what it has written: sent, corrected by hand, or another conversation's. */
  const endIfChanged = useCallback(() => {
    const now = state();
    const then = writing.current;
    if (then === null || (then.conversationId === now.conversationId && then.draft === now.session.draft)) return;
    writing.current = null;
    then.dictation.cancel();
    setListening(false);
  }, [state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what may have changed
  useEffect(endIfChanged, [endIfChanged, conversationId, draft]);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      writing.current?.dictation.cancel();
    };
  }, []);

  const start = () => {
    const wanted = languageHeard(language, state().language, navigator.languages);
    if (wanted === language || dictation !== 'local') return listen(wanted);
    // On this machine, perhaps only the browser's own language is recognised.
    void hearingOf(wanted).then((found) => {
      if (!gone.current && writing.current === null) listen(found === 'local' ? wanted : language);
    });
  };
  const listen = (heard: string) => {
    const { conversationId, session: now } = state();
    const { draft } = now;
    const begun = draft === '' || /\s$/.test(draft) ? draft : `${draft} `;
    const started = dictate(
      { language: heard, local: dictation === 'local' },
      {
        onText: (text) => {
          endIfChanged();
          if (writing.current === null) return;
          writing.current = { ...writing.current, draft: `${begun}${text}` };
          session({ draft: writing.current.draft });
        },
        onEnd: (why) => {
          writing.current = null;
          setListening(false);
          if (why !== null) announce(why);
          else focusMessage();
        },
      },
    );
    if (started === null) return;
    writing.current = { conversationId, draft, dictation: started };
    setListening(true);
  };
  const focusMessage = () => {
    const message = document.querySelector<HTMLElement>('#message');
    const focused = document.activeElement;
    // Silence ends it, too, when the user may be writing elsewhere. In Safari a pressed button leaves the focus to what is around it.
    if (focused === button.current || focused?.contains(message)) message?.focus({ preventScroll: true });
  };
  const where = dictation === 'local' ? 'on this machine' : 'your speech leaves this machine';
  return (
    <IconButton
      ref={button}
      label={listening ? 'Stop dictating' : `Dictate: ${where}`}
      icon={listening ? MicOff : Mic}
      disabled={disabled && !listening}
      onClick={() => (listening ? writing.current?.dictation.stop() : start())}
    />
  );
};

/*
 * The browser's own speech recognition. It runs on this machine where it can (`processLocally`). Where it cannot,
 * browsers send the audio to their maker, so it is never used without the user's permission.
 */

interface Alternative {
  readonly transcript: string;
}

interface ResultEvent extends Event {
  readonly resultIndex: number;
  readonly results: ArrayLike<ArrayLike<Alternative> & { readonly isFinal: boolean }>;
}

interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally?: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

interface LocalOptions {
  readonly langs: readonly string[];
  readonly processLocally: true;
}

interface RecognitionClass {
  new (): Recognition;
  available?(options: LocalOptions): Promise<string>;
  install?(options: LocalOptions): Promise<boolean>;
}

const recognitionClass = (): RecognitionClass | null => {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return SpeechRecognition ?? webkitSpeechRecognition ?? null;
};

/** `downloadable`: local once the browser has fetched the language pack. `remote`: only by sending the audio away. */
export type RecognitionSupport = 'local' | 'downloadable' | 'remote' | 'none';

export const hearingOf = async (language: string): Promise<RecognitionSupport> => {
  const Recogniser = recognitionClass();
  if (Recogniser === null) return 'none';
  try {
    const state = await Recogniser.available?.({ langs: [language], processLocally: true });
    if (state === 'available') return 'local';
    return state === 'downloadable' || state === 'downloading' ? 'downloadable' : 'remote';
  } catch {
    // The browser does not know the language.
    return 'remote';
  }
};

/** Has the browser fetch what it needs to recognise a language locally; returns whether it did. */
export const installHearing = async (language: string): Promise<boolean> =>
  (await recognitionClass()?.install?.({ langs: [language], processLocally: true })) ?? false;

interface Dictation {
  /** Ends once what has been said is recognised. */
  stop(): void;
  /** Ends at once: nothing is reported any more. */
  cancel(): void;
}

/**
 * Listens until stopped; null if it cannot. `onText` gets everything said so far; `onEnd` gets why it ended, or null if
 * it was asked to stop.
 */
const dictate = (
  { language, local }: { readonly language: string; readonly local: boolean },
  { onText, onEnd }: { onText(text: string): void; onEnd(why: string | null): void },
): Dictation | null => {
  const Recogniser = recognitionClass();
  if (Recogniser === null) {
    onEnd('This browser does not support dictation. Use Chrome, Edge or Safari.');
    return null;
  }
  const recognition = new Recogniser();
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  if (local) recognition.processLocally = true;
  let why: string | null = null;
  const cancelled = new AbortController();
  const on = (type: string, run: (event: Event) => void) =>
    recognition.addEventListener(type, run, { signal: cancelled.signal });
  on('result', (event) => {
    const { results } = event as ResultEvent;
    onText(
      Array.from(results, (result) => result[0]?.transcript ?? '')
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  });
  on('error', (event) => {
    const { error = '' } = event as Event & { error?: string };
    why = WHY[error] ?? `The browser stopped listening (${error}). Try again.`;
  });
  on('end', () => onEnd(why));
  try {
    // A local-only request must not be heard anywhere else, and older browsers would ignore the option.
    if (local && !('processLocally' in Object.getPrototypeOf(recognition)))
      throw new Error('This browser cannot recognise speech on this machine. See Voice in the settings.');
    recognition.start();
  } catch (error) {
    onEnd(errorMessage(error));
    return null;
  }
  return {
    stop: () => recognition.stop(),
    cancel: () => {
      cancelled.abort();
      recognition.abort();
    },
  };
};

const WHY: Readonly<Record<string, string | null>> = {
  aborted: null,
  'no-speech': 'No speech detected. Check your microphone and try again.',
  'not-allowed': 'Microphone access is blocked. Allow the microphone for this page and try again.',
  'audio-capture': 'No microphone was found. Connect one and try again.',
  'language-not-supported': 'This machine cannot recognise this language yet. See Voice in the settings.',
  'service-not-allowed': 'Your browser blocks speech recognition. Check its settings.',
  network: 'The browser’s speech service could not be reached. Check your connection, or type instead.',
};
