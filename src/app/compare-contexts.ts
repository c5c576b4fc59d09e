import type { Policy } from '../engine/context/policy.ts';
import { shownContext } from '../engine/context/shown-context.ts';
import type { Actions } from './actions.ts';
import type { Kernel } from './kernel.ts';
import { Snapshots } from './snapshots.ts';

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
