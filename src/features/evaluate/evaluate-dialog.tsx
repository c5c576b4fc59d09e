import { ChartNoAxesColumn } from 'lucide-react';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { mayLeave } from '../../app/draft-preview.ts';
import { type Kernel, longTask, notify, setSession } from '../../app/kernel.ts';
import { usePart } from '../../ui/app-context.ts';
import type { FeatureDialogProps } from '../../ui/commands/feature.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Loaded } from '../../ui/parts/lazy-parts.tsx';
import { TaskProgress } from '../../ui/parts/progress.tsx';
import { FailureBox, Heading, Muted } from '../../ui/parts/text.tsx';
import styles from './evaluate-dialog.module.css';
import { createEvaluationRun, type EvaluationRun, type EvaluationState, shownFigures } from './evaluation-run.ts';
import files from './files.module.css';
import { AskKind, FoundSets, GiveFiles, Kinds, LeftOut, measurable, pickedFiles } from './files.tsx';
import type { Measurements, SubjectChoice } from './in-page/evaluation-port.ts';
import { Results } from './results.tsx';

const DESCRIPTION =
  'Measure how well turns are placed and what the contexts cost on your own labelled dialogues. Your files stay in this browser, unless you measure a decider that runs on a server. What the decider has learned from you plays no part in the figures.';

/** Measures deciders and policies on labelled dialogues; it can open with some. A run continues while the dialog is closed. */
export const EvaluateDialog = ({ with: given, onClose }: FeatureDialogProps<readonly File[]>) => {
  const part = usePart();
  const load = async () => {
    const run = await part(openEvaluation);
    if (given !== null) void run.startWith(pickedFiles(given));
    return run;
  };
  return (
    <Dialog title="Evaluate" description={DESCRIPTION} onClose={onClose} size="full">
      <Loaded load={load}>{(run) => <Evaluation run={run} />}</Loaded>
    </Dialog>
  );
};

/** Shows the setup, with what failed last, or the figures of the last measurement. */
const Evaluation = ({ run }: { run: EvaluationRun }) => {
  const measured = useStore(run.store, (state) => state.measured);
  const figures = useStore(run.store, shownFigures);
  /** The result that was dismissed to go back to the setup; a newer one is shown at once. */
  const [left, setLeft] = useState<Measurements | null>(null);
  const back = () => {
    setLeft(null);
    run.dismissFailure();
  };
  if (figures === null || left === figures) {
    return <Setup run={run} {...(measured === null ? {} : { onResults: back })} />;
  }
  return <Results measured={figures} onSetup={() => setLeft(figures)} />;
};

/** Opens the page's single evaluation. Rejects if the measuring code cannot be loaded. */
const openEvaluation = async (kernel: Kernel): Promise<EvaluationRun> => {
  const { store, ports } = kernel;
  const { createEvaluation } = await import('./in-page/evaluation.ts');
  const evaluation = createEvaluation({
    embed: ports.embedded.embed,
    tokens: ports.embedded.chat.tokens,
    userAgent: navigator.userAgent,
    // Goes through the kernel because the storage may be replaced.
    cache: {
      readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
      saveVectors: (model, vectors) => kernel.storage.saveVectors(model, vectors),
    },
    chosenDecider: () => {
      const { decide } = ports.models();
      return decide.name === ports.embedded.decide.name ? null : decide;
    },
    deciderLeaves: () => mayLeave(['decide'], store.getState(), ports),
  });
  const ended = (measured: boolean) => {
    if (store.getState().session.dialog === 'evaluate') return;
    const show = { label: 'Show', run: () => setSession(kernel, { dialog: 'evaluate' }) };
    notify(kernel, measured ? 'The evaluation is done.' : 'The evaluation has stopped.', show);
  };
  const run = createEvaluationRun(evaluation, { elapsed: ports.elapsed, ended });
  return { ...run, measure: () => longTask(kernel, run.measure) };
};

/** Files, deciders and policies; then the progress of the run. */
const Setup = ({ run, onResults }: { run: EvaluationRun; onResults?: () => void }) => {
  const data = useStore(run.store, (state) => state.data);
  const task = useStore(run.store, (state) => state.task);
  const failure = useStore(run.store, (state) => state.failure);
  const skippedSets = useStore(run.store, (state) => state.skippedSets);
  const { deciders, policies } = useStore(run.store, (state) => state.subjects);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const busy = task !== null;
  const some = data !== null && measurable(data);
  const withoutSets =
    data !== null &&
    data.sets.length > 0 &&
    (data.unlabelled === 0 || skippedSets.has('ntm')) &&
    data.sets.every(({ name }) => skippedSets.has(name));
  const withoutSubjects =
    policies.length === 0 && run.evaluation.deciders().every(({ name }) => !deciders.includes(name));
  return (
    <>
      <div className={styles.setup} data-empty={data === null}>
        <section className={styles.given} aria-label="Labelled dialogues">
          {unreadable !== null && <FailureNote failure={{ kind: 'not-added', message: unreadable }} />}
          {failure !== null && <FailureNote failure={failure} />}
          <GiveFiles
            small={data !== null}
            disabled={busy}
            onFiles={(given) => {
              setUnreadable(null);
              void run.give(given);
            }}
            onUnreadable={setUnreadable}
          >
            {data !== null && (
              <Button look="quiet" size="small" disabled={busy} onClick={run.clear}>
                Start over
              </Button>
            )}
          </GiveFiles>
          {data === null && <Kinds kinds={run.evaluation.kinds} />}
          {data !== null && (
            <>
              {data.unknown.map((path) => (
                <AskKind key={path} path={path} kinds={run.evaluation.kinds} disabled={busy} onName={run.tell} />
              ))}
              <FoundSets data={data} skipped={skippedSets} disabled={busy} onChoose={run.chooseSet} />
              <LeftOut files={data.leftOut} />
            </>
          )}
        </section>
        {data !== null && <Subjects run={run} disabled={busy} />}
      </div>
      <footer className={styles.foot}>
        {task !== null && (
          <TaskProgress
            label={task.kind === 'reading' ? 'Reading' : 'Measuring'}
            words={task.what === '' ? '…' : task.what}
            done={task.done}
            of={task.of}
            onCancel={run.cancel}
          />
        )}
        {task === null && (
          <>
            <p>{some && advice(withoutSets, withoutSubjects)}</p>
            {onResults !== undefined && <Button onClick={onResults}>Back to the figures</Button>}
            <Button look="primary" disabled={!some || withoutSets || withoutSubjects} onClick={run.measure}>
              <ChartNoAxesColumn size={14} aria-hidden />
              Measure
            </Button>
          </>
        )}
      </footer>
    </>
  );
};

const advice = (withoutSets: boolean, withoutSubjects: boolean): string => {
  if (withoutSets) return 'Choose at least one data set.';
  return withoutSubjects ? 'Choose at least one decider or policy.' : '';
};

/** Selects the deciders and policies to measure. */
const Subjects = ({ run, disabled }: { run: EvaluationRun; disabled: boolean }) => {
  const { deciders, policies } = useStore(run.store, (state) => state.subjects);
  /** Replaces the selection among `of` with `names` and keeps the selection outside it. */
  const choosePolicies = (of: readonly SubjectChoice[], names: readonly string[]) =>
    run.choose({ policies: [...policies.filter((one) => of.every(({ name }) => name !== one)), ...names] });
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
        about="the contexts they build from turns placed by the embedded decider"
        choices={run.evaluation.policies()}
        chosen={policies}
        disabled={disabled}
        onChoose={(names) => choosePolicies(run.evaluation.policies(), names)}
      />
      <Choices
        title="Memories"
        about="from other papers; each embeds and condenses at every turn, so they take longer"
        choices={run.evaluation.memories()}
        chosen={policies}
        disabled={disabled}
        onChoose={(names) => choosePolicies(run.evaluation.memories(), names)}
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
        <Heading id={id}>{title}</Heading>
        <Button
          look="quiet"
          size="small"
          aria-label={`${title}: ${every ? 'clear' : 'all'}`}
          onClick={() => onChoose(every ? [] : choices.map(({ name }) => name))}
        >
          {every ? 'Clear' : 'All'}
        </Button>
      </div>
      <Muted className={styles.aside}>{about}</Muted>
      {choices.map(({ name, title: called, about: words }) => (
        <label key={name} className={styles.choice}>
          <input
            type="checkbox"
            aria-label={called}
            checked={chosen.includes(name)}
            onChange={({ target }) => choose(name, target.checked)}
          />
          <span>
            <b>{called}</b>
            <small>{words}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

/** What went wrong and where, and what is still available. */
const FailureNote = ({ failure }: { failure: NonNullable<EvaluationState['failure']> }) => {
  const [title, advice] = failureWords(failure);
  return (
    <FailureBox className={files.failure}>
      <b>{title}</b>
      <p>{failure.message}</p>
      {advice !== null && <p>{advice}</p>}
    </FailureBox>
  );
};

const failureWords = (failure: NonNullable<EvaluationState['failure']>): [title: string, advice: string | null] => {
  switch (failure.kind) {
    case 'run':
      return ['The evaluation failed.', 'Nothing was lost. Try again, or measure without what failed.'];
    case 'not-added':
      return ['These files were not added.', null];
    case 'file':
      return [
        `${failure.path} was not understood${failure.line === null ? '' : `, line ${failure.line}`}.`,
        'No files added with it were accepted. Fix it or leave it out, then add the others again.',
      ];
  }
};
