import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../engine/model-failure.ts';
import { dueEvery, LatestTask } from '../../engine/tasks.ts';
import type {
  Evaluation,
  EvaluationData,
  FileFailure,
  GivenFile,
  Measurements,
  SubjectNames,
  TaskMonitor,
} from './in-page/evaluation-port.ts';

/** Minimum time between progress updates on screen, in milliseconds. */
const SHOW_EVERY = 80;

export interface EvaluationState {
  readonly files: readonly GivenFile[];
  /** Kinds that the user gave for files that could not be recognised. */
  readonly namedKinds: ReadonlyMap<string, string | null>;
  readonly data: EvaluationData | null;
  readonly subjects: SubjectNames;
  /** Names of sets that were found but are not to be measured. */
  readonly skippedSets: ReadonlySet<string>;
  readonly task: {
    readonly kind: 'reading' | 'measuring';
    readonly done: number;
    readonly of: number;
    readonly what: string;
  } | null;
  readonly failure:
    | ({ readonly kind: 'file' } & FileFailure)
    | { readonly kind: 'run' | 'not-added'; readonly message: string }
    | null;
  readonly measured: Measurements | null;
}

/** One evaluation, from files to figures. It continues while nobody watches, and keeps its results. */
export interface EvaluationRun {
  readonly store: StoreApi<EvaluationState>;
  readonly evaluation: Evaluation;
  /** Adds files, replacing earlier ones with the same path. If one is broken, nothing changes. */
  give(files: readonly GivenFile[]): Promise<void>;
  /** Discards what is there, unless it is being measured, and starts with these files. */
  startWith(files: readonly GivenFile[]): Promise<void>;
  /** Sets the kind of an unknown file; null skips the file. */
  tell(path: string, kind: string | null): Promise<void>;
  /** Discards the files and their results. */
  clear(): void;
  choose(subjects: Partial<SubjectNames>): void;
  /** Includes or excludes a set that was found. */
  chooseSet(name: string, measured: boolean): void;
  measure(): Promise<void>;
  /** Cancels the current task immediately. Earlier results stay. */
  cancel(): void;
  /** Goes back to the earlier results, which a failure has come before. */
  dismissFailure(): void;
}

/** The figures of the last measurement; null while anything else is to be seen first, such as why another one failed. */
export const shownFigures = ({ measured, task, failure }: EvaluationState): Measurements | null =>
  task === null && failure === null ? measured : null;

interface RunParts {
  /** A monotonic clock, in milliseconds. */
  elapsed(): number;
  /** Called when a measurement ends. */
  ended(measured: boolean): void;
}

export const createEvaluationRun = (evaluation: Evaluation, { elapsed, ended }: RunParts): EvaluationRun => {
  const names = (choices: readonly { readonly name: string }[]) => choices.map(({ name }) => name);
  const subjects: SubjectNames = {
    deciders: names(evaluation.deciders().filter(({ leaves }) => leaves !== true)),
    policies: names(evaluation.policies()),
  };
  const nothing = {
    files: [],
    namedKinds: new Map<string, string | null>(),
    data: null,
    skippedSets: new Set<string>(),
    measured: null,
  };
  const store = createStore<EvaluationState>(() => ({ ...nothing, subjects, task: null, failure: null }));
  const latest = new LatestTask();

  const run = async (
    kind: 'reading' | 'measuring',
    job: (monitor: TaskMonitor) => Promise<Partial<EvaluationState>>,
  ): Promise<void> => {
    const isDue = dueEvery(SHOW_EVERY, elapsed);
    store.setState({ task: { kind, done: 0, of: 0, what: '' }, failure: null });
    const result = await latest.run((signal) =>
      job({
        signal,
        progress: (done, of, what) => {
          if (!signal.aborted && isDue()) store.setState({ task: { kind, done, of, what } });
        },
      }).catch(
        (error: unknown): Partial<EvaluationState> => ({ failure: { kind: 'run', message: errorMessage(error) } }),
      ),
    );
    if (result === null) return;
    store.setState({ failure: null, ...result, task: null });
    if (kind === 'measuring') ended(result.measured != null);
  };

  /** What is being read; the state has it once it was. */
  let reading: Pick<EvaluationState, 'files' | 'namedKinds'> = nothing;

  const read = (files: readonly GivenFile[], namedKinds: EvaluationState['namedKinds']): Promise<void> => {
    reading = { files, namedKinds };
    return run('reading', async (monitor) => {
      const result = await evaluation.read(files, namedKinds, monitor);
      if (!result.ok) return { failure: { kind: 'file', ...result.failure } };
      return { files, namedKinds, data: result.data, measured: null };
    });
  };

  const give = async (given: readonly GivenFile[]): Promise<void> => {
    const { task } = store.getState();
    if (task?.kind === 'measuring') {
      const message = 'An evaluation is running. Give these files again once it is done, or cancel it first.';
      return store.setState({ failure: { kind: 'not-added', message } });
    }
    const paths = new Set(given.map(({ path }) => path));
    // What is still being read is read again with these.
    const { files, namedKinds } = task === null ? store.getState() : reading;
    // A file that was skipped can be added again.
    const others = new Map([...namedKinds].filter(([path]) => !paths.has(path)));
    await read([...files.filter(({ path }) => !paths.has(path)), ...given], others);
  };

  const clear = () => {
    latest.cancel();
    store.setState({ ...nothing, task: null, failure: null });
  };

  return {
    store,
    evaluation,
    give,
    startWith: async (files) => {
      if (store.getState().task?.kind !== 'measuring') clear();
      await give(files);
    },
    tell: async (path, kind) => {
      const { files, namedKinds } = store.getState();
      await read(files, new Map(namedKinds).set(path, kind));
    },
    clear,
    choose: (change) => store.setState((state) => ({ subjects: { ...state.subjects, ...change } })),
    chooseSet: (name, measured) =>
      store.setState(({ skippedSets }) => {
        const skipped = new Set(skippedSets);
        if (measured) skipped.delete(name);
        else skipped.add(name);
        return { skippedSets: skipped };
      }),
    measure: async () => {
      const { data, skippedSets, subjects: chosen } = store.getState();
      if (data === null) return;
      await run('measuring', async (monitor) => ({ measured: await data.measure(chosen, monitor, skippedSets) }));
    },
    cancel: () => {
      latest.cancel();
      store.setState({ task: null });
    },
    dismissFailure: () => store.setState({ failure: null }),
  };
};
