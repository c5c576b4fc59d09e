import { shownContext } from '../engine/shown-context.ts';
import type { Actions } from './actions.ts';
import type { Kernel } from './kernel.ts';
import { Snapshots } from './snapshots.ts';

/** What was sent, and what every policy would have sent: the code for that is loaded when it is first asked for. */
export const openComparison = (
  kernel: Kernel,
  opened: Promise<void>,
): Pick<Actions, 'shownContext' | 'compareContexts' | 'contextsOverTime'> => {
  const snapshots = new Snapshots();
  const policies = async () => {
    await opened;
    return (await import('../engine/policies/policies.ts')).POLICIES;
  };
  return {
    shownContext: (replyId) =>
      shownContext(kernel.store.getState().entries, replyId, (entries, count) => snapshots.at(entries, count)),
    compareContexts: async (nodeId, signal) => {
      const all = await policies();
      return kernel.engine.contextsFor(kernel.store.getState().entries, nodeId, all, signal);
    },
    contextsOverTime: async (onTurns, signal) => {
      const all = await policies();
      return kernel.engine.contextsOverTime(kernel.store.getState().entries, all, onTurns, signal);
    },
  };
};
