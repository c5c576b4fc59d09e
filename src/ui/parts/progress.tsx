import { useEffect, useRef, useState } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../engine/model-failure.ts';
import { LatestTask } from '../../engine/tasks.ts';
import { useActions } from '../app-context.ts';
import { Button } from './button.tsx';
import styles from './progress.module.css';
import { Ellipsis } from './text.tsx';

/**
 * Progress or fill level; `value` is null if unknown. The surrounding styles set its width and, with `--fill`, its
 * colour.
 */
export const ProgressBar = ({ label, value, max = 1 }: { label: string; value: number | null; max?: number }) => (
  <progress className={styles.bar} aria-label={label} max={max} {...(value === null ? {} : { value })} />
);

const RADIUS = 5;
const ROUND = 2 * Math.PI * RADIUS;

/** Progress in the size of a dot; a null `share` spins slowly. Hidden from screen readers. */
export const ProgressRing = ({ share }: { share: number | null }) => (
  <svg className={styles.ring} viewBox="0 0 14 14" width={14} height={14} data-turning={share === null} aria-hidden>
    <circle cx={7} cy={7} r={RADIUS} className={styles.track} />
    <circle
      cx={7}
      cy={7}
      r={RADIUS}
      className={styles.done}
      strokeDasharray={`${ROUND * (share ?? 0.25)} ${ROUND}`}
      transform="rotate(-90 7 7)"
    />
  </svg>
);

interface TaskProgressProps {
  readonly label: string;
  /** The current step. */
  readonly words: string;
  readonly done: number;
  readonly of: number;
  /** Omitted if it cannot be cancelled. */
  readonly onCancel?: (() => void) | undefined;
}

/** What is being done, its progress, and a way to cancel it if there is one. */
export const TaskProgress = ({ label, words, done, of, onCancel }: TaskProgressProps) => {
  const share = of === 0 ? 0 : done / of;
  return (
    <div className={styles.task}>
      <p>
        <b>{label}</b>
        <Ellipsis className={styles.words}>{words}</Ellipsis>
        <output aria-live="off">{Math.floor(share * 100)} %</output>
      </p>
      <ProgressBar label={label} value={share} />
      {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  );
};

/** A task that the user can cancel. `Progress` is what is shown of it while it runs. */
interface CancellableTask<Progress> {
  /** null if nothing is running. */
  readonly progress: Progress | null;
  /**
   * Runs a task, which shows its progress with `show`. `onFailure` is called with null as it starts, and with the reason in words if
   * it fails, unless it was cancelled.
   */
  run(
    start: Progress,
    work: (signal: AbortSignal, show: (progress: Progress) => void) => Promise<void>,
    onFailure: (why: string | null) => void,
  ): Promise<void>;
  cancel(): void;
}

/** The task of a component, cancelled when that unmounts. */
export const useCancellableTask = <Progress,>(): CancellableTask<Progress> => {
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    progress,
    run: async (start, work, onFailure) => {
      const own = new AbortController();
      running.current = own;
      const show = (next: Progress) => {
        if (running.current === own) setProgress(next);
      };
      onFailure(null);
      show(start);
      try {
        await work(own.signal, show);
      } catch (error) {
        if (!own.signal.aborted) onFailure(errorMessage(error));
      } finally {
        if (running.current === own) {
          running.current = null;
          setProgress(null);
        }
      }
    },
    cancel: () => running.current?.abort(),
  };
};

/** A task that goes on while a page shows another of its parts. `Progress` is what is shown of it while it runs. */
export interface PageTask<Progress> {
  /** `progress` is null if nothing is running; `failure`: why the last one failed, in words, until another begins. */
  readonly store: StoreApi<{ readonly progress: Progress | null; readonly failure: string | null }>;
  /** Runs a task, which shows its progress with `show`; null once it can be cancelled no longer, as while it stores its result. */
  run(
    start: Progress,
    work: (signal: AbortSignal, show: (progress: Progress | null) => void) => Promise<void>,
  ): Promise<void>;
  /** Cancels the running task immediately. */
  cancel(): void;
  /** Forgets why the last one failed. */
  clear(): void;
}

/** `onFailure` is called with the reason in words if the task fails, unless it was cancelled. */
export const createPageTask = <Progress,>(onFailure: (why: string) => void = () => undefined): PageTask<Progress> => {
  const store: PageTask<Progress>['store'] = createStore(() => ({ progress: null, failure: null }));
  const latest = new LatestTask();
  return {
    store,
    run: async (start, work) => {
      store.setState({ progress: start, failure: null });
      const ended = await latest.run((signal) => {
        const show = (progress: Progress | null) => {
          if (!signal.aborted) store.setState({ progress });
        };
        return work(signal, show).then(
          () => ({ failure: null }),
          (error: unknown) => ({ failure: errorMessage(error) }),
        );
      });
      if (ended === null) return;
      store.setState({ progress: null, ...ended });
      if (ended.failure !== null) onFailure(ended.failure);
    },
    cancel: () => {
      latest.cancel();
      store.setState({ progress: null });
    },
    clear: () => store.setState({ failure: null }),
  };
};

/**
 * The task of a page, cancelled when that unmounts. Notices, which begin with `name`, say so, and that it has failed: another
 * part of the page may be shown then.
 */
export const usePageTask = <Progress,>(name: string): PageTask<Progress> => {
  const { announce } = useActions();
  const [task] = useState(() => createPageTask<Progress>((why) => announce(`${name} failed: ${why}`)));
  useEffect(
    () => () => {
      if (task.store.getState().progress === null) return;
      task.cancel();
      announce(`${name} was cancelled because its page was closed.`);
    },
    [task, name, announce],
  );
  return task;
};
