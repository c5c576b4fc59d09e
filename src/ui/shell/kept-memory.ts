import type { AppState } from '../../app/state.ts';
import { MEMORY_POLICIES } from '../../engine/memories/memory-policies.ts';

/** The policy in use, where it keeps a memory of its own. */
export const keptMemory = ({ settings: { current, versions } }: AppState): string | null => {
  const policy = versions.find(({ version }) => version === current)?.policy;
  return policy !== undefined && MEMORY_POLICIES.some(({ name }) => name === policy) ? policy : null;
};
