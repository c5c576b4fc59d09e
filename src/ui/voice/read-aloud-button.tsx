import { Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { listedVoices, useVoice } from './voice-settings.ts';

/** Reads a reply aloud in the chosen voice, or stops reading. */
export const ReadAloudButton = ({ text }: { text: string }) => {
  const { announce } = useActions();
  const { voice: wanted } = useVoice();
  const [speaking, setSpeaking] = useState(false);
  const own = useRef<SpeechSynthesisUtterance | null>(null);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      if (own.current !== null) speechSynthesis.cancel();
    };
  }, []);

  const stop = () => {
    own.current = null;
    setSpeaking(false);
    speechSynthesis.cancel();
  };
  const speak = async () => {
    // Never fall back to another voice: it might be synthesised remotely.
    const voice = (await listedVoices()).find(({ voiceURI }) => voiceURI === wanted);
    if (gone.current) return;
    if (voice === undefined)
      return announce('The chosen voice is no longer available. Choose another in the settings.');
    speechSynthesis.cancel();
    const utterance = new SpeechSynthesisUtterance(spoken(text));
    utterance.voice = voice;
    utterance.lang = voice.lang;
    const ended = () => {
      if (own.current === utterance) {
        own.current = null;
        setSpeaking(false);
      }
    };
    utterance.addEventListener('end', ended);
    utterance.addEventListener('error', ended);
    own.current = utterance;
    setSpeaking(true);
    speechSynthesis.speak(utterance);
  };
  return (
    <IconButton
      size="small"
      label={speaking ? 'Stop reading' : 'Read aloud'}
      icon={speaking ? Square : Volume2}
      onClick={speaking ? stop : () => void speak()}
    />
  );
};

/** Markdown as spoken text: code blocks are announced rather than read out, and markup is dropped. */
const spoken = (text: string): string =>
  text
    .replace(/```[\s\S]*?(```|$)/g, ' (code) ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|]/g, '')
    .trim();
