import { Mic, MicOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions, useAppState } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { type Dictation, dictate } from './recognition.ts';
import { useVoice } from './voice-settings.ts';

/** Writes what is said at the end of the draft, until it is pressed again. */
export const DictateButton = ({ disabled }: { disabled: boolean }) => {
  const { session, announce } = useActions();
  const state = useAppState();
  const { dictation, language } = useVoice();
  const [listening, setListening] = useState(false);
  const running = useRef<Dictation | null>(null);
  useEffect(() => () => running.current?.stop(), []);

  const start = () => {
    const { draft } = state().session;
    const begun = draft === '' || /\s$/.test(draft) ? draft : `${draft} `;
    setListening(true);
    running.current = dictate(
      { language, local: dictation === 'local' },
      {
        onText: (text) => session({ draft: `${begun}${text}` }),
        onEnd: (why) => {
          running.current = null;
          setListening(false);
          if (why !== null) announce(why);
          else document.querySelector<HTMLElement>('#message')?.focus({ preventScroll: true });
        },
      },
    );
  };
  const where = dictation === 'local' ? 'on this machine' : 'your voice leaves this machine';
  return (
    <IconButton
      label={listening ? 'Stop dictating' : `Dictate: ${where}`}
      icon={listening ? MicOff : Mic}
      aria-pressed={listening}
      disabled={disabled}
      onClick={() => (listening ? running.current?.stop() : start())}
    />
  );
};
