import { useEffect, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { useActions } from '../../ui/app-context.ts';
import type { PictureOf } from '../../ui/canvas/memories/picture-of.ts';
import { isMemory } from '../../ui/parts/policies.tsx';

/** A policy's context for a turn beside the memory that it came from. */
interface Remembering {
  readonly shown: PictureOf;
  /** Why the memory could not be made, in words. */
  readonly why: string | null;
}

/** The memories behind contexts of a turn, when all of them are there; until then those before. */
export const useMemories = (nodeId: NodeId, contexts: readonly PolicyContext[]): readonly Remembering[] => {
  const { memoryFor } = useActions();
  const [made, setMade] = useState<readonly Remembering[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const one = async (context: PolicyContext): Promise<Remembering> => {
      const { policy } = context;
      if (!isMemory(policy)) return { shown: { policy, context, memory: null }, why: null };
      try {
        const memory = await memoryFor(nodeId, policy, stop.signal);
        return { shown: { policy, context, memory }, why: null };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { shown: { policy, context, memory: null }, why };
      }
    };
    void Promise.all(contexts.map(one)).then((all) => {
      if (!stop.signal.aborted) setMade(all);
    });
    return () => stop.abort();
  }, [memoryFor, nodeId, contexts]);
  return made;
};
