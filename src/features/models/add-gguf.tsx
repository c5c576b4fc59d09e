import { type FormEvent, useState } from 'react';
import type { OwnModel } from '../../app/model-control.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Checkbox } from '../../ui/parts/fields.tsx';
import { bytes } from '../../ui/parts/format.ts';
import { Field } from './field.tsx';
import { FilePicker } from './file-picker.tsx';
import forms from './forms.module.css';

/** A GGUF of the hub, of an address, or of this machine. */
export const AddGguf = ({ busy, onAdd }: { busy: boolean; onAdd: (model: OwnModel) => Promise<boolean> }) => {
  const [hub, setHub] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [embeds, setEmbeds] = useState(false);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const model: OwnModel =
      file === null ? { runtime: 'wllama', hub: hub.trim(), embeds } : { runtime: 'wllama', file, embeds };
    if (!(await onAdd(model))) return;
    setHub('');
    setFile(null);
  };
  return (
    <form className={forms.form} onSubmit={(event) => void add(event)}>
      <Field
        label="Hub id or address"
        placeholder="owner/name/file.gguf"
        hint="A file of the hub, or https://… of one elsewhere. Of a model in parts, the first."
        value={hub}
        disabled={file !== null}
        onValue={setHub}
      />
      <FilePicker
        label="Or choose a file"
        accept=".gguf"
        chosen={file === null ? null : `${file.name}, ${bytes(file.size)}`}
        onFiles={([first]) => setFile(first ?? null)}
      />
      <Checkbox on={embeds} onChange={setEmbeds}>
        It is an embedding model, for comparing
      </Checkbox>
      <Button type="submit" look="primary" disabled={busy || (file === null && hub.trim() === '')}>
        {busy ? 'Adding…' : 'Add'}
      </Button>
    </form>
  );
};
