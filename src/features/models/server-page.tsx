import { type FormEvent, useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Checkbox } from '../../ui/parts/fields.tsx';
import { ConnectedServers } from './connected-servers.tsx';
import { Field } from './field.tsx';
import forms from './forms.module.css';
import styles from './models.module.css';
import { leavesWords } from './offer-words.ts';
import { PageHead } from './page-head.tsx';
import { ServerModels } from './server-models.tsx';
import { TaskFailure } from './task-failure.tsx';
import type { ModelsShown } from './use-models.ts';
import { useTask } from './use-task.ts';

/** Where each listens by default on the person's own machine. */
const PRESETS = [
  { name: 'Ollama', address: 'http://localhost:11434/v1' },
  { name: 'LM Studio', address: 'http://localhost:1234/v1' },
  { name: 'llama.cpp', address: 'http://localhost:8080/v1' },
  { name: 'vLLM', address: 'http://localhost:8000/v1' },
];

/** A server that speaks the OpenAI protocol, and its models. */
export const ServerPage = ({ shown }: { shown: ModelsShown }) => {
  const { models } = useActions();
  const [address, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(false);
  const [found, setFound] = useState<{ baseUrl: string; names: readonly string[] } | null>(null);
  const task = useTask('Connecting');
  // As it is kept: without a slash at the end.
  const baseUrl = address.trim().replace(/\/+$/, '');
  const connect = async (event: FormEvent) => {
    event.preventDefault();
    setFound(null);
    await task.run(async () => {
      const names = await models.connect({ baseUrl, key: key.trim(), remember });
      setFound({ baseUrl, names });
    });
    shown.refresh();
  };
  return (
    <>
      <PageHead title="Server">
        Any server that speaks the OpenAI protocol: on this machine, in your network, or elsewhere.
      </PageHead>
      <form className={forms.form} onSubmit={(event) => void connect(event)}>
        <div role="group" aria-label="Usual addresses" className={forms.presets}>
          {PRESETS.map((preset) => (
            <Button
              key={preset.name}
              size="small"
              aria-pressed={preset.address === baseUrl}
              onClick={() => setAddress(preset.address)}
            >
              {preset.name}
            </Button>
          ))}
        </div>
        <Field
          label="Address"
          type="url"
          placeholder="http://localhost:11434/v1"
          value={address}
          onValue={setAddress}
        />
        <Field
          label="Key"
          type="password"
          hint={
            remember
              ? 'Only if the server asks for one. It stays in this browser until you forget the server.'
              : 'Only if the server asks for one. It is forgotten when you close the tab.'
          }
          value={key}
          onValue={setKey}
        />
        <Checkbox on={remember} disabled={key.trim() === ''} onChange={setRemember}>
          Keep the key on this machine
        </Checkbox>
        <p className={styles.leaves}>{leavesWords(baseUrl === '' ? 'the address you name' : baseUrl)}</p>
        <Button type="submit" look="primary" disabled={task.busy || baseUrl === ''}>
          {task.busy ? 'Connecting…' : 'Connect'}
        </Button>
        <TaskFailure message={task.failure} />
      </form>
      {found !== null && (
        <ServerModels key={found.baseUrl} {...found} offers={shown.offers.value ?? []} onAdded={shown.refresh} />
      )}
      <ConnectedServers shown={shown} onGone={(gone) => found?.baseUrl === gone && setFound(null)} />
    </>
  );
};
