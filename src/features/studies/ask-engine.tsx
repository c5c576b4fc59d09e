import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Kernel } from '../../app/kernel.ts';
import { ALL_POLICIES } from '../../engine/context/policies/policies.ts';
import { createYielder } from '../../engine/tasks.ts';
import { useActions, usePart } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Select } from '../../ui/parts/fields.tsx';
import { type PageTask, TaskProgress } from '../../ui/parts/progress.tsx';
import { Muted } from '../../ui/parts/text.tsx';
import styles from './ask-engine.module.css';
import {
  ENGINE_DECIDERS,
  type EnginePerson,
  engineLabelsOf,
  enginePersonName,
  findTrainingDialogues,
} from './engine-person.ts';
import { trainedOnWords } from './label-words.ts';
import type { EngineLabel, StudyDialogue } from './study.ts';
import type { StoredStudy, StudyShelf } from './study-shelf.ts';

export const kernelOf = (kernel: Kernel): Kernel => kernel;

const FIRST: EnginePerson = { decider: 'embedded-untaught', policy: 'focused' };

/** How many dialogues the engine has labelled, and the name of the current one. */
export interface AskingProgress {
  readonly done: number;
  readonly words: string;
}

/** Lets the user choose a decider and a policy, which the study remembers, and label dialogues with them. */
export const AskEngine = ({
  label,
  words,
  shelf,
  kept,
  dialogues,
  task,
  onLabels,
  children,
}: {
  /** Label of the group. */
  label: string;
  /** Text of the button. */
  words: string;
  shelf: StudyShelf;
  kept: StoredStudy;
  dialogues: readonly StudyDialogue[];
  /** A language model may take half an hour: the task is of the page, and goes on while another part of that is shown. */
  task: PageTask<AskingProgress>;
  /** By dialogue; `name` identifies the engine that produced them. */
  onLabels: (
    labels: ReadonlyMap<string, readonly (EngineLabel | null)[]>,
    name: string,
  ) => Promise<unknown> | undefined;
  children?: ReactNode;
}) => {
  const part = usePart();
  const { reportFailure } = useActions();
  // Uses the displayed choice, whether or not it has been stored yet.
  const [person, choose] = useState(kept.engine ?? FIRST);
  const { progress, failure } = useStore(task.store);
  const known = useTrainedOn(dialogues);

  const setPerson = (engine: EnginePerson) => {
    choose(engine);
    shelf.change(kept.id, () => ({ engine })).catch((error) => reportFailure('Saving the choice', error));
  };
  const ask = () =>
    task.run({ done: 0, words: '' }, async (signal, show) => {
      const kernel = await part(kernelOf);
      const name = enginePersonName(kernel, person);
      const labels = await engineLabelsOf(kernel, kept.study, dialogues, person, {
        signal,
        breathe: createYielder(kernel.ports.elapsed),
        progress: (done, dialogue) => show({ done, words: dialogue.name }),
      });
      signal.throwIfAborted();
      show(null);
      await onLabels(labels, name);
    });

  if (progress !== null) {
    return <TaskProgress label="Asking the engine" {...progress} of={dialogues.length} onCancel={task.cancel} />;
  }
  return (
    <>
      <div className={styles.engine} role="group" aria-label={label}>
        <label>
          Decider
          <Select
            value={person.decider}
            onChange={({ target }) => setPerson({ ...person, decider: target.value as EnginePerson['decider'] })}
          >
            {ENGINE_DECIDERS.map(({ decider, title }) => (
              <option key={decider} value={decider}>
                {title}
              </option>
            ))}
          </Select>
        </label>
        <label>
          Policy
          <Select value={person.policy} onChange={({ target }) => setPerson({ ...person, policy: target.value })}>
            {ALL_POLICIES.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
        <Button disabled={dialogues.length === 0} onClick={() => void ask()}>
          {words}
        </Button>
        {children}
      </div>
      {known.length > 0 && (
        <Muted className={styles.trained}>
          {trainedOnWords(
            known.map(({ name }) => name),
            dialogues.length,
          )}
        </Muted>
      )}
      {failure !== null && <p>The engine could not label anything: {failure}</p>}
    </>
  );
};

/** The dialogues that the embedded decider was trained on; empty until known. */
const useTrainedOn = (dialogues: readonly StudyDialogue[]): readonly StudyDialogue[] => {
  const part = usePart();
  const [known, setKnown] = useState<readonly StudyDialogue[]>([]);
  useEffect(() => {
    let isGone = false;
    // If the list cannot be loaded, asking the engine reports it.
    part(kernelOf)
      .then((kernel) => findTrainingDialogues(kernel, dialogues))
      .then((found) => !isGone && setKnown(found))
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [part, dialogues]);
  return known;
};
