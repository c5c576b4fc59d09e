import { useEffect, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { MemoryThen } from '../../engine/memory-then.ts';
import { useActions } from '../app-context.ts';

/**
 * A policy's memory as it was before a turn, with what it recalls for the turn; null while the first is made, and what went
 * wrong, in words, where it cannot be. Made anew when `moment` changes; until it is there, the one before stays.
 */
export const useMemory = (nodeId: NodeId, policy: string, moment = 0): MemoryThen | string | null => {
  const { memoryFor } = useActions();
  const [made, setMade] = useState<MemoryThen | string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said since changes it
  useEffect(() => {
    const stop = new AbortController();
    const take = (as: MemoryThen | string) => {
      if (!stop.signal.aborted) setMade(as);
    };
    memoryFor(nodeId, policy, stop.signal).then(
      (memory) => take(memory ?? 'there is none for this turn'),
      (error: unknown) => take(error instanceof Error ? error.message : String(error)),
    );
    return () => stop.abort();
  }, [memoryFor, nodeId, policy, moment]);
  return made;
};
