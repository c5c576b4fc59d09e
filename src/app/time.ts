import { fold } from '../domain/apply.ts';
import type { Entry } from '../domain/events.ts';
import type { createConversations } from './conversations.ts';
import { letGo } from './hand-edits.ts';
import { type Kernel, notify } from './kernel.ts';
import type { createLearning } from './learning.ts';
import { tellRefusal } from './refusals.ts';
import { Snapshots } from './snapshots.ts';

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
      await adopt({ kind: 'conversation', title, entries: kept });
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
