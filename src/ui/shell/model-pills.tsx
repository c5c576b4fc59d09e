import type { ModelStatus } from '../../app/state.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions, useApp } from '../app-context.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './pills.module.css';

const STATE_WORDS: Record<ModelStatus['state'], string> = {
  idle: 'starts when it is needed',
  loading: 'loading',
  ready: 'ready',
  busy: 'at work',
  failed: 'failed',
};
const ROLE_WORDS: Record<Role, string> = {
  chat: 'Replies',
  decide: 'Decides',
  summarise: 'Summarises',
  embed: 'Compares',
};

/** The chat model and the decider always; another model only while there is something to say of it. */
export const ModelPills = () => (
  <>
    <ModelPill of="chat" />
    <ModelPill of="decide" />
    <ModelPill of="embed" quiet />
    <ModelPill of="summarise" quiet />
  </>
);

const ModelPill = ({ of: role, quiet = false }: { of: Role; quiet?: boolean }) => {
  const { session } = useActions();
  const { name, state, failure } = useApp((app) => app.models[role]);
  if (quiet && state !== 'failed' && state !== 'loading') return null;
  return (
    <Tooltip text={failure ?? `${ROLE_WORDS[role]}: ${name}, ${STATE_WORDS[state]}`}>
      <button
        type="button"
        className={styles.pill}
        aria-label={`${ROLE_WORDS[role]}: ${name}, ${STATE_WORDS[state]}`}
        onClick={() => session({ dialog: 'models' })}
      >
        <span className={styles.state} data-state={state} aria-hidden />
        <span className={styles.pillName}>{state === 'failed' ? `${name} failed` : name}</span>
      </button>
    </Tooltip>
  );
};
