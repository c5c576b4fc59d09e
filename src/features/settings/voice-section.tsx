import { useEffect, useId, useState } from 'react';
import { errorMessage } from '../../engine/model-failure.ts';
import { Button, Buttons } from '../../ui/parts/button.tsx';
import { DialogSection } from '../../ui/parts/dialog.tsx';
import { Checkbox, Select } from '../../ui/parts/fields.tsx';
import { Hint } from '../../ui/parts/text.tsx';
import { hearingOf, installHearing, type RecognitionSupport } from '../../ui/voice/dictation.tsx';
import { setVoice, useVoice } from '../../ui/voice/voice-settings.ts';
import styles from './settings-dialog.module.css';

/** Dictation and reading aloud: off until switched on here. Each says where the sound goes. */
export const VoiceSection = () => (
  <DialogSection title="Voice">
    <Dictation />
    <ReadingAloud />
  </DialogSection>
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
      if (!done) setFailure('The browser could not download it. Check your connection and try again.');
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
      <Hint>{hearing === null ? 'Asking the browser…' : HEARING[hearing]}</Hint>
      {hearing === 'downloadable' && (
        <Buttons>
          <Button disabled={installing} onClick={() => void install()}>
            {installing ? 'Downloading…' : `Download ${language} for the browser`}
          </Button>
        </Buttons>
      )}
      {failure !== null && <p role="alert">{failure}</p>}
      {(hearing === 'remote' || dictation === 'remote') && (
        <Checkbox on={dictation === 'remote'} onChange={(on) => setVoice({ dictation: on ? 'remote' : 'off' })}>
          Dictate anyway: my speech is sent to the browser’s vendor
        </Checkbox>
      )}
    </>
  );
};

const HEARING: Readonly<Record<RecognitionSupport, string>> = {
  local: 'What you say stays on this machine. The browser asks before the page may listen.',
  downloadable:
    'This browser can recognise your language on this machine after a download. What you say then stays here.',
  remote:
    'This browser cannot recognise your language on this machine. It would send your speech to the browser’s vendor.',
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
  const speaksOnline = chosen?.localService === false;
  const shown = withRemote || speaksOnline ? remote : [];
  const option = ({ voiceURI, name, lang }: SpeechSynthesisVoice) => (
    <option key={voiceURI} value={voiceURI}>
      {name} ({lang})
    </option>
  );
  return (
    <div className={styles.voices}>
      <label htmlFor={id}>Read replies aloud with</label>
      <Select
        wide
        id={id}
        value={voice ?? ''}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => setVoice({ voice: target.value === '' ? null : target.value })}
      >
        <option value="">Off</option>
        {local.length > 0 && <optgroup label="On this machine">{local.map(option)}</optgroup>}
        {shown.length > 0 && <optgroup label="Text is sent away">{shown.map(option)}</optgroup>}
        {voice !== null && chosen === undefined && <option value={voice}>Unavailable voice</option>}
      </Select>
      <Hint id={`${id}-about`}>
        {speaksOnline
          ? 'This voice is not on this machine: every reply that is read is sent to the browser’s vendor.'
          : local.length === 0
            ? 'This browser has no voices on this machine.'
            : 'Voices on this machine: nothing that is read leaves it.'}
      </Hint>
      {remote.length > 0 && (
        <Checkbox on={withRemote || speaksOnline} disabled={speaksOnline} onChange={setWithRemote}>
          Also show online voices (they send the text away)
        </Checkbox>
      )}
      {speaksOnline && <Hint>To hide them, choose another voice first.</Hint>}
    </div>
  );
};
