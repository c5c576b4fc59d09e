import { type Entry, LOG_VERSION } from '../domain/entry.ts';
import { kindOf } from '../domain/event-kinds.ts';
import type { Forest, NodeId, ReplyId } from '../domain/forest.ts';
import { copyOf, sourceOf } from '../domain/long-list.ts';
import { plural } from '../domain/numbers.ts';
import { turnsIn } from '../domain/queries.ts';
import { holdsPurge } from '../domain/scrub.ts';
import { openReplies } from '../domain/stored-forest.ts';
import { recordsOf, sizeOf } from '../domain/table.ts';
import type { ShownContext } from '../engine/context/context-text.ts';
import { shownContext } from '../engine/context/context-text.ts';
import type { Policy } from '../engine/context/policy.ts';
import type { PolicyFailed, TurnContexts } from '../engine/history/contexts-over-time.ts';
import type { ContextsWatch, PastMemory } from '../engine/history/past-contexts.ts';
import { createYielder, nextPaint, SPELL, whenIdle } from '../engine/tasks.ts';
import type { Conversations } from './conversations.ts';
import { commitHere, revertible } from './edits.ts';
import { type Kernel, notify, reportingErrors, reportUnexpected, stillOpen } from './kernel.ts';
import { VERY_LONG } from './snapshots.ts';
import type { Turns } from './turns.ts';

interface Parts {
  readonly turns: Turns;
  readonly adopt: Conversations['adopt'];
}

/** Moving through a conversation's history, and looking up what was sent at the time. */
export const createTime = (kernel: Kernel, { turns, adopt }: Parts) => {
  const { store, snapshots, ports } = kernel;
  // Snapshots are created during idle time, so that every moment is near one.
  store.subscribe(({ entries }, before) => {
    // For a very long log they take more time and memory than is justified for users who never go back.
    const { length } = entries;
    if (entries[0] !== before.entries[0] && length > LONG && length <= VERY_LONG) makeAhead(kernel);
  });

  /** The most recently requested moment. */
  let wanted = 0;

  const show = (entries: readonly Entry[], count: number) =>
    store.setState({ past: { count, forest: snapshots.at(entries, count) }, reaching: null });

  /** Creates the snapshots needed for a moment to be near; returns false if another log is open meanwhile or `goOn` returns false. */
  const comeNear = async (count: number, goOn: () => boolean): Promise<boolean> => {
    const breathe = createYielder(ports.elapsed);
    const [log] = store.getState().entries;
    for (;;) {
      const { entries } = store.getState();
      if (entries[0] !== log || !goOn()) return false;
      if (snapshots.isNear(entries, count)) return true;
      snapshots.approach(entries, count);
      await breathe();
    }
  };

  /** Goes to a moment far from any known one; going elsewhere meanwhile cancels it. */
  const reach = reportingErrors(kernel, 'Moving through the history', async (count: number) => {
    // Let the page show that it is on its way before the work begins.
    await nextPaint();
    if (!(await comeNear(count, () => wanted === count && store.getState().reaching === count))) return;
    show(store.getState().entries, count);
    makeAhead(kernel);
  });

  const forestAt = (entries: readonly Entry[], count: number): Forest => snapshots.at(entries, count);

  const goToStep = reportingErrors(kernel, 'Moving through the history', async (to: number) => {
    const before = store.getState().forest;
    const gone = await commitHere(kernel, { type: 'rewind', to });
    if (gone === null) return;
    store.setState({ past: null, reaching: null });
    const from = before.history.past.length;
    const steps = Math.abs(to - from);
    notify(
      kernel,
      `${steps} ${plural(steps, 'step')} ${to < from ? 'undone' : 'redone'}.`,
      revertible(kernel, 'Revert', () => goToStep(from)),
    );
    turns.followTarget(gone.events);
    await turns.followSteps(before);
  });

  /**
   * Finds the first moment from `count` on at which no message is being placed and no reply is open, or `count` if
   * there is none, and the forest at that moment; null if another conversation is open meanwhile.
   */
  const settledFrom = async (count: number): Promise<{ readonly moment: number; readonly forest: Forest } | null> => {
    if (!(await comeNear(count, () => true))) return null;
    const { entries } = store.getState();
    const moment = settledAt(entries, count, snapshots.at(entries, count));
    return { moment, forest: snapshots.at(entries, moment) };
  };

  const branchOff = reportingErrors(kernel, 'Starting a conversation from there', async (count: number) => {
    const { entries } = store.getState();
    const settled = await settledFrom(count);
    if (settled === null) return;
    const { moment, forest } = settled;
    if (moment === 0) return notify(kernel, 'There were no messages yet at that moment.');
    const turns = turnsIn(forest).toLocaleString('en');
    if (moment > LONG) notify(kernel, `Creating a conversation with ${turns} turns. It opens when it is ready.`);
    const breathe = createYielder(ports.elapsed);
    const kept: Entry[] = [];
    // One by one: slicing a packed log would unpack it all at once.
    for (let at = 0; at < moment; at++) {
      const entry = entries[at] as Entry;
      // An open log is known by its first entry.
      kept.push(at === 0 ? { ...entry } : entry);
      await breathe();
    }
    store.setState({ past: null, reaching: null });
    const title = `${titleOf(forest).replace(/ \(from turn \d+\)$/, '')} (from turn ${forest.turnCount})`;
    // Only a name that the person gave is kept: one with the words of a turn would outlive its purge.
    if (forest.title !== null) {
      kept.push({
        v: LOG_VERSION,
        seq: moment + 1,
        at: ports.now(),
        // Not undoable: after undoing a turn, it still goes on from there.
        step: null,
        event: { type: 'conversation-titled', title },
      });
    }
    await adopt({ title, entries: kept });
  });

  /** The log up to the moment that is shown, since what is built from it appears beside the forest of that moment. */
  const shownEntries = (): readonly Entry[] => {
    const { entries, past } = store.getState();
    if (past === null) return entries;
    const until = copyOf(entries);
    // Not sliced: that would unpack a packed log.
    until.length = Math.min(past.count, until.length);
    return until;
  };

  /** Resolves policies by name; their code is loaded on first use. */
  const named = async (names: readonly string[]) => {
    await kernel.opened;
    const { policyNamed } = await import('../engine/context/policies/policies.ts');
    return names.map(policyNamed);
  };

  return {
    /** Undoes or redoes until `to` steps are applied. */
    goToStep,

    /** Starts a new conversation from the state of this one after `count` entries. */
    branchOff,

    /** Shows the forest after the first `count` entries of the log, read-only; null returns to now. */
    travel: (count: number | null): void => {
      const { entries } = store.getState();
      wanted = Math.max(0, count ?? entries.length);
      if (wanted >= entries.length) store.setState({ past: null, reaching: null });
      else if (snapshots.isNear(entries, wanted)) show(entries, wanted);
      else {
        store.setState({ reaching: wanted });
        void reach(wanted);
      }
    },

    /** Undoes everything since the moment after `count` entries, or redoes what was undone since; can be taken back. */
    restore: reportingErrors(kernel, 'Restoring that moment', async (count: number) => {
      const isOpen = stillOpen(kernel);
      const settled = await settledFrom(count);
      if (settled === null) return;
      const then = settled.forest.history.past;
      const { past, future } = store.getState().forest.history;
      // What is undone last is redone first.
      const stepNow = (at: number) => past[at] ?? future[future.length - 1 - (at - past.length)];
      const breathe = createYielder(ports.elapsed);
      let to = 0;
      for (; to < then.length && then[to]?.id === stepNow(to)?.id; to++) await breathe();
      if (!isOpen()) return;
      const { entries } = store.getState();
      const bar = to === 0 ? await lastInParts(entries, barsWayBack, breathe, { from: settled.moment }) : null;
      if (!isOpen() || store.getState().entries[0] !== entries[0]) return;
      if (bar !== null || to < then.length) {
        const why =
          bar === null
            ? 'That moment contains a step that was later undone and replaced.'
            : holdsPurge([entries[bar] as Entry])
              ? 'Turns have been purged since that moment, which cleared the undo history.'
              : 'Turns have been imported since that moment, and that cannot be undone.';
        return notify(kernel, `${why} Start a new conversation from it instead.`, {
          label: 'Start from there',
          run: () => void branchOff(count),
          here: true,
        });
      }
      await goToStep(to);
    }),

    /**
     * Returns exactly what was sent for a reply to a turn, with the forest at that time; null if nothing was sent
     * or it is not known. Returns `far` in a very long log where that moment has to be computed first; use
     * `shownContextFarBack` then.
     */
    shownContext: (replyId: ReplyId, nodeId: NodeId): ShownContext | null | 'far' => {
      const { entries, handled } = store.getState();
      const moment = beginningOfReply(entries, replyId, handled?.countOf(nodeId));
      if (moment === null) return sourceOf(entries) === undefined ? null : 'far';
      return snapshots.isNear(entries, moment) ? shownContext(entries, moment, forestAt) : 'far';
    },

    /** Does the same however long it takes; null once the signal fires. */
    shownContextFarBack: async (
      replyId: ReplyId,
      nodeId: NodeId,
      signal: AbortSignal,
    ): Promise<ShownContext | null> => {
      const { entries, handled } = store.getState();
      try {
        const moment =
          beginningOfReply(entries, replyId, handled?.countOf(nodeId)) ??
          (await lastInParts(entries, beginsReply(replyId), createYielder(ports.elapsed), { signal }));
        const isThere = moment !== null && (await comeNear(moment, () => !signal.aborted));
        return isThere ? shownContext(entries, moment, forestAt) : null;
      } catch (error) {
        reportUnexpected(kernel, 'Looking up what was sent', error);
        return null;
      }
    },

    /**
     * Computes what each policy would have sent for a turn as it was at the moment that is shown, reporting them one by
     * one in the given order; for the policy in use, what was sent. Rejects, like the next two, which are about that
     * moment too, if the signal fires or tokens cannot be counted.
     */
    compareContexts: async (
      nodeId: NodeId,
      policies: readonly string[],
      watch: ContextsWatch,
      signal: AbortSignal,
    ): Promise<void> => {
      const found = await named(policies);
      await kernel.engine.contextsFor(shownEntries(), nodeId, found, signal, watch);
    },

    /**
     * Computes the tokens and cost of those contexts for every turn, reporting them in batches; a policy whose
     * memory failed is reported once.
     */
    contextsOverTime: async (
      policies: readonly string[],
      onTurns: (turns: readonly TurnContexts[]) => void,
      signal: AbortSignal,
      onFailed?: PolicyFailed,
    ): Promise<void> => {
      const found = await named(policies);
      return kernel.engine.contextsOverTime(shownEntries(), found, onTurns, signal, onFailed);
    },

    /** Returns a policy's memory before a turn, and what it recalls for that turn; null for a policy without a memory. */
    memoryFor: async (nodeId: NodeId, policy: string, signal: AbortSignal): Promise<PastMemory | null> => {
      const [found] = (await named([policy])) as [Policy];
      return kernel.engine.memoryFor(shownEntries(), nodeId, found, signal);
    },

    /** Has the next of these three do again what models failed at while memories were built. */
    retryMemories: (): void => kernel.engine.retryMemories(),
  };
};

/** How many entries before the moment at which a turn had been handled are searched for the start of its reply. */
const HANDLING = 2_000;

/**
 * Returns the number of entries before a reply started; null if unknown. Searches where its turn had been handled
 * (`handled`, if stored), then the rest, except for the packed part of a log, which takes seconds.
 */
const beginningOfReply = (entries: readonly Entry[], replyId: ReplyId, handled?: number): number | null => {
  const packed = sourceOf(entries)?.length ?? 0;
  const begins = beginsReply(replyId);
  const until = handled ?? 0;
  for (let at = until - 1; at >= Math.max(0, until - HANDLING); at--) if (begins(entries[at])) return at;
  for (let at = entries.length - 1; at >= packed; at--) if (begins(entries[at])) return at;
  return null;
};

const beginsReply =
  (replyId: ReplyId) =>
  (entry: Entry | undefined): boolean =>
    entry?.event.type === 'reply-started' && entry.event.replyId === replyId;

/** Whether nothing from before an entry can be reached by undoing: a purge clears the history, and an import may be no step. */
const barsWayBack = (entry: Entry): boolean =>
  holdsPurge([entry]) || (entry.event.type === 'turn-placed' && entry.step === null);

/** Returns the index of the last such entry from `from` on, in a packed log too; null if there is none or the signal fires. */
const lastInParts = async (
  entries: readonly Entry[],
  isSuch: (entry: Entry) => boolean,
  breathe: () => Promise<void>,
  { from = 0, signal }: { from?: number; signal?: AbortSignal },
): Promise<number | null> => {
  for (let at = entries.length - 1; at >= from && signal?.aborted !== true; at--) {
    if (isSuch(entries[at] as Entry)) return at;
    await breathe();
  }
  return null;
};

/** See `settledFrom`. `forest`: after the first `count` entries. */
const settledAt = (entries: readonly Entry[], count: number, forest: Forest): number => {
  let pending = sizeOf(forest.pending) > 0;
  let open = recordsOf(forest.nodes).reduce((sum, node) => sum + openReplies(node).length, 0);
  for (let at = count; at < entries.length; at++) {
    if (!pending && open === 0) return at;
    const { handling } = kindOf((entries[at] as Entry).event);
    if (handling === 'sent') pending = true;
    else if (handling === 'placed' || handling === 'withdrawn') pending = false;
    else if (handling === 'reply-opened' || handling === 'reply-reopened') open += 1;
    else if (handling === 'reply-closed') open -= 1;
  }
  // A reply whose turn was undone or deleted meanwhile is never closed.
  return count;
};

const titleOf = ({ title, trees }: Forest): string => title ?? recordsOf(trees)[0]?.title ?? 'Conversation';

/** Number of entries from which folding a log takes noticeably long. */
const LONG = 5_000;

/** Creates snapshots along the open log during idle time, for going back in time. */
const makeAhead = ({ store, snapshots, ports }: Kernel): void => {
  const log = store.getState().entries[0];
  const go = () => {
    const until = ports.elapsed() + SPELL;
    for (;;) {
      const { entries } = store.getState();
      if (entries[0] !== log || !snapshots.makeNext(entries)) return;
      if (ports.elapsed() > until) return whenIdle(go);
    }
  };
  whenIdle(go);
};
