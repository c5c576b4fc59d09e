import type { StoredModel } from '../../app/model-control.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { bytes, counted } from '../../ui/parts/format.ts';
import { ROLE_WORDS, ROLES } from '../../ui/parts/model-words.ts';
import { PageHead } from '../../ui/parts/paged-dialog.tsx';
import { RemovableRow, TaskFailure } from './model-parts.tsx';
import styles from './models.module.css';
import rows from './rows.module.css';
import type { ModelsShown } from './use-models.ts';

/** What was downloaded, how much room it takes, and how to be rid of it. */
export const KeptPage = ({ shown: { stored, machine, refresh } }: { shown: ModelsShown }) => {
  const models = stored.value ?? [];
  const total = models.reduce((sum, model) => sum + model.bytes, 0);
  const storage = machine.value?.storage ?? null;
  return (
    <>
      <PageHead title="Kept here">
        Models that were downloaded or given stay on this machine and work without a network. What ships with the page
        is not among them.
      </PageHead>
      <TaskFailure message={stored.failure} />
      {stored.value !== null && models.length === 0 && <p className={styles.empty}>Nothing has been downloaded yet.</p>}
      {models.length > 0 && (
        <>
          <ul aria-label="Kept models" className={rows.rows}>
            {models.map((model) => (
              <Kept key={model.key} model={model} onGone={refresh} />
            ))}
          </ul>
          <p className={rows.total}>
            <span>{counted(models.length, 'model')}</span>
            <b>{bytes(total)}</b>
          </p>
        </>
      )}
      {storage !== null && (
        <p className={styles.note}>
          The browser gives this page {bytes(storage.quota)} in all; {bytes(Math.max(0, storage.quota - storage.usage))}{' '}
          are free.
        </p>
      )}
    </>
  );
};

const Kept = ({ model: { key, name, bytes: here, total }, onGone }: { model: StoredModel; onGone: () => void }) => {
  const { models } = useActions();
  const users = useApp((app) =>
    ROLES.filter((role) => {
      const { choice } = app.models[role];
      return choice.kind === 'model' && choice.key === key;
    })
      .map((role) => ROLE_WORDS[role].toLowerCase())
      .join(', '),
  );
  const whole = total === null || here >= total;
  return (
    <RemovableRow name={name} does="Delete" remove={() => models.remove(key)} onGone={onGone}>
      {whole ? bytes(here) : `${bytes(here)} of ${bytes(total)} downloaded; choosing it again continues from there`}
      {users !== '' && ` · ${users} now, and would go back to what ships with the page`}
    </RemovableRow>
  );
};
