import type { Actions } from './actions.ts';
import type { Kernel } from './kernel.ts';

/** Contexts of every policy, whose code is loaded when it is first asked for. */
export const openComparison = (
  kernel: Kernel,
  opened: Promise<void>,
): Pick<Actions, 'compareContexts' | 'contextsOverTime'> => {
  const policies = async () => {
    await opened;
    return (await import('../engine/policies/policies.ts')).POLICIES;
  };
  return {
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
