import { useEffect, useId, useState } from 'react';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button } from '../parts/button.tsx';
import sections from '../parts/dialogs.module.css';
import fields from '../parts/fields.module.css';
import { Checkbox } from '../parts/fields.tsx';
import { hearingOf, installHearing, type RecognitionSupport } from './dictation.tsx';
import { setVoice, useVoice } from './voice-settings.ts';

/** Dictation and reading aloud: off until switched on here. Each says where the sound goes. */
export const VoiceSection = () => (
  <section className={sections.section}>
    <h3>Voice</h3>
    <Dictation />
    <ReadingAloud />
  </section>
);

const Dictation = () => {
  const { dictation, language } = useVoice();
  const [hearing, setHearing] = useState<RecognitionSupport | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [installing, setInstalling] = useState(false);
  useEffect(() => {
    let gone = false;
    void hearingOf(language).then((found) => !gone && setHearing(found));
    return () => {
      gone = true;
    };
  }, [language]);
  const install = async () => {
    setInstalling(true);
    setFailure(null);
    try {
      const done = await installHearing(language);
      if (!done) setFailure('The browser could not fetch it. Try again where there is a network.');
      setHearing(await hearingOf(language));
    } catch (error) {
      setFailure(errorMessage(error));
    }
    setInstalling(false);
  };
  return (
    <>
      <Checkbox
        on={dictation === 'local'}
        disabled={hearing !== 'local' && dictation !== 'local'}
        onChange={(on) => setVoice({ dictation: on ? 'local' : 'off' })}
      >
        Dictate messages, understood on this machine
      </Checkbox>
      <p className={sections.note}>{hearing === null ? 'Asking the browser…' : HEARING[hearing]}</p>
      {hearing === 'downloadable' && (
        <div className={sections.row}>
          <Button disabled={installing} onClick={() => void install()}>
            {installing ? 'Downloading…' : `Download ${language} for the browser`}
          </Button>
        </div>
      )}
      {failure !== null && <p role="alert">{failure}</p>}
      {(hearing === 'remote' || dictation === 'remote') && (
        <Checkbox on={dictation === 'remote'} onChange={(on) => setVoice({ dictation: on ? 'remote' : 'off' })}>
          Dictate all the same: my voice is sent to whoever made this browser
        </Checkbox>
      )}
    </>
  );
};

const HEARING: Readonly<Record<RecognitionSupport, string>> = {
  local: 'What you say stays on this machine. The browser asks before the page may listen.',
  downloadable:
    'This browser can recognise your language on this machine after a download. What you say then stays here.',
  remote: 'This browser cannot recognise your language on this machine. It would send what you say to its maker.',
  none: 'This browser does not support speech recognition.',
};

const useVoices = (): readonly SpeechSynthesisVoice[] => {
  const [voices, setVoices] = useState<readonly SpeechSynthesisVoice[]>([]);
  useEffect(() => {
    if (!('speechSynthesis' in globalThis)) return;
    const read = () => setVoices(speechSynthesis.getVoices());
    read();
    speechSynthesis.addEventListener('voiceschanged', read);
    return () => speechSynthesis.removeEventListener('voiceschanged', read);
  }, []);
  return voices;
};

const ReadingAloud = () => {
  const { voice } = useVoice();
  const voices = useVoices();
  const [withRemote, setWithRemote] = useState(false);
  const id = useId();
  const chosen = voices.find(({ voiceURI }) => voiceURI === voice);
  const local = voices.filter(({ localService }) => localService);
  const remote = voices.filter(({ localService }) => !localService);
  const shown = withRemote || chosen?.localService === false ? remote : [];
  const option = ({ voiceURI, name, lang }: SpeechSynthesisVoice) => (
    <option key={voiceURI} value={voiceURI}>
      {name} ({lang})
    </option>
  );
  return (
    <div className={sections.voices}>
      <label htmlFor={id}>Read replies aloud with</label>
      <select
        id={id}
        className={fields.text}
        value={voice ?? ''}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => setVoice({ voice: target.value === '' ? null : target.value })}
      >
        <option value="">No voice: off</option>
        {local.length > 0 && <optgroup label="On this machine">{local.map(option)}</optgroup>}
        {shown.length > 0 && <optgroup label="Text is sent away">{shown.map(option)}</optgroup>}
        {voice !== null && chosen === undefined && <option value={voice}>A voice that is not here now</option>}
      </select>
      <p id={`${id}-about`} className={sections.note}>
        {chosen?.localService === false
          ? 'This voice is not on this machine: every reply that is read is sent to whoever made the browser.'
          : local.length === 0
            ? 'This browser has no voice on this machine.'
            : 'Voices of this machine: nothing that is read leaves it.'}
      </p>
      {remote.length > 0 && (
        <Checkbox on={withRemote || chosen?.localService === false} onChange={setWithRemote}>
          Offer voices that the text is sent away to, too
        </Checkbox>
      )}
    </div>
  );
};
