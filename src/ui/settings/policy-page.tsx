import { POLICIES } from '../../engine/policies/policies.ts';
import { SHIPPED_SETTINGS } from '../../engine/settings.ts';
import { PageHead } from './page-head.tsx';
import styles from './policy.module.css';
import type { Drafting } from './use-draft.ts';

/** One line on each, by its name. */
const ABOUT: Readonly<Record<string, string>> = {
  'context-agent':
    'The active path in full, and every other branch and topic as a summary, within a budget. The policy of the paper.',
  'full-history':
    'Every earlier turn in full, as a plain chat sends it. Where the window is full the oldest are left out.',
  truncation: 'The last turns in full, whatever their topic.',
  'flat-rag':
    'The turns most similar to the message in full, wherever they stand. The paper’s ablation without the tree.',
  'context-agent-without-rag':
    'As context-agent, without looking for similar turns: only words that revise something may fork. The paper’s ablation without retrieval.',
};

export const PolicyPage = ({ drafting: { draft, now, edit } }: { drafting: Drafting }) => {
  const chosen = draft.policy ?? now.policy;
  return (
    <>
      <PageHead title="Policy">
        What is sent to the chat model for a turn. Turns find their places in the forest whichever you choose.
      </PageHead>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">Policy</legend>
        {POLICIES.map(({ name }) => (
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
              <span id={`policy-${name}`}>{ABOUT[name] ?? ''}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
};
