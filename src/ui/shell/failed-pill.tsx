import { Popover } from 'radix-ui';
import type { RoleState } from '../../app/model-control.ts';
import type { Role } from '../../domain/decision.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { REMEDY_WORDS, ROLE_WORDS, remediesFor } from '../parts/model-words.ts';
import styles from './pills.module.css';
import { useRemedy } from './use-remedy.ts';

/** A model that failed: opened, it says why, what to do, and does it with one button. */
export const FailedPill = ({ role, model }: { role: Role; model: RoleState }) => {
  const { session } = useActions();
  const remedy = useRemedy(role);
  const [first] = remediesFor(model);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          className={styles.pill}
          data-tone="danger"
          aria-label={`${ROLE_WORDS[role]}: ${model.name}, failed`}
        >
          <span className={styles.state} data-state="failed" aria-hidden />
          <span className={styles.pillName}>{model.name}</span>
          failed
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.why}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={`${model.name} failed`}
        >
          <b>{model.name} failed</b>
          <p>{model.failure?.message ?? 'It did not say why.'}</p>
          <div className={styles.whatToDo}>
            {first !== undefined && (
              <Popover.Close asChild>
                <Button look="primary" onClick={() => remedy(first)}>
                  {REMEDY_WORDS[first]}
                </Button>
              </Popover.Close>
            )}
            <Popover.Close asChild>
              <Button look="quiet" onClick={() => session({ dialog: 'models', modelsPage: role })}>
                Open Models
              </Button>
            </Popover.Close>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};
