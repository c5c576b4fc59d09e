import { HardDrive, Plus, Server, Sparkles } from 'lucide-react';
import type { ModelsPage } from '../../app/state.ts';
import { useActions, useApp } from '../../ui/app-context.ts';
import { bytes } from '../../ui/parts/format.ts';
import { PHONE, useMedia } from '../../ui/parts/hooks.ts';
import { ROLE_WORDS, ROLES, stateWords } from '../../ui/parts/model-words.ts';
import { PagedDialog, type PageGroup } from '../../ui/parts/paged-dialog.tsx';
import { AddPage } from './add-page.tsx';
import { KeptPage } from './kept-page.tsx';
import { machineShort } from './machine-words.ts';
import { StateMark } from './model-parts.tsx';
import styles from './models-dialog.module.css';
import { OverviewPage } from './overview-page.tsx';
import { RolePage } from './role-page.tsx';
import { ServerPage } from './server-page.tsx';
import { type ModelsShown, useModels } from './use-models.ts';

/** Which model does what, and what there is to choose from. */
export const ModelsDialog = ({ onClose }: { onClose: () => void }) => {
  const { session } = useActions();
  const phone = useMedia(PHONE);
  const asked = useApp((state) => state.session.modelsPage);
  const page = asked ?? (phone ? null : 'overview');
  const shown = useModels();
  const groups = usePages(shown);
  return (
    <PagedDialog
      title="Models"
      groups={groups}
      page={page}
      onPage={(to) => session({ modelsPage: to })}
      back="All models"
      onClose={onClose}
    >
      {page !== null && <Page key={page} page={page} shown={shown} />}
    </PagedDialog>
  );
};

const usePages = ({ machine, stored }: ModelsShown): readonly PageGroup<ModelsPage>[] => {
  const models = useApp((app) => app.models);
  const kept = stored.value?.reduce((sum, model) => sum + model.bytes, 0) ?? 0;
  const keptWords = stored.value === null ? '' : kept === 0 ? 'nothing yet' : bytes(kept);
  return [
    {
      items: [
        {
          page: 'overview',
          icon: Sparkles,
          title: 'Overview',
          words: machine.value === null ? 'trying this machine…' : machineShort(machine.value),
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
        { page: 'kept', icon: HardDrive, title: 'Kept here', words: keptWords },
      ],
    },
  ];
};

const Page = ({ page, shown }: { page: ModelsPage; shown: ModelsShown }) => {
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
