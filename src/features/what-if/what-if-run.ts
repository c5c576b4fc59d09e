import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../app/actions.ts';
import { type Kernel, longTask, notify } from '../../app/kernel.ts';
import { chosenDeciderName, type Origin, originOf, rerunModelsFor, showResults } from '../../app/re-run.ts';
import type { Entry } from '../../domain/entry.ts';
import type { NodeId } from '../../domain/forest.ts';
import { holdsPurge } from '../../domain/scrub.ts';
import { rerun } from '../../engine/history/re-run.ts';
import { AS_IT_WAS, placementDifferences, type WhatIf } from '../../engine/history/what-if.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { createYielder, dueEvery, LatestTask } from '../../engine/tasks.ts';
import { type Range, type SweepPoint, sweep, THETA_RANGE } from './sweep.ts';
import { keepingEntries, type Outcome } from './what-if-words.ts';

/** Minimum time between progress updates on screen, in milliseconds. */
const SHOW_EVERY = 80;

export const KIND_WORDS = { rerun: 're-run', sweep: 'sweep' } as const;

export interface SweepOutcome {
  readonly range: Range;
  /** The values completed so far. */
  readonly points: readonly SweepPoint[];
}

interface WhatIfState {
  readonly origin: Origin;
  readonly question: WhatIf;
  readonly range: Range;
  readonly task: { readonly kind: 'rerun' | 'sweep'; readonly done: number; readonly of: number } | null;
  /** What was cancelled last, until something else is asked. */
  readonly cancelled: 'rerun' | 'sweep' | null;
  /** What failed last, and why, in words. */
  readonly failure: { readonly kind: 'rerun' | 'sweep'; readonly why: string } | null;
  readonly outcome: Outcome | null;
  readonly swept: SweepOutcome | null;
}

/** Computes what would have become of the open conversation. It continues while nobody watches, and changes nothing. */
export interface WhatIfRun {
  readonly store: StoreApi<WhatIfState>;
  /** The available deciders, and what else depends on the app's current choices. */
  choices(): Choices;
  /**
   * Takes the conversation that is open now, and discards the results of another; if something was running, a notice
   * says so. `from`: the turn to start with.
   */
  take(from: NodeId | null): void;
  /** Includes what was added to the conversation since. */
  refresh(): void;
  ask(change: Partial<WhatIf>): void;
  setRange(range: Range): void;
  run(): Promise<void>;
  sweep(): Promise<void>;
  /** Shows one value of the sweep as if it had been run on its own. */
  show(point: SweepPoint): void;
  /** Cancels the running task immediately. Earlier results stay. */
  cancel(): void;
  /** Saves the outcome as a separate conversation and opens it. */
  keep(): Promise<void>;
  /** Discards the outcome and the sweep. */
  discard(): void;
}

interface Choices {
  /** Name of the current decider. */
  readonly decider: string;
  readonly embedded: boolean;
  /** Whether it answers regardless of the similarity, so that θ does not affect it. */
  readonly ungated: boolean;
  /** Number of lessons that the decider can use. */
  readonly lessons: number;
  readonly embedder: string;
  readonly theta: number;
  /** null if the embedded one is chosen. */
  readonly embeddedEmbedder: { readonly name: string; readonly theta: number } | null;
}

/** Creates the page's re-runs of the open conversation. */
export const createWhatIfRun = (
  kernel: Kernel,
  { adopt, openConversation }: Pick<Actions, 'adopt' | 'openConversation'>,
): WhatIfRun => {
  const { ports } = kernel;
  const nothing = { task: null, cancelled: null, failure: null, outcome: null, swept: null } as const;
  const store = createStore<WhatIfState>(() => ({
    origin: originOf(kernel),
    question: AS_IT_WAS,
    range: THETA_RANGE,
    ...nothing,
  }));
  const latest = new LatestTask();

  const work = async (
    kind: 'rerun' | 'sweep',
    job: (watch: Parameters<typeof rerun>[3]) => Promise<Partial<WhatIfState>>,
  ): Promise<void> => {
    const isDue = dueEvery(SHOW_EVERY, ports.elapsed);
    store.setState({
      ...(kind === 'rerun' ? {} : { swept: null }),
      task: { kind, done: 0, of: 0 },
      failure: null,
      cancelled: null,
    });
    const result = await longTask(kernel, () =>
      latest.run((signal) =>
        job({
          signal,
          breathe: createYielder(ports.elapsed),
          progress: (done, of) => {
            if (!signal.aborted && isDue()) store.setState({ task: { kind, done, of } });
          },
        }).catch((error: unknown): Partial<WhatIfState> => ({ failure: { kind, why: errorMessage(error) } })),
      ),
    );
    if (result === null) return;
    store.setState({ ...result, task: null });
    if (kernel.store.getState().session.dialog === 'what-if') return;
    notify(kernel, result.failure ? 'The what-if failed.' : 'The what-if is done.', {
      label: 'Show',
      run: () => void showResults(kernel, 'what-if', store.getState().origin, openConversation),
    });
  };

  const cancel = () => {
    const { task } = store.getState();
    if (task === null) return;
    latest.cancel();
    store.setState({ task: null, cancelled: task.kind });
  };

  const begin = (change: Partial<WhatIfState>) => {
    latest.cancel();
    const origin = originOf(kernel);
    const { question } = { ...store.getState(), ...change };
    const isThere = question.from !== null && origin.forest.nodes[question.from] !== undefined;
    store.setState({ ...nothing, origin, ...change, question: isThere ? question : { ...question, from: null } });
  };

  return {
    store,
    choices: () => choicesOf(kernel),
    take: (turn) => {
      const from = turn === firstIn(kernel) ? null : turn;
      const { origin, question, outcome, swept, task } = store.getState();
      const { conversationId, entries } = kernel.store.getState();
      const other = origin.conversationId !== conversationId;
      const idle = outcome === null && swept === null && task === null;
      const isOld = idle ? origin.entries.length !== entries.length : isPurgedSince(origin, entries);
      const beginAnew = (why: string, change: Partial<WhatIfState>) => {
        if (task !== null) notify(kernel, `The ${KIND_WORDS[task.kind]} was cancelled because ${why}.`);
        begin(change);
      };
      if (other) {
        beginAnew('What if was opened for another conversation', {
          question: { ...AS_IT_WAS, from },
          range: THETA_RANGE,
        });
      } else if (turn !== null && question.from !== from) {
        beginAnew('What if was opened from another turn', { question: { ...question, from } });
      } else if (isOld) beginAnew('turns were purged', {});
    },
    refresh: () => begin({}),
    ask: (change) => store.setState(({ question }) => ({ question: { ...question, ...change } })),
    setRange: (range) => store.setState({ range }),
    run: () =>
      work('rerun', async (watch) => {
        const { origin, question } = store.getState();
        const models = await rerunModelsFor(kernel, origin, question);
        const made = await rerun(models, origin.entries, question, watch);
        return { outcome: { origin, rerun: made, differences: placementDifferences(origin, made) } };
      }),
    sweep: () =>
      work('sweep', async (watch) => {
        const { origin, question, range } = store.getState();
        const models = await rerunModelsFor(kernel, origin, question);
        await sweep(models, origin, question, range, watch, (point) => {
          if (watch.signal.aborted) return;
          store.setState(({ swept }) => ({ swept: { range, points: [...(swept?.points ?? []), point] } }));
        });
        return {};
      }),
    show: ({ question, rerun: made, differences: found }) => {
      const { origin } = store.getState();
      store.setState({
        question,
        outcome: { origin, rerun: made, differences: found },
        failure: null,
        cancelled: null,
      });
    },
    cancel,
    keep: async () => {
      const { outcome } = store.getState();
      if (outcome === null) return;
      const { conversationId, entries: now } = kernel.store.getState();
      if (outcome.origin.conversationId === conversationId && isPurgedSince(outcome.origin, now)) {
        begin({});
        notify(kernel, 'Turns were purged since the re-run, so its outcome was discarded. Re-run it to keep it.');
        return;
      }
      const { title, entries } = keepingEntries(outcome, ports.now());
      await adopt({ title, entries });
      // Otherwise it could not be stored: a problem says so, and the outcome can be kept again.
      if (kernel.store.getState().conversationId !== conversationId) begin({ question: AS_IT_WAS });
    },
    discard: () => begin({}),
  };
};

const choicesOf = ({ ports, store }: Kernel): Choices => {
  const { embed } = ports.embedded;
  const models = ports.models();
  const { decide, consult, embed: chosen } = models;
  const { learning } = store.getState();
  return {
    decider: chosenDeciderName(models),
    embedded: decide.name === ports.embedded.decide.name && consult === undefined,
    ungated: decide.ungated === true,
    lessons: learning.on ? learning.lessons : 0,
    embedder: chosen.name,
    theta: chosen.theta,
    embeddedEmbedder: chosen.name === embed.name ? null : { name: embed.name, theta: embed.theta },
  };
};

/** Whether the log was rewritten since: the origin, and all that was made of it, still have the purged words. */
const isPurgedSince = ({ entries }: Origin, now: readonly Entry[]): boolean => holdsPurge(now.slice(entries.length));

/** Starting with the first turn means starting from the beginning. */
const firstIn = ({ store }: Kernel): NodeId | null => {
  const first = store.getState().entries.find(({ event }) => event.type === 'message-sent')?.event;
  return first?.type === 'message-sent' ? first.nodeId : null;
};
