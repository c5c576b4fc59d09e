import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../app/actions.ts';
import type { Kernel } from '../../app/kernel.ts';
import { engineSettings } from '../../app/saved-settings.ts';
import { fold } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { conversationTitle } from '../../domain/queries.ts';
import { type Rerun, rerun } from '../../engine/history/re-run.ts';
import { RerunModels } from '../../engine/history/re-run-models.ts';
import {
  AS_IT_WAS,
  type Difference,
  differences,
  type WhatIf,
  type WhatIfDeciders,
} from '../../engine/history/what-if.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import type { Lesson } from '../../engine/place/lessons.ts';
import type { Embedder } from '../../engine/ports.ts';
import { breathing } from '../../engine/tasks.ts';
import { type Range, type SweepPoint, sweep, THETA_RANGE } from './sweep.ts';
import { keepingEntries } from './what-if-words.ts';

/** Progress reaches the screen at most this often, in milliseconds. */
const SHOW_EVERY = 80;

/** The conversation that is asked about, as it was then. */
export interface Origin {
  readonly conversationId: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
}

/** A re-run, beside what it was made of. */
export interface Outcome {
  readonly origin: Origin;
  readonly rerun: Rerun;
  readonly differences: readonly Difference[];
}

export interface SweepOutcome {
  readonly range: Range;
  /** As far as it came. */
  readonly points: readonly SweepPoint[];
}

export interface WhatIfState {
  readonly origin: Origin;
  readonly question: WhatIf;
  readonly range: Range;
  readonly task: { readonly kind: 'rerun' | 'sweep'; readonly done: number; readonly of: number } | null;
  /** What was cancelled last, as long as nothing else was asked. */
  readonly cancelled: 'rerun' | 'sweep' | null;
  /** In words. */
  readonly failure: string | null;
  readonly outcome: Outcome | null;
  readonly swept: SweepOutcome | null;
}

/** What would have become of the open conversation. It goes on while nobody looks, and changes nothing. */
export interface WhatIfRun {
  readonly store: StoreApi<WhatIfState>;
  /** Which deciders there are to choose from, and what else depends on what is chosen in the app. */
  choices(): Choices;
  /** Takes the conversation that is open now; what came of another is thrown away. `from`: begin with that turn. */
  take(from: NodeId | null): void;
  /** Takes in what has been added to the conversation since. */
  refresh(): void;
  ask(change: Partial<WhatIf>): void;
  setRange(range: Range): void;
  run(): Promise<void>;
  sweep(): Promise<void>;
  /** Shows one value of the sweep as if it had been asked for. */
  show(point: SweepPoint): void;
  /** Ends what is under way at once. What was there before stays. */
  cancel(): void;
  /** Keeps the outcome as a conversation of its own, and opens that. */
  keep(): Promise<void>;
  /** Throws the outcome and the sweep away. */
  discard(): void;
}

export interface Choices {
  /** Who decides now, by name. */
  readonly decider: string;
  readonly embedded: boolean;
  /** It answers whatever the similarity, so that θ does not matter to it. */
  readonly ungated: boolean;
  /** Lessons that the person has taught. */
  readonly lessons: number;
  readonly embedder: string;
  readonly theta: number;
  /** null where it is the embedded one that is chosen. */
  readonly embeddedEmbedder: { readonly name: string; readonly theta: number } | null;
}

export interface RunParts extends OwnModels {
  readonly adopt: Actions['adopt'];
  /** Called when something has come to its end by itself. */
  ended(): void;
}

export const createWhatIfRun = (kernel: Kernel, { adopt, ended, ...own }: RunParts): WhatIfRun => {
  const { ports } = kernel;
  const nothing = { task: null, cancelled: null, failure: null, outcome: null, swept: null } as const;
  const store = createStore<WhatIfState>(() => ({
    origin: originOf(kernel),
    question: AS_IT_WAS,
    range: THETA_RANGE,
    ...nothing,
  }));
  let current: AbortController | null = null;

  const work = async (
    kind: 'rerun' | 'sweep',
    job: (going: Parameters<typeof rerun>[3]) => Promise<Partial<WhatIfState>>,
  ): Promise<void> => {
    current?.abort();
    const controller = new AbortController();
    current = controller;
    let shown = Number.NEGATIVE_INFINITY;
    store.setState({
      ...(kind === 'rerun' ? {} : { swept: null }),
      task: { kind, done: 0, of: 0 },
      failure: null,
      cancelled: null,
    });
    const result = await job({
      signal: controller.signal,
      breathe: breathing(ports.elapsed),
      progress: (done, of) => {
        const at = ports.elapsed();
        if (current !== controller || at - shown < SHOW_EVERY) return;
        shown = at;
        store.setState({ task: { kind, done, of } });
      },
    }).catch((error: unknown): Partial<WhatIfState> => ({ failure: errorMessage(error) }));
    if (current !== controller) return;
    current = null;
    store.setState({ ...result, task: null });
    ended();
  };

  const cancel = () => {
    const { task } = store.getState();
    if (task === null) return;
    current?.abort();
    current = null;
    store.setState({ task: null, cancelled: task.kind });
  };

  const begin = (change: Partial<WhatIfState>) => {
    current?.abort();
    current = null;
    store.setState({ ...nothing, origin: originOf(kernel), ...change });
  };

  return {
    store,
    choices: () => choicesOf(kernel, own),
    take: (turn) => {
      const from = turn === firstIn(kernel) ? null : turn;
      const { origin, question, outcome, swept, task } = store.getState();
      const { conversationId, entries } = kernel.store.getState();
      const other = origin.conversationId !== conversationId;
      const idle = outcome === null && swept === null && task === null;
      if (other) begin({ question: { ...AS_IT_WAS, from }, range: THETA_RANGE });
      else if (turn !== null && question.from !== from) begin({ question: { ...question, from } });
      else if (idle && origin.entries.length !== entries.length) begin({});
    },
    refresh: () => begin({}),
    ask: (change) => store.setState(({ question }) => ({ question: { ...question, ...change } })),
    setRange: (range) => store.setState({ range }),
    run: () =>
      work('rerun', async (going) => {
        const { origin, question } = store.getState();
        const shared = await workshopFor(kernel, own, origin, question);
        const made = await rerun(shared, origin.entries, question, going);
        return { outcome: { origin, rerun: made, differences: differences(origin, made) } };
      }),
    sweep: () =>
      work('sweep', async (going) => {
        const { origin, question, range } = store.getState();
        const shared = await workshopFor(kernel, own, origin, question);
        await sweep(shared, origin, question, range, going, (point) => {
          if (going.signal.aborted) return;
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
      const { title, entries } = keepingEntries(outcome, ports.now());
      await adopt({ title, entries });
      begin({ question: AS_IT_WAS });
    },
    discard: () => begin({}),
  };
};

/** The log up to its last moment at which no message waits for its place and no reply is on its way. */
export const originOf = ({ store }: Kernel): Origin => {
  const { conversationId, entries, forest, turn } = store.getState();
  if (turn === null) return { conversationId, title: conversationTitle(forest), entries, forest };
  const sent = entries.findLastIndex(({ event }) => event.type === 'message-sent');
  const settled = entries.slice(0, Math.max(0, sent));
  const before = fold(settled);
  return { conversationId, title: conversationTitle(before), entries: settled, forest: before };
};

const choicesOf = ({ ports, store }: Kernel, { embed }: OwnModels): Choices => {
  const { decide, consult, embed: chosen } = ports.models();
  const { learning } = store.getState();
  return {
    decider: consult === undefined ? decide.name : `${decide.name}, and ${consult.name} where that is unsure`,
    embedded: decide.name === ports.embedded.decide.name && consult === undefined,
    ungated: decide.ungated === true,
    lessons: learning.on ? learning.corrections + learning.confirmations : 0,
    embedder: chosen.name,
    theta: chosen.theta,
    embeddedEmbedder: chosen.name === embed.name ? null : { name: embed.name, theta: embed.theta },
  };
};

/** To begin with the first turn is to begin from the start. */
const firstIn = ({ store }: Kernel): NodeId | null => {
  const first = store.getState().entries.find(({ event }) => event.type === 'message-sent')?.event;
  return first?.type === 'message-sent' ? first.nodeId : null;
};

/** What re-runs have beside the models of the app. */
export interface OwnModels {
  /** The embedded embedder. */
  readonly embed: Embedder;
  readonly deciders: WhatIfDeciders;
}

/** What a re-run works with, as things are now. */
export const workshopFor = async (
  kernel: Kernel,
  { embed, deciders }: OwnModels,
  { conversationId, entries }: Origin,
  question: WhatIf,
): Promise<RerunModels> => {
  const { ports, store } = kernel;
  const { settings } = store.getState();
  const { on } = store.getState().learning;
  const lessons = on ? await kernel.storage.lessons() : [];
  const shared = new RerunModels({
    models: ports.models(),
    embedded: { ...ports.embedded, embed },
    deciders,
    lessons: lessonsFor(lessons, conversationId, entries, question),
    settings: engineSettings(settings),
    settingsOf: (version) =>
      settings.versions.some((saved) => saved.version === version)
        ? engineSettings({ ...settings, current: version })
        : null,
    // By way of the kernel, for the storage may become another.
    vectors: {
      readVectors: (model, hashes) => kernel.storage.readVectors(model, hashes),
      saveVectors: (model, vectors) => kernel.storage.saveVectors(model, vectors),
    },
    now: ports.elapsed,
    newId: ports.newId,
  });
  await shared.prepare(entries, question);
  return shared;
};

/** Corrections that a re-run leaves out teach nothing in it. */
const lessonsFor = (
  lessons: readonly Lesson[],
  conversationId: string,
  entries: Origin['entries'],
  { byHand, from }: WhatIf,
): readonly Lesson[] => {
  if (byHand === 'again') return lessons;
  const begins = entries.find(({ event }) => event.type === 'message-sent' && event.nodeId === from);
  const since = begins?.at ?? 0;
  return lessons.filter((lesson) => lesson.conversationId !== conversationId || lesson.at < since);
};
