import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { AS_IT_WAS } from '../../engine/history/question.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Segmented } from '../../ui/parts/fields.tsx';
import { DeciderChoice } from './decider-choice.tsx';
import { FromTurn } from './from-turn.tsx';
import { EmbedderChoice, PolicyChoice } from './model-choices.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { PromptFields } from './prompt-fields.tsx';
import styles from './setup.module.css';
import { SweepSetup } from './sweep-setup.tsx';
import { useWhatIf } from './use-what-if.ts';
import type { WhatIfRun } from './what-if-run.ts';
import { otherwiseWords } from './what-if-title.ts';

/** What is to be otherwise. `folded`: where it is narrow and there is something to see, it is one line to unfold. */
export const Setup = ({ run, folded }: { run: WhatIfRun; folded: boolean }) => {
  const busy = useWhatIf(run, (state) => state.task !== null);
  const question = useWhatIf(run, (state) => state.question);
  const form = (
    <fieldset className={styles.form} disabled={busy}>
      <legend className="visually-hidden">What is to be otherwise</legend>
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
          Nothing otherwise
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
      <section className={styles.setup} aria-label="What is to be otherwise">
        {form}
      </section>
    );
  }
  return (
    // Once it has run, what came of it is looked at.
    <details key={String(busy)} className={styles.setup}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        Otherwise: {otherwiseWords(question)}
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
