import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { ALL_POLICIES } from '../../engine/context/policies/policies.ts';
import { AS_IT_WAS, type WhatIf, type WhatIfDecider } from '../../engine/history/what-if.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import styles from './setup.module.css';
import { ParameterFields, PromptFields } from './setup-fields.tsx';
import { SweepSetup } from './sweep-view.tsx';
import type { Choices, WhatIfRun } from './what-if-run.ts';
import { otherwiseWords } from './what-if-words.ts';

/** What to change. `folded`: where it is narrow and there is something to see, it is one line to unfold. */
export const Setup = ({ run, folded }: { run: WhatIfRun; folded: boolean }) => {
  const busy = useStore(run.store, (state) => state.task !== null);
  const question = useStore(run.store, (state) => state.question);
  const form = (
    <fieldset className={styles.form} disabled={busy}>
      <legend className="visually-hidden">What to change</legend>
      <FromTurn run={run} />
      <DeciderChoice run={run} />
      <EmbedderChoice run={run} />
      <PolicyChoice run={run} />
      <ParameterFields run={run} />
      <PromptFields run={run} />
      <Labelled label="What is not named here">
        <Segmented
          label="What is not named here"
          value={question.base}
          onChange={(base) => run.ask({ base })}
          options={[
            { value: 'then', label: 'As it was' },
            { value: 'now', label: 'As set now' },
          ]}
        />
      </Labelled>
      <Labelled label="What you did by hand">
        <Segmented
          label="What you did by hand"
          value={question.byHand}
          onChange={(byHand) => run.ask({ byHand })}
          options={[
            { value: 'again', label: 'Done again' },
            { value: 'left-out', label: 'Left out' },
          ]}
        />
      </Labelled>
      <div className={styles.run}>
        <Button
          size="small"
          look="quiet"
          disabled={otherwiseWords(question) === otherwiseWords(AS_IT_WAS) && question.from === null}
          onClick={() => run.ask(AS_IT_WAS)}
        >
          Reset
        </Button>
        <Button look="primary" onClick={() => void run.run()}>
          Run it again
        </Button>
      </div>
      <SweepSetup run={run} />
    </fieldset>
  );
  if (!folded) {
    return (
      <section className={styles.setup} aria-label="What to change">
        {form}
      </section>
    );
  }
  return (
    // Once it has run, what came of it is looked at.
    <details key={String(busy)} className={styles.setup}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        Changed: {otherwiseWords(question)}
      </summary>
      {form}
    </details>
  );
};

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.field}>
    <span aria-hidden>{label}</span>
    {children}
  </div>
);

const WORDS: Readonly<Record<WhatIfDecider, string>> = {
  chosen: 'It knows at each turn what it had learned from you by then.',
  embedded: 'The one that ships, knowing at each turn what it had learned from you by then.',
  'embedded-taught': 'The one that ships, knowing from the start all that it has learned from you until now.',
  'embedded-untaught': 'The one that ships, without anything that it has learned from you.',
  'paper-rule': 'Similarity alone: a threshold for the topic, and a fork wherever the gate θ opens.',
  'one-threshold': 'One similarity from which a topic is continued or returned to. It never forks.',
};

/** Who decides. */
const DeciderChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const chosen = useStore(run.store, ({ question }) => question.decider);
  const choices = run.choices();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Decider</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-words`}
        onChange={({ target }) => run.ask({ decider: target.value as WhatIfDecider })}
      >
        {optionsIn(choices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <small id={`${id}-words`}>{WORDS[chosen]}</small>
    </div>
  );
};

const optionsIn = ({ decider, embedded, lessons }: Choices): (readonly [WhatIfDecider, string])[] => [
  ['chosen', `As chosen: ${decider}`],
  ...(embedded ? [] : [['embedded', 'Embedded decider'] as const]),
  ...(lessons === 0
    ? []
    : ([
        ['embedded-taught', 'Embedded, with all it has learned'],
        ['embedded-untaught', 'Embedded, as it ships'],
      ] as const)),
  ['paper-rule', 'The paper’s rule'],
  ['one-threshold', 'One threshold'],
];

/** How much of a message tells which turn it is, in UTF-16 units. */
const EXCERPT = 48;

/** The first turn that is decided anew. */
const FromTurn = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const entries = useStore(run.store, ({ origin }) => origin.entries);
  const forest = useStore(run.store, ({ origin }) => origin.forest);
  const from = useStore(run.store, ({ question }) => question.from);
  const turns = useMemo(
    () =>
      entries.flatMap(({ event }) => {
        const node = event.type === 'message-sent' ? forest.nodes[event.nodeId] : undefined;
        return node === undefined ? [] : [node];
      }),
    [entries, forest],
  );
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Re-run from</label>
      <select id={id} value={from ?? ''} onChange={({ target }) => run.ask({ from: target.value || null })}>
        <option value="">From the start</option>
        {turns.slice(1).map(({ id: nodeId, number, message }) => (
          <option key={nodeId} value={nodeId}>
            From turn {number}: {message.length > EXCERPT ? `${message.slice(0, EXCERPT)}…` : message}
          </option>
        ))}
      </select>
    </div>
  );
};

/** Only where another is chosen than the one that ships. */
const EmbedderChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const chosen = useStore(run.store, ({ question }) => question.embedder);
  const { embedder, embeddedEmbedder } = run.choices();
  if (embeddedEmbedder === null) return null;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Embedder</label>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => run.ask({ embedder: target.value as WhatIf['embedder'] })}
      >
        <option value="chosen">As chosen: {embedder}</option>
        <option value="embedded">{embeddedEmbedder.name}, which ships</option>
      </select>
    </div>
  );
};

const PolicyChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const { policy, base } = useStore(run.store, ({ question }) => question);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Policy</label>
      <select id={id} value={policy ?? ''} onChange={({ target }) => run.ask({ policy: target.value || null })}>
        <option value="">{base === 'then' ? 'As it was' : 'As set now'}</option>
        {ALL_POLICIES.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
};
