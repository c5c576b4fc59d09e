import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Actions } from '../../app/actions.ts';
import { type Kernel, notify, setSession } from '../../app/kernel.ts';
import { originOf, rerunModelsFor } from '../../app/re-run.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { recordsOf } from '../../domain/table.ts';
import { ALL_POLICIES, policyNamed } from '../../engine/context/policies/policies.ts';
import type { Policy } from '../../engine/context/policy.ts';
import type { TurnContexts } from '../../engine/history/contexts-over-time.ts';
import { sentContext } from '../../engine/history/contexts-then.ts';
import { rerun } from '../../engine/history/re-run.ts';
import { AS_IT_WAS } from '../../engine/history/what-if.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { breathing, dueEvery } from '../../engine/tasks.ts';
import { askedOf, BASELINE, type ComparedTurn, isKnown, joined, keyOf, missingIn } from './compare-run-rows.ts';

/** What has come reaches the screen at most this often, in milliseconds. */
const SHOW_EVERY = 120;
/** Turns that are compared without being asked: a matter of seconds. */
const AT_ONCE = 300;
/** How many can be compared: more lines and columns than that are not read. */
export const FEWEST = 2;
export const MOST = 4;

/** The models that memories are made with. */
export interface MadeBy {
  readonly embed: string;
  readonly summarise: string;
}

export interface CompareState {
  readonly conversationId: string;
  /** The policies chosen, in the order in which they are offered. */
  readonly names: readonly string[];
  /** What is known of policies that are not chosen now is kept, too. */
  readonly known: ReadonlyMap<NodeId, ComparedTurn>;
  readonly madeBy: MadeBy;
  readonly running: boolean;
  /** Turns of which what is asked is not known; while it runs, too. */
  readonly missing: number;
  /** The person ended it; it waits to be asked. */
  readonly stopped: boolean;
  /** Policies whose memory could not be made, and of what that failed, in words. The others go on. */
  readonly failed: ReadonlyMap<string, string>;
  /** Why nothing can be compared at all, in words. */
  readonly failure: string | null;
  /** Policies chosen that would have placed turns by another rule than they were: for these they are placed anew. */
  readonly anew: readonly string[];
}

/** The open conversation under several policies at once. It keeps what it came to while nobody looks. */
export interface CompareRun {
  readonly store: StoreApi<CompareState>;
  /** Follows the open conversation and its new turns, until what it gives is called. */
  look(): () => void;
  choose(names: readonly string[]): void;
  /** Goes on with what is missing, and tries again what failed. */
  start(): void;
  stop(): void;
  /** What each of the policies would have sent for a turn, as the action `compareContexts` tells it; each in its own course. */
  contextsFor: Actions['compareContexts'];
}

/** The page's comparison of the open conversation. */
export const createCompareRun = (kernel: Kernel): CompareRun => {
  const store = createStore<CompareState>(() => ({
    ...nothing(kernel),
    names: ['focused', 'context-agent', BASELINE, 'memtree'],
  }));
  let current: AbortController | null = null;
  let looking = false;
  /** The person asked for it by a click: however many turns there are. */
  let asked = false;
  /** The log that the results are of, and what they were made with. */
  let entries: readonly Entry[] = [];
  let made = '';
  /** Turns that have no context to find: they were undone and came back. */
  let without = new Set<string>();

  const courses = createCourses(kernel);

  const abort = () => {
    current?.abort();
    current = null;
    store.setState({ running: false });
  };

  /** Makes room where another conversation is open, or what is known does not hold any more. */
  const follow = () => {
    const { conversationId, entries: now } = kernel.store.getState();
    const rewritten = entries.at(-1) !== now[entries.length - 1];
    if (store.getState().conversationId !== conversationId || rewritten || made !== madeWith(kernel)) {
      abort();
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
    const missing = missingIn(kernel, store.getState(), without);
    const anew = courses.anew(store.getState().names);
    const before = store.getState();
    if (missing.length !== before.missing || anew.join() !== before.anew.join()) {
      store.setState({ missing: missing.length, anew });
    }
    const { stopped, failure } = store.getState();
    const may = asked || (missing.length <= AT_ONCE && !stopped && failure === null);
    if (current === null && missing.length > 0 && may) void run(missing);
  };

  const run = async (missing: readonly Node[]): Promise<void> => {
    const own = new AbortController();
    current = own;
    const { names, known, failed } = store.getState();
    const wanted = new Map(missing.map((node) => [node.id, node.replyId]));
    const policies = askedOf(names, failed).filter((name) =>
      missing.some((node) => !isKnown(known.get(node.id), node, name)),
    );
    store.setState({ running: true, failure: null });
    const found = new Map<NodeId, ComparedTurn>();
    const isDue = dueEvery(SHOW_EVERY, kernel.ports.elapsed);
    const show = () => {
      const all = new Map(store.getState().known);
      for (const [nodeId, turn] of found) all.set(nodeId, joined(all.get(nodeId), turn));
      found.clear();
      store.setState((state) => ({ known: all, missing: missingIn(kernel, { ...state, known: all }, without).length }));
    };
    const take = (turns: readonly TurnContexts[]) => {
      if (current !== own) return;
      for (const turn of turns) {
        const one = { ...turn, replyId: wanted.get(turn.nodeId) ?? null };
        // Policies in another course tell of the same turn.
        found.set(turn.nodeId, joined(found.get(turn.nodeId), one));
      }
      if (isDue()) show();
    };
    const onFailed = (policy: string, why: string) => {
      if (current !== own) return;
      store.setState((state) => ({ failed: new Map(state.failed).set(policy, why) }));
    };
    try {
      const { nodes } = kernel.store.getState().forest;
      // In a course of its own nothing was really sent.
      const really = (turns: readonly TurnContexts[], isAnew: boolean) =>
        take(
          turns.map((turn) => ({
            ...turn,
            sent: sentPolicy(nodes[turn.nodeId]),
            costs: isAnew ? timedNow(turn.costs) : turn.costs,
          })),
        );
      await courses.each(policies, own.signal, (log, together) =>
        kernel.engine.contextsOverTime(
          log,
          together,
          (turns) => really(turns, log !== entries),
          own.signal,
          onFailed,
          ({ id }) => wanted.has(id),
        ),
      );
      if (current !== own) return;
      show();
      const still = new Set(missingIn(kernel, store.getState(), without).map(({ id }) => id));
      for (const [nodeId, replyId] of wanted) if (still.has(nodeId)) without.add(keyOf(nodeId, replyId));
    } catch (error) {
      if (current !== own) return;
      show();
      asked = false;
      store.setState({ failure: errorMessage(error) });
    }
    current = null;
    store.setState({ running: false });
    settle();
    if (current !== null) return;
    if (asked && !looking) {
      notify(kernel, 'The comparison is done.', {
        label: 'Show',
        run: () => setSession(kernel, { dialog: 'compare' }),
      });
    }
    asked = false;
  };

  return {
    store,
    look: () => {
      looking = true;
      settle();
      const leave = kernel.store.subscribe((state, before) => {
        const { entries: log, turn, models, settings } = state;
        const same = log === before.entries && turn === before.turn;
        // Models are told of whenever they begin to work, too.
        const others = models !== before.models && madeWith(kernel) !== made;
        if (!same || others || settings !== before.settings) settle();
      });
      return () => {
        leave();
        looking = false;
        // What began by itself is soon made up for.
        if (!asked) abort();
      };
    },
    choose: (names) => {
      abort();
      store.setState({ names, failure: null });
      settle();
    },
    start: () => {
      asked = true;
      abort();
      store.setState({ stopped: false, failed: new Map(), failure: null });
      settle();
    },
    stop: () => {
      asked = false;
      abort();
      store.setState({ stopped: true });
    },
    contextsFor: (nodeId, names, watch, signal) =>
      courses.each(names, signal, (log, together) => kernel.engine.contextsFor(log, nodeId, together, signal, watch)),
  };
};

const nothing = (kernel: Kernel): Omit<CompareState, 'names'> => {
  const { embed, summarise } = kernel.ports.models();
  return {
    conversationId: kernel.store.getState().conversationId,
    known: new Map(),
    madeBy: { embed: embed.name, summarise: summarise.name },
    running: false,
    missing: 0,
    stopped: false,
    failed: new Map(),
    failure: null,
    anew: [],
  };
};

/** Other models, or another window, make other contexts; so do other settings, of turns that do not name theirs. */
const madeWith = ({ ports, store }: Kernel): string => {
  const { embed, summarise, chat } = ports.models();
  const { current } = store.getState().settings;
  return JSON.stringify([embed.name, summarise.name, chat.name, chat.window, chat.tokens.name, current]);
};

/** The log of a course of its own was written just now: so were its times. */
const timedNow = (costs: TurnContexts['costs']): TurnContexts['costs'] =>
  Object.fromEntries(
    Object.entries(costs).map(([name, cost]) => [name, { ...cost, ms: cost.ms + cost.logged, logged: 0 }]),
  );

const sentPolicy = (node: Node | undefined): string | null => (node && sentContext(node)?.policy) ?? null;

/** The logs that a conversation has under policies which place turns by rules of their own. */
export interface Courses {
  /** Those of the policies for which turns have to be placed anew. */
  anew(names: readonly string[]): string[];
  /**
   * Does some work with the log of the open conversation, for the policies that would have placed its turns as they are; then
   * for each of the others with a log in memory in which turns are placed anew, by its own rule. Rejects if the signal fires.
   */
  each(
    names: readonly string[],
    signal: AbortSignal,
    work: (log: readonly Entry[], policies: readonly Policy[]) => Promise<unknown>,
  ): Promise<void>;
  /** Lets go of the logs that were made. */
  forget(): void;
}

const createCourses = (kernel: Kernel): Courses => {
  const kept = new Map<string, { readonly of: readonly Entry[]; readonly log: readonly Entry[] }>();

  const placedAnew = async (name: string, signal: AbortSignal): Promise<readonly Entry[]> => {
    const origin = originOf(kernel);
    const before = kept.get(name);
    if (before !== undefined && same(before.of, origin.entries)) return before.log;
    const question = { ...AS_IT_WAS, policy: name };
    const models = await rerunModelsFor(kernel, origin, question);
    const { entries } = await rerun(models, origin.entries, question, {
      signal,
      progress: () => undefined,
      breathe: breathing(kernel.ports.elapsed),
    });
    kept.set(name, { of: origin.entries, log: entries });
    return entries;
  };

  const anew = (names: readonly string[]) =>
    names.filter((name) => placesAnew(policyNamed(name), kernel.store.getState().forest));

  return {
    anew,
    each: async (names, signal, work) => {
      const { entries } = kernel.store.getState();
      const others = anew(names);
      const here = names.filter((name) => !others.includes(name));
      if (here.length > 0) await work(entries, here.map(policyNamed));
      for (const name of others) await work(await placedAnew(name, signal), [policyNamed(name)]);
    },
    forget: () => kept.clear(),
  };
};

/** What a policy sends hangs on where turns stand, and some stand where another rule than its own has put them. */
const placesAnew = ({ sendsPath, name }: Policy, { nodes }: Forest): boolean => {
  const own = rules.get(name);
  return (
    sendsPath &&
    recordsOf(nodes).some(({ decision: { by, trace } }) => {
      // The first turn and those that a person placed are where any rule has them.
      if (by === 'person' || trace === null || trace.topic.rule === 'first-turn') return false;
      return rules.get(trace.policy) !== own;
    })
  );
};

/** How a policy has turns placed. */
const ruleOf = ({ retrieval, topicBy = 'one-question', theta }: Policy): string =>
  JSON.stringify([retrieval, topicBy, theta]);

const rules = new Map(ALL_POLICIES.map((policy) => [policy.name, ruleOf(policy)]));

const same = (a: readonly Entry[], b: readonly Entry[]): boolean => a.length === b.length && a.at(-1) === b.at(-1);
