import { SHIPPED_SETTINGS } from '../../engine/settings.ts';
import { ABOUT_POLICY, POLICY_GROUPS } from '../../ui/parts/policies.tsx';
import { PageHead } from './page-head.tsx';
import styles from './policy.module.css';
import type { Drafting } from './use-draft.ts';

export const PolicyPage = ({ drafting: { draft, now, edit } }: { drafting: Drafting }) => {
  const chosen = draft.policy ?? now.policy;
  return (
    <>
      <PageHead title="Policy">
        What is sent to the chat model for a turn. Turns find their places in the forest whichever you choose.
      </PageHead>
      <div role="radiogroup" aria-label="Policy" className={styles.groups}>
        {POLICY_GROUPS.map(({ title, names }, at) => (
          <fieldset key={title} className={styles.choices} aria-describedby={at === 1 ? 'policy-memories' : undefined}>
            <legend>{title}</legend>
            {at === 1 && (
              <p id="policy-memories" className={styles.note}>
                Each keeps a memory of its own of the whole conversation, whatever the forest. The embedded models
                condense texts by rules, to the sentences nearest to their mean; a language model that summarises
                writes, lists facts and rates.
              </p>
            )}
            {names.map((name) => (
              <label key={name} className={styles.choice} data-chosen={name === chosen}>
                <input
                  type="radio"
                  name="policy"
                  aria-describedby={`policy-${name}`}
                  checked={name === chosen}
                  onChange={() => edit({ policy: name })}
                />
                <span>
                  <b>{name}</b>
                  {name === SHIPPED_SETTINGS.policy.name && <small>as shipped</small>}
                  <span id={`policy-${name}`}>{ABOUT_POLICY[name] ?? ''}</span>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
};
