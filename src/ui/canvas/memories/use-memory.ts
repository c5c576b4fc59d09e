import { useEffect, useState } from 'react';
import type { NodeId } from '../../../domain/forest.ts';
import type { MemoryThen } from '../../../engine/history/memory-then.ts';
import { useActions } from '../../app-context.ts';

/** Turns that are passed by faster than this are not looked at, in milliseconds: each costs a fold of the log. */
const REST = 150;

export interface MadeMemory {
  /** The turn that it is before: while another is made, still the one that was looked at last. */
  readonly of: NodeId;
  /** Null while the first is made; what went wrong, in words, where it cannot be. */
  readonly memory: MemoryThen | string | null;
}

/** A policy's memory as it was before a turn, with what it recalls for the turn. Made anew when `moment` changes. */
export const useMemory = (nodeId: NodeId, policy: string, moment = 0): MadeMemory => {
  const { memoryFor } = useActions();
  const [made, setMade] = useState<MadeMemory>({ of: nodeId, memory: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said since changes it
  useEffect(() => {
    const stop = new AbortController();
    const take = (memory: MemoryThen | string) => {
      if (!stop.signal.aborted) setMade({ of: nodeId, memory });
    };
    const make = () =>
      memoryFor(nodeId, policy, stop.signal).then(
        (memory) => take(memory ?? 'there is none for this turn'),
        (error: unknown) => take(error instanceof Error ? error.message : String(error)),
      );
    const begun = setTimeout(make, made.memory === null ? 0 : REST);
    return () => {
      clearTimeout(begun);
      stop.abort();
    };
  }, [memoryFor, nodeId, policy, moment]);
  return made;
};
