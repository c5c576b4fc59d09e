import { useActions } from '../../ui/app-context.ts';
import { ROLE_WORDS } from '../../ui/parts/model-words.ts';
import styles from './models.module.css';
import { RUNTIME_WORDS } from './offer-words.ts';
import { RemovableRow } from './removable-row.tsx';
import rows from './rows.module.css';
import type { ModelsShown } from './use-models.ts';

/** The person's own models, those of servers aside. */
export const OwnModels = ({ shown: { offers, refresh } }: { shown: ModelsShown }) => {
  const { models } = useActions();
  const own = (offers.value ?? []).filter((offer) => offer.own && offer.runtime !== 'server');
  if (own.length === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="models-own">
      <h4 id="models-own">Your own</h4>
      <ul aria-label="Your own models" className={rows.rows}>
        {own.map(({ key, name, runtime, roles }) => (
          <RemovableRow key={key} name={name} does="Remove" remove={() => models.removeOwn(key)} onGone={refresh}>
            {RUNTIME_WORDS[runtime]} · {roles.map((role) => ROLE_WORDS[role].toLowerCase()).join(', ')}
          </RemovableRow>
        ))}
      </ul>
    </section>
  );
};
