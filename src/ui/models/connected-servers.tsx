import type { Offer } from '../../app/model-control.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import styles from './models.module.css';
import rows from './rows.module.css';
import { TaskFailure } from './task-failure.tsx';
import type { ModelsShown } from './use-models.ts';
import { useTask } from './use-task.ts';

/** Servers whose models are in the lists, and how to forget them. */
export const ConnectedServers = ({ shown, onGone }: { shown: ModelsShown; onGone: (baseUrl: string) => void }) => {
  const servers = new Map<string, Offer[]>();
  for (const offer of shown.offers.value ?? []) {
    if (offer.runtime !== 'server' || offer.leavesFor === null) continue;
    servers.set(offer.leavesFor, [...(servers.get(offer.leavesFor) ?? []), offer]);
  }
  if (servers.size === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="models-servers">
      <h4 id="models-servers">In your lists</h4>
      <ul aria-label="Servers" className={rows.rows}>
        {[...servers].map(([baseUrl, offers]) => (
          <Connected
            key={baseUrl}
            baseUrl={baseUrl}
            offers={offers}
            onGone={() => {
              onGone(baseUrl);
              shown.refresh();
            }}
          />
        ))}
      </ul>
    </section>
  );
};

const Connected = ({ baseUrl, offers, onGone }: { baseUrl: string; offers: readonly Offer[]; onGone: () => void }) => {
  const { models, announce } = useActions();
  const task = useTask(`Forgetting ${baseUrl}`);
  const forget = async () => {
    if (!(await task.run(() => models.disconnect(baseUrl)))) return;
    announce(`${baseUrl} was forgotten.`);
    onGone();
  };
  return (
    <li>
      <div>
        <b>{baseUrl}</b>
        <p>{offers.map(({ name }) => name).join(', ')}</p>
        <TaskFailure message={task.failure} />
      </div>
      <Button
        size="small"
        look="danger"
        aria-label={`Forget ${baseUrl}`}
        disabled={task.busy}
        onClick={() => void forget()}
      >
        Forget
      </Button>
    </li>
  );
};
