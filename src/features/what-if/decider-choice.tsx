import { useId } from 'react';
import type { WhatIfDecider } from '../../engine/history/question.ts';
import styles from './setup.module.css';
import { useWhatIf } from './use-what-if.ts';
import type { Choices, WhatIfRun } from './what-if-run.ts';

const WORDS: Readonly<Record<WhatIfDecider, string>> = {
  chosen: 'It knows at each turn what it had learned from you by then.',
  embedded: 'The one that ships, knowing at each turn what it had learned from you by then.',
  'embedded-taught': 'The one that ships, knowing from the start all that it has learned from you until now.',
  'embedded-untaught': 'The one that ships, without anything that it has learned from you.',
  'paper-rule': 'Similarity alone: a threshold for the topic, and a fork wherever the gate θ opens.',
  'one-threshold': 'One similarity from which a topic is gone on with or returned to. It never forks.',
};

/** Who decides. */
export const DeciderChoice = ({ run }: { run: WhatIfRun }) => {
  const id = useId();
  const chosen = useWhatIf(run, ({ question }) => question.decider);
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
