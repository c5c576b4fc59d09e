import { HardDrive, Plus, Server, Sparkles } from 'lucide-react';
import { isWhole, type StoredModel } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import type { FeatureDialogProps } from '../../ui/commands/feature.ts';
import { counted } from '../../ui/parts/format.ts';
import { PHONE, useMedia } from '../../ui/parts/hooks.ts';
import { ROLE_WORDS, ROLES, stateWords } from '../../ui/parts/model-words.ts';
import { PagedDialog, type PageGroup, PageHead } from '../../ui/parts/paged-dialog.tsx';
import { Hint } from '../../ui/parts/text.tsx';
import { AddPage } from './add-page.tsx';
import { machineShort } from './machine-words.ts';
import { RemovableRow, StateMark, TaskFailure } from './model-parts.tsx';
import styles from './models.module.css';
import { OverviewPage } from './overview-page.tsx';
import { RolePage } from './role-page.tsx';
import { ServerPage } from './server-page.tsx';
import { type ModelsState, useModels } from './use-models.ts';

export type ModelsPage = 'overview' | Role | 'add' | 'server' | 'kept';

/** Which model does what, and the available choices. Going to a page reopens the dialog with that page. */
export const ModelsDialog = ({ with: asked, onClose }: FeatureDialogProps<ModelsPage>) => {
  const { session } = useActions();
  const phone = useMedia(PHONE);
  const page = asked ?? (phone ? null : 'overview');
  const shown = useModels();
  const groups = usePages(shown);
  return (
    <PagedDialog
      title="Models"
      groups={groups}
      page={page}
      onPage={(to) => session({ dialog: 'models', with: to })}
      back="All models"
      onClose={onClose}
    >
      {page !== null && <Page key={page} page={page} shown={shown} />}
    </PagedDialog>
  );
};

const usePages = ({ machine, stored }: ModelsState): readonly PageGroup<ModelsPage>[] => {
  const models = useApp((app) => app.models);
  const kept = stored.value?.reduce((sum, model) => sum + model.bytes, 0) ?? 0;
  const keptWords = stored.value === null ? '' : kept === 0 ? 'none yet' : bytesInWords(kept);
  return [
    {
      items: [
        {
          page: 'overview',
          icon: Sparkles,
          title: 'Overview',
          words: machine.value === null ? 'testing this machine…' : machineShort(machine.value),
        },
      ],
    },
    {
      label: 'Roles',
      items: ROLES.map((role) => {
        const model = models[role];
        return {
          page: role,
          icon: <StateMark model={model} />,
          title: ROLE_WORDS[role],
          words: model.choice.kind === 'same-as-chat' ? 'same as chat' : model.name,
          mark: (
            <span className={styles.state} data-state={model.state}>
              {stateWords(model)}
            </span>
          ),
        };
      }),
    },
    {
      items: [
        { page: 'add', icon: Plus, title: 'Add a model', words: 'GGUF, ONNX, WebLLM' },
        { page: 'server', icon: Server, title: 'Server', words: 'Ollama, LM Studio, vLLM…' },
        { page: 'kept', icon: HardDrive, title: 'Downloaded models', words: keptWords },
      ],
    },
  ];
};

const Page = ({ page, shown }: { page: ModelsPage; shown: ModelsState }) => {
  switch (page) {
    case 'overview':
      return <OverviewPage shown={shown} />;
    case 'add':
      return <AddPage shown={shown} />;
    case 'server':
      return <ServerPage shown={shown} />;
    case 'kept':
      return <KeptPage shown={shown} />;
    default:
      return <RolePage role={page} shown={shown} />;
  }
};

/** Downloaded models, the space they take, and how to remove them. */
const KeptPage = ({ shown: { stored, machine, refresh } }: { shown: ModelsState }) => {
  const models = stored.value ?? [];
  const total = models.reduce((sum, model) => sum + model.bytes, 0);
  const storage = machine.value?.storage ?? null;
  return (
    <>
      <PageHead title="Downloaded models">
        Models you downloaded or added stay on this machine and work offline. Models that ship with the page are not
        listed.
      </PageHead>
      <TaskFailure message={stored.failure} />
      {stored.value !== null && models.length === 0 && <p className={styles.empty}>Nothing has been downloaded yet.</p>}
      {models.length > 0 && (
        <>
          <ul aria-label="Downloaded models" className={styles.list}>
            {models.map((model) => (
              <Kept key={model.key} model={model} onGone={refresh} />
            ))}
          </ul>
          <p className={styles.total}>
            <span>{counted(models.length, 'model')}</span>
            <b>{bytesInWords(total)}</b>
          </p>
        </>
      )}
      {storage !== null && (
        <Hint className={styles.note}>
          The browser gives this page {bytesInWords(storage.quota)} in total, with{' '}
          {bytesInWords(Math.max(0, storage.quota - storage.usage))} free.
        </Hint>
      )}
    </>
  );
};

const Kept = ({ model, onGone }: { model: StoredModel; onGone: () => void }) => {
  const { key, name, bytes, total } = model;
  const { models } = useActions();
  const users = useApp(({ models: roles, consult }) =>
    [
      ...ROLES.map((role) => ({ words: ROLE_WORDS[role].toLowerCase(), choice: roles[role].choice })),
      { words: 'asked when unsure', choice: consult?.choice },
    ]
      .filter(({ choice }) => choice?.kind === 'model' && choice.key === key)
      .map(({ words }) => words)
      .join(', '),
  );
  const downloaded = total === null ? bytesInWords(bytes) : `${bytesInWords(bytes)} of ${bytesInWords(total)}`;
  return (
    <RemovableRow name={name} action="Delete" remove={() => models.remove(key)} onGone={onGone}>
      {isWhole(model) ? bytesInWords(bytes) : `${downloaded} downloaded; choosing it again continues from there`}
      {users !== '' && ` · in use: ${users}. Deleting it switches back to the embedded model.`}
    </RemovableRow>
  );
};
