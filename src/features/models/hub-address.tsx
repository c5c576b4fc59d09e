import { type FormEvent, useState } from 'react';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Field } from './field.tsx';
import forms from './forms.module.css';
import styles from './models.module.css';
import { TaskFailure } from './task-failure.tsx';
import type { ModelsShown } from './use-models.ts';
import { useTask } from './use-task.ts';

const DEFAULT = 'https://huggingface.co';

/** Where models of the list and of hub ids are downloaded from. */
export const HubAddress = ({ shown: { settings, refresh } }: { shown: ModelsShown }) => {
  const { models, announce } = useActions();
  const [written, setWritten] = useState<string | null>(null);
  const task = useTask('Changing the hub');
  const hub = settings.value?.hub ?? '';
  const value = written ?? hub;
  const put = async (address: string) => {
    if (!(await task.run(() => models.set({ hub: address })))) return;
    setWritten(null);
    refresh();
    announce(`Models come from ${address}.`);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void put(value.trim() === '' ? DEFAULT : value.trim());
  };
  return (
    <section className={styles.block} aria-labelledby="models-hub">
      <h4 id="models-hub">Hub</h4>
      <form className={forms.inline} onSubmit={save}>
        <Field
          label="Address that models are downloaded from"
          type="url"
          placeholder={DEFAULT}
          value={value}
          disabled={settings.value === null}
          onValue={setWritten}
          hint="Hugging Face, or a mirror with its layout. It learns which models you download, never what you write."
        />
        <Button type="submit" disabled={task.busy || value.trim() === hub}>
          Save
        </Button>
      </form>
      <TaskFailure message={task.failure ?? settings.failure} />
    </section>
  );
};
