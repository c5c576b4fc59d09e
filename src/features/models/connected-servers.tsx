import type { Offer } from '../../app/model-control.ts';
import { useActions } from '../../ui/app-context.ts';
import styles from './models.module.css';
import { RemovableRow } from './removable-row.tsx';
import rows from './rows.module.css';
import type { ModelsShown } from './use-models.ts';

/** Servers whose models are in the lists, and how to forget them. */
export const ConnectedServers = ({ shown, onGone }: { shown: ModelsShown; onGone: (baseUrl: string) => void }) => {
  const { models } = useActions();
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
          <RemovableRow
            key={baseUrl}
            name={baseUrl}
            does="Forget"
            remove={() => models.disconnect(baseUrl)}
            onGone={() => {
              onGone(baseUrl);
              shown.refresh();
            }}
          >
            {offers.map(({ name }) => name).join(', ')}
          </RemovableRow>
        ))}
      </ul>
    </section>
  );
};
