import { type FormEvent, useState } from 'react';
import type { OwnModel } from '../../app/model-control.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Field } from './field.tsx';
import forms from './forms.module.css';

const EMPTY = { modelId: '', weights: '', library: '' };

/** Weights and the library that was compiled for them, by address. */
export const AddWebLlm = ({ busy, onAdd }: { busy: boolean; onAdd: (model: OwnModel) => Promise<boolean> }) => {
  const [given, setGiven] = useState(EMPTY);
  const put = (change: Partial<typeof EMPTY>) => setGiven({ ...given, ...change });
  const [modelId, weights, library] = [given.modelId.trim(), given.weights.trim(), given.library.trim()];
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (await onAdd({ runtime: 'webllm', modelId, weights, library })) setGiven(EMPTY);
  };
  return (
    <form className={forms.form} onSubmit={(event) => void add(event)}>
      <Field
        label="Name"
        placeholder="My-Model-q4f16_1-MLC"
        hint="As you want to find it in the list."
        value={given.modelId}
        onValue={(value) => put({ modelId: value })}
      />
      <Field
        label="Address of the weights"
        type="url"
        placeholder="https://…"
        hint="The folder that holds mlc-chat-config.json."
        value={given.weights}
        onValue={(value) => put({ weights: value })}
      />
      <Field
        label="Address of the library"
        type="url"
        placeholder="https://….wasm"
        hint="The WASM file compiled for WebGPU by the same version of MLC."
        value={given.library}
        onValue={(value) => put({ library: value })}
      />
      <Button type="submit" look="primary" disabled={busy || modelId === '' || weights === '' || library === ''}>
        {busy ? 'Adding…' : 'Add'}
      </Button>
    </form>
  );
};
