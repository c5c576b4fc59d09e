import { useEffect, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/compare-contexts.ts';
import type { MemoryThen } from '../../engine/memory-then.ts';
import { useActions } from '../app-context.ts';
import { isMemory } from '../policies/policy-words.ts';

/** A policy's context for a turn beside the memory that it came from. */
export interface Remembering {
  readonly compared: PolicyContext;
  /** null of a policy that keeps none but the forest, and where it could not be made. */
  readonly memory: MemoryThen | null;
  /** Why it could not be made, in words. */
  readonly why: string | null;
}

/** The memories behind contexts of a turn, when all of them are there; until then those before. */
export const useMemories = (nodeId: NodeId, contexts: readonly PolicyContext[]): readonly Remembering[] => {
  const { memoryFor } = useActions();
  const [made, setMade] = useState<readonly Remembering[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const one = async (compared: PolicyContext): Promise<Remembering> => {
      if (!isMemory(compared.policy)) return { compared, memory: null, why: null };
      try {
        return { compared, memory: await memoryFor(nodeId, compared.policy, stop.signal), why: null };
      } catch (error) {
        return { compared, memory: null, why: error instanceof Error ? error.message : String(error) };
      }
    };
    void Promise.all(contexts.map(one)).then((all) => {
      if (!stop.signal.aborted) setMade(all);
    });
    return () => stop.abort();
  }, [memoryFor, nodeId, contexts]);
  return made;
};
