import type { Offer } from '../../app/model-control.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import styles from './models.module.css';
import { RUNTIME_WORDS } from './offer-words.ts';
import { ROLE_WORDS } from './role-words.ts';
import rows from './rows.module.css';
import { TaskFailure } from './task-failure.tsx';
import type { ModelsShown } from './use-models.ts';
import { useTask } from './use-task.ts';

/** The person's own models, those of servers aside. */
export const OwnModels = ({ shown: { offers, refresh } }: { shown: ModelsShown }) => {
  const own = (offers.value ?? []).filter((offer) => offer.own && offer.runtime !== 'server');
  if (own.length === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="models-own">
      <h4 id="models-own">Your own</h4>
      <ul aria-label="Your own models" className={rows.rows}>
        {own.map((offer) => (
          <Own key={offer.key} offer={offer} onGone={refresh} />
        ))}
      </ul>
    </section>
  );
};

const Own = ({ offer: { key, name, runtime, roles }, onGone }: { offer: Offer; onGone: () => void }) => {
  const { models, announce } = useActions();
  const task = useTask(`Removing ${name}`);
  const remove = async () => {
    if (!(await task.run(() => models.removeOwn(key)))) return;
    announce(`${name} was removed.`);
    onGone();
  };
  return (
    <li>
      <div>
        <b>{name}</b>
        <p>
          {RUNTIME_WORDS[runtime]} · {roles.map((role) => ROLE_WORDS[role].toLowerCase()).join(', ')}
        </p>
        <TaskFailure message={task.failure} />
      </div>
      <Button
        size="small"
        look="danger"
        aria-label={`Remove ${name}`}
        disabled={task.busy}
        onClick={() => void remove()}
      >
        Remove
      </Button>
    </li>
  );
};
