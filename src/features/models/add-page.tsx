import { useState } from 'react';
import type { Offer, OwnModel } from '../../app/model-control.ts';
import { useActions } from '../../ui/app-context.ts';
import { Segmented } from '../../ui/parts/fields.tsx';
import { AddGguf } from './add-gguf.tsx';
import { AddTransformers } from './add-transformers.tsx';
import { AddWebLlm } from './add-webllm.tsx';
import { HubAddress } from './hub-address.tsx';
import styles from './models.module.css';
import { OwnModels } from './own-models.tsx';
import { PageHead } from './page-head.tsx';
import { TaskFailure } from './task-failure.tsx';
import { UseFor } from './use-for.tsx';
import type { ModelsShown } from './use-models.ts';
import { useTask } from './use-task.ts';

type Kind = 'gguf' | 'transformers' | 'webllm';
const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'gguf', label: 'GGUF' },
  { value: 'transformers', label: 'Transformers.js' },
  { value: 'webllm', label: 'WebLLM' },
];

/** Models that the list does not have; they stay in it until they are removed. */
export const AddPage = ({ shown }: { shown: ModelsShown }) => {
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
        Any model of these three forms. It joins the lists of the roles it can do; nothing is downloaded until you use
        it.
      </PageHead>
      <section className={styles.block} aria-label="New model">
        <Segmented label="Form" options={KINDS} value={kind} onChange={setKind} />
        {kind === 'gguf' && <AddGguf busy={task.busy} onAdd={add} />}
        {kind === 'transformers' && <AddTransformers busy={task.busy} onAdd={add} />}
        {kind === 'webllm' && <AddWebLlm busy={task.busy} onAdd={add} />}
        <TaskFailure message={task.failure} />
        {added !== null && <UseFor offer={added} />}
      </section>
      <OwnModels shown={shown} />
      <HubAddress shown={shown} />
    </>
  );
};
