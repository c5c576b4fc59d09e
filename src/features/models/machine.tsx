import { Check, RotateCw, TriangleAlert } from 'lucide-react';
import type { Machine as MachineFacts } from '../../app/model-control.ts';
import { useActions } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import machineCss from './machine.module.css';
import { machineFigures, machineLines } from './machine-words.ts';
import styles from './models.module.css';
import { TaskFailure } from './task-failure.tsx';
import type { Asked } from './use-asked.ts';

/** What this machine can do, in plain words, the figures folded away. */
export const Machine = ({ machine: { value, failure, asking, again } }: { machine: Asked<MachineFacts> }) => {
  const { announce } = useActions();
  return (
    <section className={styles.block} aria-labelledby="models-machine">
      <div className={machineCss.titled}>
        <h4 id="models-machine">This machine</h4>
        <Button
          size="small"
          disabled={asking}
          onClick={() => {
            again();
            announce('This machine is being tested again.');
          }}
        >
          <RotateCw size={12} aria-hidden />
          {asking ? 'Testing…' : 'Test again'}
        </Button>
      </div>
      <TaskFailure message={failure} />
      {value === null && failure === null && <p className={styles.words}>Trying what it can do…</p>}
      {value !== null && (
        <>
          <ul aria-label="What it can do" className={machineCss.lines}>
            {machineLines(value).map(({ good, title, words }) => (
              <li key={title} data-good={good}>
                {good ? <Check size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}
                <b>{title}</b>
                <span>{words}</span>
              </li>
            ))}
          </ul>
          <details className={machineCss.details}>
            <summary>Details</summary>
            <dl>
              {machineFigures(value).map(([what, figure]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>{figure}</dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </section>
  );
};
