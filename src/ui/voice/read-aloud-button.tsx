import { Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { withoutMarkup } from '../../app/search-words.ts';
import { markdownLines } from '../../engine/text/sentences.ts';
import { useActions } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { listedVoices, useVoice, voiceFor } from './voice-settings.ts';

/** Reads a reply aloud in the chosen voice, or in one that speaks its language, or stops reading. */
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
    const voices = await listedVoices();
    const chosen = voices.find(({ voiceURI }) => voiceURI === wanted);
    const language = await languageIn(text);
    if (gone.current) return;
    if (chosen === undefined)
      return announce('The chosen voice is no longer available. Choose another in the settings.');
    const voice = voiceFor(chosen, voices, language);
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

/** The language of a text; null if it cannot be told. What tells it is loaded when a text is first read. */
const languageIn = async (text: string): Promise<string | null> => {
  try {
    const { languageSpoken } = await import('../../engine/text/spoken-language.ts');
    return languageSpoken([spoken(text)]);
  } catch {
    return null;
  }
};

/** Markdown as spoken text: code blocks are announced rather than read out, and markup is dropped, but no sign that is not markup. */
export const spoken = (text: string): string => {
  const { lines } = markdownLines(text);
  const words = lines.flatMap(({ text: line, isCode }, at) => {
    if (!isCode) return [line];
    return lines[at - 1]?.isCode ? [] : ['(code)'];
  });
  return withoutMarkup(words.join('\n')).replaceAll(' · ', ', ').trim();
};
