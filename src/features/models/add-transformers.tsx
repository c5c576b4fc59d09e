import { type FormEvent, useState } from 'react';
import type { OwnModel } from '../../app/model-control.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { Field } from './field.tsx';
import { FilePicker } from './file-picker.tsx';
import forms from './forms.module.css';

type Task = 'generate' | 'embed';
const TASKS: readonly { value: Task; label: string }[] = [
  { value: 'generate', label: 'Writes text' },
  { value: 'embed', label: 'Compares' },
];

/** An ONNX model of the hub, or a folder of this machine in the hub's layout. */
export const AddTransformers = ({ busy, onAdd }: { busy: boolean; onAdd: (model: OwnModel) => Promise<boolean> }) => {
  const [hub, setHub] = useState('');
  const [folder, setFolder] = useState<readonly File[]>([]);
  const [task, setTask] = useState<Task>('generate');
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const model: OwnModel =
      folder.length === 0
        ? { runtime: 'transformers', hub: hub.trim(), task }
        : { runtime: 'transformers', folder, task };
    if (!(await onAdd(model))) return;
    setHub('');
    setFolder([]);
  };
  return (
    <form className={forms.form} onSubmit={(event) => void add(event)}>
      <Field
        label="Hub id"
        placeholder="owner/name"
        hint="It needs ONNX files: a folder onnx/ beside config.json and tokenizer.json."
        value={hub}
        disabled={folder.length > 0}
        onValue={setHub}
      />
      <FilePicker
        label="Or choose a folder"
        folder
        chosen={folder.length === 0 ? null : counted(folder.length, 'file')}
        onFiles={setFolder}
      />
      <Segmented label="What it does" options={TASKS} value={task} onChange={setTask} />
      <Button type="submit" look="primary" disabled={busy || (folder.length === 0 && hub.trim() === '')}>
        {busy ? 'Adding…' : 'Add'}
      </Button>
    </form>
  );
};
