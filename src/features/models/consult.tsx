import { useId } from 'react';
import type { Choice } from '../../app/model-control.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import forms from './forms.module.css';
import styles from './models.module.css';
import { TaskFailure } from './task-failure.tsx';
import type { ModelsShown } from './use-models.ts';
import { useTask } from './use-task.ts';

const SAME = 'same-as-chat';

/** Whom the embedded decider asks where it is unsure. */
export const Consult = ({ shown: { settings, offers, refresh } }: { shown: ModelsShown }) => {
  const { models } = useActions();
  const id = useId();
  const task = useTask('Choosing whom to ask');
  const recalls = useApp((app) => app.models.chat.choice.kind === 'embedded');
  const able = (offers.value ?? []).filter(({ roles, unfit }) => roles.includes('decide') && unfit === null);
  if (settings.value === null || (able.length === 0 && recalls && settings.value.consult === null)) return null;
  const { consult } = settings.value;
  const value = consult === null ? '' : consult.kind === 'model' ? consult.key : consult.kind;
  const put = (chosen: string) => {
    const next: Choice | null =
      chosen === '' ? null : chosen === SAME ? { kind: SAME } : { kind: 'model', key: chosen };
    void task.run(() => models.set({ consult: next })).then(refresh);
  };
  return (
    <section className={styles.block} aria-label="Where it is unsure">
      <div className={forms.field}>
        <label htmlFor={id}>Where it is unsure, ask</label>
        <select id={id} value={value} disabled={task.busy} onChange={({ target }) => put(target.value)}>
          <option value="">nobody</option>
          <option value={SAME} disabled={recalls}>
            the chat model
          </option>
          {able.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <p className={styles.note}>
        A language model then decides the few messages that the embedded decider cannot place. That takes a moment each.
      </p>
      <TaskFailure message={task.failure} />
    </section>
  );
};
