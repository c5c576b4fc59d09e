import { type FormEvent, useState } from 'react';
import type { DeviceChoice, Offer, OwnModel } from '../../app/model-control.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Checkbox, Segmented, useFilePicker } from '../../ui/parts/fields.tsx';
import { counted } from '../../ui/parts/format.ts';
import { ROLE_WORDS } from '../../ui/parts/model-words.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { Heading } from '../../ui/parts/text.tsx';
import forms from './forms.module.css';
import { AssignRole, LabelledField, RemovableRow, TaskFailure } from './model-parts.tsx';
import styles from './models.module.css';
import { RUNTIME_WORDS } from './offer-list.ts';
import { type ModelsState, useTask } from './use-models.ts';

type Kind = 'gguf' | 'transformers' | 'webllm';
const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'gguf', label: 'GGUF' },
  { value: 'transformers', label: 'Transformers.js' },
  { value: 'webllm', label: 'WebLLM' },
];

/** Adds models that are not in the list; they stay in it until removed. */
export const AddPage = ({ shown }: { shown: ModelsState }) => {
  const { models } = useActions();
  const [kind, setKind] = useState<Kind>('gguf');
  const [added, setAdded] = useState<Offer | null>(null);
  const task = useTask('Adding the model');
  const add = async (model: OwnModel): Promise<boolean> => {
    setAdded(null);
    const done = await task.run(async () => setAdded(await models.addOwn(model)));
    shown.refresh();
    return done;
  };
  return (
    <>
      <PageHead title="Add a model">
        Add a model in any of these three formats. It appears in the list of each role it can do. Nothing is downloaded
        until you use it.
      </PageHead>
      <section className={styles.block} aria-label="New model">
        <Segmented label="Format" options={KINDS} value={kind} onChange={setKind} />
        {kind === 'gguf' && <AddGguf busy={task.busy} onAdd={add} />}
        {kind === 'transformers' && <AddTransformers busy={task.busy} onAdd={add} />}
        {kind === 'webllm' && <AddWebLlm busy={task.busy} onAdd={add} />}
        <TaskFailure message={task.failure} />
        {added !== null && <AssignRole offer={added} />}
      </section>
      <OwnModels shown={shown} />
      <HubAddress shown={shown} />
    </>
  );
};

/** A GGUF from the hub, from an address, or from this machine. */
const AddGguf = ({ busy, onAdd }: { busy: boolean; onAdd: (model: OwnModel) => Promise<boolean> }) => {
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
      <LabelledField
        label="Hub id or address"
        placeholder="owner/name/file.gguf"
        hint="A file on the hub, or the https://… address of one elsewhere. If the model is split into parts, use the first."
        value={hub}
        disabled={file !== null}
        onValue={setHub}
      />
      <FilePicker
        label="Or choose a file"
        accept=".gguf"
        chosen={file === null ? null : `${file.name}, ${bytesInWords(file.size)}`}
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

type Task = 'generate' | 'embed';
const TASKS: readonly { value: Task; label: string }[] = [
  { value: 'generate', label: 'Writes text' },
  { value: 'embed', label: 'Embeds' },
];

const DEVICES: readonly { value: DeviceChoice; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'webgpu', label: 'WebGPU' },
  { value: 'wasm', label: 'Processor' },
];

/** An ONNX model from the hub, or a folder on this machine in the hub's layout. */
const AddTransformers = ({ busy, onAdd }: { busy: boolean; onAdd: (model: OwnModel) => Promise<boolean> }) => {
  const [hub, setHub] = useState('');
  const [folder, setFolder] = useState<readonly File[]>([]);
  const [task, setTask] = useState<Task>('generate');
  const [device, setDevice] = useState<DeviceChoice>('auto');
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const model: OwnModel =
      folder.length === 0
        ? { runtime: 'transformers', hub: hub.trim(), task, device }
        : { runtime: 'transformers', folder, task, device };
    if (!(await onAdd(model))) return;
    setHub('');
    setFolder([]);
  };
  return (
    <form className={forms.form} onSubmit={(event) => void add(event)}>
      <LabelledField
        label="Hub id"
        placeholder="owner/name"
        hint="It needs ONNX files in an onnx/ folder next to config.json, tokenizer.json and tokenizer_config.json."
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
      <Segmented label="Runs on" options={DEVICES} value={device} onChange={setDevice} />
      <Button type="submit" look="primary" disabled={busy || (folder.length === 0 && hub.trim() === '')}>
        {busy ? 'Adding…' : 'Add'}
      </Button>
    </form>
  );
};

const EMPTY = { modelId: '', weights: '', library: '' };

/** Weights and the library compiled for them, by address. */
const AddWebLlm = ({ busy, onAdd }: { busy: boolean; onAdd: (model: OwnModel) => Promise<boolean> }) => {
  const [given, setGiven] = useState(EMPTY);
  const put = (change: Partial<typeof EMPTY>) => setGiven({ ...given, ...change });
  const [modelId, weights, library] = [given.modelId.trim(), given.weights.trim(), given.library.trim()];
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (await onAdd({ runtime: 'webllm', modelId, weights, library })) setGiven(EMPTY);
  };
  return (
    <form className={forms.form} onSubmit={(event) => void add(event)}>
      <LabelledField
        label="Name"
        placeholder="My-Model-q4f16_1-MLC"
        hint="The name to show in the list."
        value={given.modelId}
        onValue={(value) => put({ modelId: value })}
      />
      <LabelledField
        label="Address of the weights"
        type="url"
        placeholder="https://…"
        hint="The folder that contains mlc-chat-config.json."
        value={given.weights}
        onValue={(value) => put({ weights: value })}
      />
      <LabelledField
        label="Address of the library"
        type="url"
        placeholder="https://….wasm"
        hint="The WASM file compiled for WebGPU with the same version of MLC."
        value={given.library}
        onValue={(value) => put({ library: value })}
      />
      <Button type="submit" look="primary" disabled={busy || modelId === '' || weights === '' || library === ''}>
        {busy ? 'Adding…' : 'Add'}
      </Button>
    </form>
  );
};

const DEFAULT = 'https://huggingface.co';

/** Where models from the list and by hub id are downloaded from. */
const HubAddress = ({ shown: { settings, refresh } }: { shown: ModelsState }) => {
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
      <Heading level={4} id="models-hub">
        Hub
      </Heading>
      <form className={forms.inline} onSubmit={save}>
        <LabelledField
          label="Address that models are downloaded from"
          type="url"
          placeholder={DEFAULT}
          value={value}
          disabled={settings.value === null}
          onValue={setWritten}
          hint="Hugging Face, or a mirror with the same layout. It can see which models you download, but never what you write."
        />
        <Button type="submit" disabled={task.busy || value.trim() === hub}>
          Save
        </Button>
      </form>
      <TaskFailure message={task.failure ?? settings.failure} />
    </section>
  );
};

/** Picks a file or a folder of files from this machine. */
const FilePicker = ({
  label,
  folder = false,
  accept,
  chosen,
  onFiles,
}: {
  label: string;
  folder?: boolean;
  accept?: string;
  /** The current selection, in words. */
  chosen: string | null;
  onFiles: (files: readonly File[]) => void;
}) => {
  const picker = useFilePicker(folder ? 'Folder' : 'File', onFiles, {
    folder,
    ...(accept === undefined ? {} : { accept }),
  });
  return (
    <div className={forms.pick}>
      <Button onClick={picker.pick}>{label}</Button>
      {chosen !== null && <span>{chosen}</span>}
      {picker.input}
    </div>
  );
};

/** The person's own models, except those of servers. */
const OwnModels = ({ shown: { offers, refresh } }: { shown: ModelsState }) => {
  const { models } = useActions();
  const own = (offers.value ?? []).filter((offer) => offer.own && offer.runtime !== 'server');
  if (own.length === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="models-own">
      <Heading level={4} id="models-own">
        Your own
      </Heading>
      <ul aria-label="Your own models" className={styles.list}>
        {own.map(({ key, name, runtime, roles }) => (
          <RemovableRow key={key} name={name} action="Remove" remove={() => models.removeOwn(key)} onGone={refresh}>
            {RUNTIME_WORDS[runtime]} · {roles.map((role) => ROLE_WORDS[role].toLowerCase()).join(', ')}
          </RemovableRow>
        ))}
      </ul>
    </section>
  );
};
