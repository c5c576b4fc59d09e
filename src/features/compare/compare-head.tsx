import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { count } from '../../ui/parts/format.ts';
import { ProgressBar } from '../../ui/parts/progress.tsx';
import { ChoosePolicies } from './choose-policies.tsx';
import styles from './compare-head.module.css';
import type { CompareRun } from './compare-run.ts';
import type { CompareRow } from './compare-run-rows.ts';
import { resultWords, workWords } from './compare-words.ts';
import { ExportMenu } from './export-menu.tsx';
import { useCompare } from './use-compare.ts';

/** What came out in a sentence, what is compared, and how far it is. */
export const CompareHead = ({ run, rows }: { run: CompareRun; rows: readonly CompareRow[] }) => {
  const names = useCompare(run, (state) => state.names);
  const says = resultWords(rows, names);
  const work = workWords(rows, names);
  return (
    <div className={styles.head}>
      <div className={styles.line}>
        <div className={styles.result} role="status">
          {says !== null && <h3>{says}</h3>}
          {says !== null && (
            <p>
              {work} All were given the same turns and replies; how good their answers would be is not measured here.
            </p>
          )}
        </div>
        <div className={styles.tools}>
          <ChoosePolicies run={run} />
          <ExportMenu run={run} rows={rows} />
        </div>
      </div>
      <Going run={run} done={rows.length} />
      <Failures run={run} />
    </div>
  );
};

const Going = ({ run, done }: { run: CompareRun; done: number }) => {
  const running = useCompare(run, (state) => state.running);
  const missing = useCompare(run, (state) => state.missing);
  const failure = useCompare(run, (state) => state.failure);
  const stopped = useCompare(run, (state) => state.stopped);
  // Turns that are played beneath come and go: a bar for each of them would only flicker.
  if (running && missing > 1) {
    return (
      <div className={styles.going}>
        <ProgressBar label="Comparing policies" value={done === 0 ? null : done} max={done + missing} />
        <span>{count(missing)} turns to go</span>
        <Button size="small" onClick={run.stop}>
          Stop
        </Button>
      </div>
    );
  }
  if (running || missing === 0 || failure !== null) return null;
  return (
    <div className={styles.going}>
      <span>
        {stopped ? `Stopped: ${count(missing)} turns are missing.` : `${count(missing)} turns wait to be compared.`} It
        may take a while; you can stop at any time, and what is there is kept.
      </span>
      <Button size="small" look="primary" onClick={run.start}>
        {done > 0 ? 'Go on' : `Compare ${count(missing)} turns`}
      </Button>
    </div>
  );
};

const Failures = ({ run }: { run: CompareRun }) => {
  const { session } = useActions();
  const failed = useCompare(run, (state) => state.failed);
  const names = useCompare(run, (state) => state.names);
  const failure = useCompare(run, (state) => state.failure);
  const told = names.filter((name) => failed.has(name));
  if (told.length === 0 && failure === null) return null;
  return (
    <div className={styles.failed} role="alert">
      {failure !== null && <p>The policies cannot be compared: {ended(failure)}</p>}
      {told.map((name) => (
        <p key={name}>
          <b>{name}</b> could not go on with its memory: {ended(failed.get(name) ?? '')} The others went on.
        </p>
      ))}
      <p>
        Choose models that are here, then try again.
        <Button size="small" onClick={() => session({ dialog: 'models', modelsPage: null })}>
          Open Models
        </Button>
        <Button size="small" onClick={run.start}>
          Try again
        </Button>
      </p>
    </div>
  );
};

const ended = (why: string): string => (/[.!?…]$/.test(why) ? why : `${why}.`);
