import { HardDrive, type LucideIcon, Plus, Server, Sparkles } from 'lucide-react';
import type { Ref } from 'react';
import type { ModelsPage } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import { useApp } from '../../ui/app-context.ts';
import { bytes } from '../../ui/parts/format.ts';
import { ROLE_WORDS, ROLES, stateWords } from '../../ui/parts/model-words.ts';
import { machineShort } from './machine-words.ts';
import styles from './models-nav.module.css';
import { StateMark } from './state-mark.tsx';
import type { ModelsShown } from './use-models.ts';

/** The pages of the dialog, each with what stands there. */
export const ModelsNav = ({
  ref,
  page,
  shown: { machine, stored },
  onGo,
}: {
  ref: Ref<HTMLElement>;
  page: ModelsPage | null;
  shown: ModelsShown;
  onGo: (page: ModelsPage) => void;
}) => {
  const kept = stored.value?.reduce((sum, model) => sum + model.bytes, 0) ?? 0;
  const item = (to: ModelsPage, icon: LucideIcon, title: string, words: string) => (
    <PageItem page={to} icon={icon} title={title} words={words} current={page === to} onGo={onGo} />
  );
  return (
    <nav ref={ref} aria-label="Pages" className={styles.nav}>
      <ul>
        {item(
          'overview',
          Sparkles,
          'Overview',
          machine.value === null ? 'trying this machine…' : machineShort(machine.value),
        )}
      </ul>
      <ul aria-label="Roles">
        {ROLES.map((role) => (
          <RoleItem key={role} role={role} current={page === role} onGo={onGo} />
        ))}
      </ul>
      <ul>
        {item('add', Plus, 'Add a model', 'GGUF, ONNX, WebLLM')}
        {item('server', Server, 'Server', 'Ollama, LM Studio, vLLM…')}
        {item('kept', HardDrive, 'Kept here', stored.value === null ? '' : kept === 0 ? 'nothing yet' : bytes(kept))}
      </ul>
    </nav>
  );
};

const RoleItem = ({ role, current, onGo }: { role: Role; current: boolean; onGo: (page: ModelsPage) => void }) => {
  const model = useApp((app) => app.models[role]);
  return (
    <li>
      <button
        type="button"
        className={styles.item}
        data-page={role}
        aria-current={current ? 'page' : undefined}
        onClick={() => onGo(role)}
      >
        <StateMark model={model} />
        <span className={styles.title}>{ROLE_WORDS[role]}</span>
        <span className={styles.words}>{model.choice.kind === 'same-as-chat' ? 'same as chat' : model.name}</span>
        <span className={styles.state} data-state={model.state}>
          {stateWords(model)}
        </span>
      </button>
    </li>
  );
};

const PageItem = ({
  page,
  icon: Icon,
  title,
  words,
  current,
  onGo,
}: {
  page: ModelsPage;
  icon: LucideIcon;
  title: string;
  words: string;
  current: boolean;
  onGo: (page: ModelsPage) => void;
}) => (
  <li>
    <button
      type="button"
      className={styles.item}
      data-page={page}
      aria-current={current ? 'page' : undefined}
      onClick={() => onGo(page)}
    >
      <Icon size={14} strokeWidth={1.8} aria-hidden />
      <span className={styles.title}>{title}</span>
      <span className={styles.words}>{words}</span>
    </button>
  </li>
);
