import { useId } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import type { SubjectChoice } from './evaluation-port.ts';
import type { EvaluationRun } from './evaluation-run.ts';
import styles from './setup.module.css';
import { useRun } from './use-run.ts';

/** Which deciders and policies are measured. */
export const Subjects = ({ run, disabled }: { run: EvaluationRun; disabled: boolean }) => {
  const { deciders, policies } = useRun(run, (state) => state.subjects);
  return (
    <section className={styles.subjects} aria-label="What is measured">
      <Choices
        title="Deciders"
        about="how they place turns"
        choices={run.evaluation.deciders()}
        chosen={deciders}
        disabled={disabled}
        onChoose={(names) => run.choose({ deciders: names })}
      />
      <Choices
        title="Policies"
        about="the contexts they build of turns placed by the learned decider"
        choices={run.evaluation.policies()}
        chosen={policies}
        disabled={disabled}
        onChoose={(names) => run.choose({ policies: names })}
      />
    </section>
  );
};

const Choices = ({
  title,
  about,
  choices,
  chosen,
  disabled,
  onChoose,
}: {
  title: string;
  about: string;
  choices: readonly SubjectChoice[];
  chosen: readonly string[];
  disabled: boolean;
  onChoose: (names: string[]) => void;
}) => {
  const id = useId();
  const choose = (name: string, on: boolean) =>
    onChoose(
      choices.flatMap((choice) => ((choice.name === name ? on : chosen.includes(choice.name)) ? choice.name : [])),
    );
  const every = choices.every(({ name }) => chosen.includes(name));
  return (
    <fieldset className={styles.choices} disabled={disabled} aria-labelledby={id}>
      <div className={styles.title}>
        <h3 id={id}>{title}</h3>
        <Button
          look="quiet"
          size="small"
          aria-label={`${title}: ${every ? 'none' : 'all'}`}
          onClick={() => onChoose(every ? [] : choices.map(({ name }) => name))}
        >
          {every ? 'None' : 'All'}
        </Button>
      </div>
      <p className={styles.aside}>{about}</p>
      {choices.map(({ name, about: words }) => (
        <label key={name} className={styles.choice}>
          <input
            type="checkbox"
            aria-label={name}
            checked={chosen.includes(name)}
            onChange={({ target }) => choose(name, target.checked)}
          />
          <span>
            <b>{name}</b>
            <small>{words}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
