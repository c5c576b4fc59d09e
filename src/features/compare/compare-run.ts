import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../app/actions.ts';
import { type Kernel, longTask, notify } from '../../app/kernel.ts';
import { originOf, rerunModelsFor, showResults } from '../../app/re-run.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { sentPolicy } from '../../domain/queries.ts';
import { holdsPurge } from '../../domain/scrub.ts';
import { recordsOf, sizeOf } from '../../domain/table.ts';
import { ALL_POLICIES, policyNamed } from '../../engine/context/policies/policies.ts';
import type { Policy } from '../../engine/context/policy.ts';
import type { TurnContexts } from '../../engine/history/contexts-over-time.ts';
import { rerun } from '../../engine/history/re-run.ts';
import { AS_IT_WAS } from '../../engine/history/what-if.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { createYielder, dueEvery } from '../../engine/tasks.ts';
import {
  BASELINE,
  type ComparedTurn,
  isKnown,
  keyOf,
  mergeResults,
  missingIn,
  policiesToRun,
  withoutFallbacks,
} from './turn-comparisons.ts';

/** Minimum interval between screen updates, in milliseconds. */
const SHOW_EVERY = 120;
/** Maximum number of turns compared, or placed again, without being asked: takes a matter of seconds. */
export const AT_ONCE = 300;
/** How many policies can be compared: nobody can read more lines and columns than that. */
export const MIN_POLICIES = 2;
export const MAX_POLICIES = 4;

/** The models used to build memories and contexts. */
interface ComparisonModels {
  readonly embed: string;
  readonly summarise: string;
  /** Tokens that the chat model reads at most. What was really sent had the window of its own model. */
  readonly window: number;
}

export interface CompareState {
  readonly conversationId: string;
  /** The chosen policies, in the order they are offered. */
  readonly names: readonly string[];
  /** Includes results of policies that are not currently chosen. */
  readonly known: ReadonlyMap<NodeId, ComparedTurn>;
  readonly madeBy: ComparisonModels;
  readonly running: boolean;
  /** Number of turns with missing results, also while running. */
  readonly missing: number;
  /** Stopped by the person; it does not continue until asked. */
  readonly stopped: boolean;
  /** Policies whose memory could not be built, with the reason in words. The others continue. */
  readonly failed: ReadonlyMap<string, string>;
  /** Why nothing can be compared at all, in words. */
  readonly failure: string | null;
  /** How often what failed was tried again. */
  readonly retries: number;
  /** Chosen policies that would have placed turns by another rule than was used; turns are placed again for these. */
  readonly anew: readonly string[];
  /** How far that is for one of them; null while it is not in progress. */
  readonly placing: PlacingProgress | null;
}

interface PlacingProgress {
  readonly policy: string;
  readonly turns: number;
  readonly of: number;
}

/** Compares several policies on the open conversation. Keeps its results while nobody is watching. */
export interface CompareRun {
  readonly store: StoreApi<CompareState>;
  /** Follows the open conversation and its new turns until the returned function is called. */
  look(): () => void;
  choose(names: readonly string[]): void;
  /** Continues with what is missing and with memories that could not go on. */
  start(): void;
  /** The same, and does again what something stood in for. */
  retry(): void;
  stop(): void;
  /**
   * What each policy would have sent for a turn, reported as by the `compareContexts` action; each policy on its own log.
   * No turns are placed again for it: a policy that needs that has the log its figures were made with.
   */
  contextsFor: Actions['compareContexts'];
  /** A policy's memory before a turn of the conversation as it is now, also while an earlier moment of it is shown. */
  memoryFor: Actions['memoryFor'];
}

/** The page's comparison of the open conversation. */
export const createCompareRun = (
  kernel: Kernel,
  { openConversation }: Pick<Actions, 'openConversation'>,
): CompareRun => {
  const store = createStore<CompareState>(() => ({
    ...nothing(kernel),
    names: ['focused', 'context-agent', BASELINE, 'memtree'],
  }));
  let current: AbortController | null = null;
  let looking = false;
  /** The person clicked to start it: no limit on the number of turns. */
  let asked = false;
  /** The log that the results belong to, and what they were made with. */
  let entries: readonly Entry[] = [];
  let made = '';
  /** Turns for which no context can be found: they were undone and restored. */
  let without = new Set<string>();

  const courses = createCourses(kernel);

  const showIt = { label: 'Show', run: () => void showResults(kernel, 'compare', store.getState(), openConversation) };

  const abort = () => {
    current?.abort();
    current = null;
    store.setState({ running: false, placing: null });
  };

  /** Resets the results if another conversation is open or they are no longer valid. */
  const follow = () => {
    const { conversationId, entries: now } = kernel.store.getState();
    const other = store.getState().conversationId !== conversationId;
    // Reopened, a conversation has the same entries as new objects.
    const isRewritten = () => {
      if (now.length < entries.length) return true;
      const since = now.slice(entries.length);
      return holdsPurge(since) || holdsSorting(since, now);
    };
    if (other || made !== madeWith(kernel) || isRewritten()) {
      abort();
      const why = other ? 'another conversation was opened' : 'what it was based on has changed';
      if (asked) notify(kernel, `The comparison ended early because ${why}.`);
      asked = false;
      without = new Set();
      courses.forget();
      store.setState(nothing(kernel));
    }
    entries = now;
    made = madeWith(kernel);
  };

  const settle = () => {
    if (!looking && !asked) return;
    follow();
    if (!looking && !asked) return;
    const missing = missingIn(kernel, store.getState(), without);
    const anew = courses.anew(store.getState().names);
    const before = store.getState();
    if (missing.length !== before.missing || anew.join() !== before.anew.join()) {
      store.setState({ missing: missing.length, anew });
    }
    const { stopped, failure, known } = store.getState();
    // For these, even a single missing turn has all of them placed again.
    const places = anew.some((name) => missing.some((node) => !isKnown(known.get(node.id), node, name)));
    const turns = places ? sizeOf(kernel.store.getState().forest.nodes) : missing.length;
    const may = asked || (turns <= AT_ONCE && !stopped && failure === null);
    if (current === null && missing.length > 0 && may) void longTask(kernel, () => run(missing));
  };

  const run = async (missing: readonly Node[]): Promise<void> => {
    const own = new AbortController();
    current = own;
    const leave = kernel.store.subscribe(({ conversationId }, before) => {
      if (conversationId !== before.conversationId) settle();
    });
    const { names, known, failed } = store.getState();
    const wanted = new Map(missing.map((node) => [node.id, node.replyId]));
    const policies = policiesToRun(names, failed).filter((name) =>
      missing.some((node) => !isKnown(known.get(node.id), node, name)),
    );
    store.setState({ running: true, failure: null });
    const found = new Map<NodeId, ComparedTurn>();
    const isDue = dueEvery(SHOW_EVERY, kernel.ports.elapsed);
    const show = () => {
      const all = new Map(store.getState().known);
      for (const [nodeId, turn] of found) all.set(nodeId, mergeResults(all.get(nodeId), turn));
      found.clear();
      store.setState((state) => ({ known: all, missing: missingIn(kernel, { ...state, known: all }, without).length }));
    };
    const take = (turns: readonly TurnContexts[]) => {
      if (current !== own) return;
      for (const turn of turns) {
        const one = { ...turn, replyId: wanted.get(turn.nodeId) ?? null };
        // Policies on another log report the same turn.
        found.set(turn.nodeId, mergeResults(found.get(turn.nodeId), one));
      }
      if (isDue()) show();
    };
    const onFailed = (policy: string, why: string) => {
      if (current !== own) return;
      store.setState((state) => ({ failed: new Map(state.failed).set(policy, why) }));
    };
    try {
      const { nodes } = kernel.store.getState().forest;
      // Nothing was really sent on a separate log.
      const really = (turns: readonly TurnContexts[], isAnew: boolean) =>
        take(
          turns.map((turn) => ({
            ...turn,
            sent: sentPolicy(nodes[turn.nodeId]),
            costs: isAnew ? timedNow(turn.costs) : turn.costs,
          })),
        );
      await courses.each(
        policies,
        own.signal,
        (log, together, isAnew) =>
          kernel.engine.contextsOverTime(
            log,
            together,
            (turns) => really(turns, isAnew),
            own.signal,
            onFailed,
            ({ id }) => wanted.has(id),
          ),
        (placing) => {
          if (current === own && (placing === null || isDue())) store.setState({ placing });
        },
      );
      if (current !== own) return;
      show();
      const still = new Set(missingIn(kernel, store.getState(), without).map(({ id }) => id));
      for (const [nodeId, replyId] of wanted) if (still.has(nodeId)) without.add(keyOf(nodeId, replyId));
    } catch (error) {
      if (current !== own) return;
      show();
      if (asked && !looking) notify(kernel, 'The comparison failed.', showIt);
      asked = false;
      store.setState({ failure: errorMessage(error) });
    } finally {
      leave();
    }
    current = null;
    store.setState({ running: false, placing: null });
    settle();
    if (current !== null) return;
    if (asked && !looking) notify(kernel, 'The comparison is done.', showIt);
    asked = false;
  };

  const start = () => {
    abort();
    follow();
    asked = true;
    store.setState({ stopped: false, failed: new Map(), failure: null });
    settle();
    // Nothing is missing, so nothing ends early.
    if (current === null) asked = false;
  };

  return {
    store,
    look: () => {
      looking = true;
      settle();
      const leave = kernel.store.subscribe((state, before) => {
        const { entries: log, turn, models, learning, settings } = state;
        // Not for each piece of a reply: all turns are gone through.
        const same = log === before.entries && turn?.nodeId === before.turn?.nodeId;
        // The models state also changes whenever a model starts working.
        const others = (models !== before.models || learning !== before.learning) && madeWith(kernel) !== made;
        if (!same || others || settings !== before.settings) settle();
      });
      return () => {
        leave();
        looking = false;
        // A run that started by itself is quickly redone.
        if (!asked) abort();
      };
    },
    choose: (names) => {
      abort();
      // At once, so that nobody takes the turns of a policy for placed as it would have them.
      store.setState({ names, failure: null, anew: courses.anew(names) });
      settle();
    },
    start,
    retry: () => {
      kernel.engine.retryMemories();
      store.setState(({ known, retries }) => ({ known: withoutFallbacks(known), retries: retries + 1 }));
      start();
    },
    stop: () => {
      asked = false;
      abort();
      store.setState({ stopped: true });
    },
    contextsFor: async (nodeId, names, watch, signal) => {
      for (const [log, policies] of courses.made(names)) {
        await kernel.engine.contextsFor(log, nodeId, policies, signal, watch);
      }
    },
    memoryFor: (nodeId, policy, signal) =>
      kernel.engine.memoryFor(kernel.store.getState().entries, nodeId, policyNamed(policy), signal),
  };
};

const nothing = (kernel: Kernel): Omit<CompareState, 'names'> => {
  const { embed, summarise, chat } = kernel.ports.models();
  return {
    conversationId: kernel.store.getState().conversationId,
    known: new Map(),
    madeBy: { embed: embed.name, summarise: summarise.name, window: chat.window },
    running: false,
    missing: 0,
    stopped: false,
    failed: new Map(),
    failure: null,
    retries: 0,
    anew: [],
    placing: null,
  };
};

/**
 * Identifies what contexts depend on: the models, the window, the settings, for turns that do not record theirs, and
 * whether lessons count where turns are placed again.
 */
const madeWith = ({ ports, store }: Kernel): string => {
  const { decide, consult, embed, summarise, chat } = ports.models();
  const { settings, learning } = store.getState();
  const names = [decide.name, consult?.name, embed.name, summarise.name, chat.name, chat.tokens.name];
  return JSON.stringify([names, chat.window, settings.current, learning.on]);
};

/** Summaries are taken over into a separate log: how long they took then says nothing about now. */
const withoutSummaryTime = (entry: Entry): Entry => {
  if (entry.event.type !== 'summarised') return entry;
  const { ms: _, ...event } = entry.event;
  return { ...entry, event };
};

/** A separate log was only just written, so its logged times count as measured now. */
const timedNow = (costs: TurnContexts['costs']): TurnContexts['costs'] =>
  Object.fromEntries(
    Object.entries(costs).map(([name, cost]) => [name, { ...cost, ms: cost.ms + cost.logged, logged: 0 }]),
  );

/** The logs of a conversation under policies that place turns by rules of their own. */
interface PolicyLogs {
  /** The policies among these for which turns have to be placed again. */
  anew(names: readonly string[]): string[];
  /**
   * Runs some work with the log of the open conversation, for the policies that would have placed its turns the same
   * way; then, for each of the others, with an in-memory log in which turns are placed again by its own rule. Rejects
   * if the signal fires.
   */
  each(
    names: readonly string[],
    signal: AbortSignal,
    work: (log: readonly Entry[], policies: readonly Policy[], isAnew: boolean) => Promise<unknown>,
    onPlacing: (placing: PlacingProgress | null) => void,
  ): Promise<void>;
  /** The same logs as far as they were made by now, possibly before the latest turns. */
  made(names: readonly string[]): readonly (readonly [log: readonly Entry[], policies: readonly Policy[]])[];
  /** Drops the logs that were made. */
  forget(): void;
}

const createCourses = (kernel: Kernel): PolicyLogs => {
  const kept = new Map<string, { readonly of: readonly Entry[]; readonly log: readonly Entry[] }>();

  const placedAnew = async (
    name: string,
    signal: AbortSignal,
    onPlacing: (placing: PlacingProgress | null) => void,
  ): Promise<readonly Entry[]> => {
    const origin = originOf(kernel);
    const before = kept.get(name);
    if (before !== undefined && same(before.of, origin.entries)) return before.log;
    const question = { ...AS_IT_WAS, policy: name };
    const models = await rerunModelsFor(kernel, origin, question);
    const { entries } = await rerun(models, origin.entries, question, {
      signal,
      progress: (turns, of) => onPlacing({ policy: name, turns, of }),
      breathe: createYielder(kernel.ports.elapsed),
    });
    onPlacing(null);
    const log = entries.map(withoutSummaryTime);
    kept.set(name, { of: origin.entries, log });
    return log;
  };

  const anew = (names: readonly string[]) =>
    names.filter((name) => placesAnew(policyNamed(name), kernel.store.getState().forest));

  return {
    anew,
    each: async (names, signal, work, onPlacing) => {
      const { entries } = kernel.store.getState();
      const others = anew(names);
      const here = names.filter((name) => !others.includes(name));
      if (here.length > 0) await work(entries, here.map(policyNamed), false);
      for (const name of others) await work(await placedAnew(name, signal, onPlacing), [policyNamed(name)], true);
    },
    made: (names) => {
      const { entries } = kernel.store.getState();
      const others = anew(names).filter((name) => kept.has(name));
      const here = names.filter((name) => !others.includes(name));
      const apart = others.map((name) => [kept.get(name)?.log ?? entries, [policyNamed(name)]] as const);
      return here.length > 0 ? [[entries, here.map(policyNamed)], ...apart] : apart;
    },
    forget: () => kept.clear(),
  };
};

/** What a policy sends depends on where turns are, and some may have been placed by another rule than its own. */
const placesAnew = ({ sendsPath, name }: Policy, { nodes }: Forest): boolean => {
  const own = rules.get(name);
  return (
    sendsPath &&
    recordsOf(nodes).some(({ decision }) => {
      const rule = ruleBehind(decision);
      return rule !== null && rule !== own;
    })
  );
};

/** Whether turns were sorted into topics in some new entries of a log, or that was undone or redone: contexts are built by the topics. */
const holdsSorting = (since: readonly Entry[], log: readonly Entry[]): boolean =>
  since.some(({ event }) => {
    if (event.type !== 'undone' && event.type !== 'redone') return event.type === 'turns-arranged';
    // From the end, since what is undone is recent; decisions are the last entries of such a step.
    const last = log.findLast(({ step }) => step === event.step)?.event.type;
    return last === 'turns-arranged' || last === 'turn-decided' || last === 'topic-titled';
  });

/** Identifies the rule that placed a turn; null if any rule would have placed it there. Read once: a stored trace takes long. */
const ruleBehind = (decision: Decision): string | null => {
  const known = rulesBehind.get(decision);
  if (known !== undefined) return known;
  const { by, trace } = decision;
  // Any rule places the first turn and those placed by a person where they are.
  const isAny = by === 'person' || trace === null || trace.topic.rule === 'first-turn';
  const rule = isAny ? null : (rules.get(trace.policy) ?? trace.policy);
  rulesBehind.set(decision, rule);
  return rule;
};

const rulesBehind = new WeakMap<Decision, string | null>();

/** Identifies the rule by which a policy places turns. */
const ruleOf = ({ retrieval, topicBy = 'one-question', theta }: Policy): string =>
  JSON.stringify([retrieval, topicBy, theta]);

const rules = new Map(ALL_POLICIES.map((policy) => [policy.name, ruleOf(policy)]));

const same = (a: readonly Entry[], b: readonly Entry[]): boolean => a.length === b.length && a.at(-1) === b.at(-1);
