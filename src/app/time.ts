import { produce } from 'immer';
import { apply, fold } from '../domain/apply.ts';
import type { Entry } from '../domain/entry.ts';
import { emptyForest, type Forest } from '../domain/forest.ts';
import { shownContext } from '../engine/context/context-text.ts';
import type { Policy } from '../engine/context/policy.ts';
import type { Actions } from './actions.ts';
import type { createConversations } from './conversations.ts';
import { letGo, tellRefusal } from './edits.ts';
import { type Kernel, notify } from './kernel.ts';
import type { createLearning } from './learning.ts';

interface Parts {
  readonly learning: ReturnType<typeof createLearning>;
  readonly adopt: ReturnType<typeof createConversations>['adopt'];
}

/** Going to and fro in a conversation's history. */
export const createTime = (kernel: Kernel, { learning, adopt }: Parts) => {
  const { store } = kernel;
  const snapshots = new Snapshots();

  const goToStep = async (to: number): Promise<void> => {
    const before = store.getState().forest;
    const gone = await kernel.commit({ type: 'rewind', to });
    if (!gone.ok) return tellRefusal(kernel, gone.refusal);
    store.setState({ past: null });
    letGo(kernel);
    const from = before.history.past.length;
    const steps = Math.abs(to - from);
    notify(kernel, `${steps} ${steps === 1 ? 'step' : 'steps'} ${to < from ? 'undone' : 'redone'}.`, {
      label: 'Take back',
      run: () => void goToStep(from),
    });
    await learning.follow(before, store.getState().forest);
  };

  return {
    goToStep,

    travel: (count: number | null): void => {
      const { entries } = store.getState();
      const at = Math.max(0, count ?? entries.length);
      store.setState({ past: at >= entries.length ? null : { count: at, forest: snapshots.at(entries, at) } });
    },

    branchOff: async (count: number): Promise<void> => {
      const { entries } = store.getState();
      const kept = entries.slice(0, settledAt(entries, count));
      if (kept.length === 0) return notify(kernel, 'Nothing had been said at that moment.');
      const title = `${titleAt(kept)} (from turn ${fold(kept).turnCount})`;
      store.setState({ past: null });
      await adopt({ title, entries: kept });
    },

    restore: async (count: number): Promise<void> => {
      const { entries, forest } = store.getState();
      const then = snapshots.at(entries, settledAt(entries, count)).history.past;
      const now = forest.history.past;
      const common = then.findIndex((step, i) => step.id !== now[i]?.id);
      const to = common === -1 ? then.length : common;
      if (to < then.length) {
        return notify(
          kernel,
          'Something of that moment was undone later and replaced. Start a new conversation from it instead.',
          {
            label: 'Start one',
            run: () => void createTime(kernel, { learning, adopt }).branchOff(count),
          },
        );
      }
      await goToStep(to);
    },
  };
};

/** The first moment not before `count` at which no message waits for its place and no reply is open. */
const settledAt = (entries: readonly Entry[], count: number): number => {
  let pending = false;
  let open = 0;
  for (const [i, { event }] of entries.entries()) {
    if (i >= count && !pending && open === 0) return i;
    if (event.type === 'message-sent') pending = true;
    if (event.type === 'turn-placed' || event.type === 'undone') pending = false;
    if (event.type === 'reply-started' || event.type === 'reply-resumed') open += 1;
    if (event.type === 'reply-ended') open -= 1;
  }
  return entries.length;
};

const titleAt = (entries: readonly Entry[]): string => {
  const forest = fold(entries);
  return forest.title ?? Object.values(forest.trees)[0]?.title ?? 'Conversation';
};

/** Entries between two forests that are kept for good, in a log that is not long, … */
const STRIDE = 64;
/** … and how many such there are at the most: in a longer log they stand further apart. Each is a list of all turns. */
const MOST_KEPT = 150;
/**
 * Entries between two forests that are kept around the moment last asked for. What lies before one of them is the same
 * object from moment to moment, so that what shows it need not be drawn again: of the turns on the screen two or three
 * are, not half of them.
 */
const STEP = 16;

/**
 * The forest at any moment of a log, at once: forests along the way are kept, and share with each other what is the
 * same. Of one log at a time; one that only grew keeps what there is.
 */
export class Snapshots {
  #first: Entry | undefined;
  #stride = STRIDE;
  #kept: Forest[] = [emptyForest()];
  /** The steps from the kept forest that stands before the moment last asked for, as far as they were needed. */
  #near: { readonly begin: number; readonly steps: Forest[] } = { begin: -1, steps: [] };

  at(entries: readonly Entry[], count: number): Forest {
    if (entries[0] !== this.#first) {
      this.#first = entries[0];
      this.#stride = STRIDE;
      this.#kept = [emptyForest()];
      this.#near = { begin: -1, steps: [] };
    }
    while (entries.length / this.#stride > MOST_KEPT) {
      this.#stride *= 2;
      this.#kept = this.#kept.filter((_, place) => place % 2 === 0);
    }
    const place = Math.floor(count / this.#stride);
    const begin = place * this.#stride;
    extend(this.#kept, entries, 0, this.#stride, place);
    if (this.#near.begin !== begin) this.#near = { begin, steps: [this.#kept[place] as Forest] };
    const { steps } = this.#near;
    const step = Math.floor((count - begin) / STEP);
    extend(steps, entries, begin, STEP, step);
    return after(steps[step] as Forest, entries, begin + step * STEP, count);
  }
}

/** Adds forests to those at `begin`, `begin + every`, … until there is one at `begin + last * every`. */
const extend = (forests: Forest[], entries: readonly Entry[], begin: number, every: number, last: number): void => {
  while (forests.length <= last) {
    const from = begin + (forests.length - 1) * every;
    forests.push(after(forests.at(-1) as Forest, entries, from, from + every));
  }
};

const after = (forest: Forest, entries: readonly Entry[], from: number, to: number): Forest =>
  produce(forest, (draft) => {
    for (const entry of entries.slice(from, to)) apply(draft, entry);
  });

/** What was sent, and what other policies would have sent: the code for that is loaded when it is first asked for. */
export const openComparison = (
  kernel: Kernel,
  opened: Promise<void>,
): Pick<Actions, 'shownContext' | 'compareContexts' | 'contextsOverTime' | 'memoryFor'> => {
  const snapshots = new Snapshots();
  const named = async (names: readonly string[]) => {
    await opened;
    const { policyNamed } = await import('../engine/context/policies/policies.ts');
    return names.map(policyNamed);
  };
  const entries = () => kernel.store.getState().entries;
  return {
    shownContext: (replyId) => shownContext(entries(), replyId, (all, count) => snapshots.at(all, count)),
    compareContexts: async (nodeId, names, watch, signal) => {
      const policies = await named(names);
      await kernel.engine.contextsFor(entries(), nodeId, policies, signal, watch);
    },
    contextsOverTime: async (names, onTurns, signal, onFailed) => {
      const policies = await named(names);
      return kernel.engine.contextsOverTime(entries(), policies, onTurns, signal, onFailed);
    },
    memoryFor: async (nodeId, name, signal) => {
      const [policy] = (await named([name])) as [Policy];
      return kernel.engine.memoryFor(entries(), nodeId, policy, signal);
    },
  };
};
