import type { AppState } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useApp } from '../app-context.ts';
import { progressFacts, ROLE_WORDS, ROLES, shareOf, stateWords } from '../parts/model-words.ts';
import { ProgressRing } from '../parts/progress.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { FailedPill } from './failed-pill.tsx';
import styles from './pills.module.css';

/** The chat model and the decider always; another model only while there is something to say of it. */
export const ModelPills = () => (
  <>
    <ModelPill of="chat" />
    <ModelPill of="decide" />
    <ModelPill of="embed" quiet />
    <ModelPill of="summarise" quiet />
  </>
);

/** Where there is room for one: what needs the person most, else what works. */
export const PhonePill = () => {
  const role = useApp(mostNotable);
  return <ModelPill key={role} of={role} />;
};

const mostNotable = ({ models }: AppState): Role => {
  for (const state of ['failed', 'loading', 'busy'] as const) {
    const role = ROLES.find((one) => models[one].state === state && (one === 'chat' || state !== 'busy'));
    if (role !== undefined) return role;
  }
  return ROLES.find((role) => models[role].progress !== null) ?? 'chat';
};

const ModelPill = ({ of: role, quiet = false }: { of: Role; quiet?: boolean }) => {
  const { session } = useActions();
  const model = useApp((app) => app.models[role]);
  const { name, state, progress, choice } = model;
  if (state === 'failed') return <FailedPill role={role} model={model} />;
  if (quiet && (choice.kind === 'same-as-chat' || (state !== 'loading' && progress === null))) return null;
  const words = stateWords(model);
  const same = choice.kind === 'same-as-chat' ? ['same as chat'] : [];
  const said = [
    `${ROLE_WORDS[role]}: ${name}`,
    ...same,
    words,
    ...(progress === null ? [] : progressFacts(progress)),
  ].join(', ');
  const under = state === 'loading' || progress !== null;
  const share = progress === null ? null : shareOf(progress);
  return (
    <Tooltip text={said}>
      <button
        type="button"
        className={styles.pill}
        data-same={choice.kind === 'same-as-chat' || undefined}
        aria-label={said}
        onClick={() => session({ dialog: 'models', modelsPage: role })}
      >
        {under ? <ProgressRing share={share} /> : <span className={styles.state} data-state={state} aria-hidden />}
        <span className={styles.pillName}>
          {choice.kind === 'same-as-chat' ? `also ${ROLE_WORDS[role].toLowerCase()}` : name}
        </span>
        {under && share !== null && <span className={styles.share}>{Math.floor(share * 100)} %</span>}
      </button>
    </Tooltip>
  );
};
