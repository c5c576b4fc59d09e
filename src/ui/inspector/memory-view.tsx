import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Node } from '../../domain/forest.ts';
import type { MemoryThen } from '../../engine/memory-then.ts';
import { useActions } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { counted } from '../parts/numbers.ts';
import { ABOUT_POLICY } from '../policies/policy-words.ts';
import { MemoryCells } from './memory-cells.tsx';
import styles from './memory-view.module.css';

interface Props {
  readonly policy: string;
  readonly node: Node;
  readonly onBack: () => void;
}

/** A policy's memory as it was before a turn, with what it recalls for the turn. */
export const MemoryView = ({ policy, node, onBack }: Props) => {
  const memory = useMemory(node.id, policy);
  return (
    <section className={styles.memory} aria-label={`The memory of ${policy}`}>
      <header className={styles.head}>
        <Button size="small" onClick={onBack} autoFocus>
          <ArrowLeft size={14} aria-hidden />
          All contexts
        </Button>
        <h3>
          {policy}, before turn {node.number}
        </h3>
        <p>{ABOUT_POLICY[policy]}</p>
      </header>
      <p className={styles.found} role={typeof memory === 'string' ? 'alert' : 'status'}>
        {foundWords(memory)}
      </p>
      {memory !== null && typeof memory !== 'string' && memory.cells.length > 0 && (
        <MemoryCells key={`${policy} ${node.id}`} policy={policy} memory={memory} />
      )}
    </section>
  );
};

const foundWords = (memory: MemoryThen | string | null): string => {
  if (memory === null) return 'Making the memory…';
  if (typeof memory === 'string')
    return `The memory cannot be made: ${memory}. Choose a model under Models that is here.`;
  const { cells, recall } = memory;
  if (cells.length === 0) return 'It is empty: nothing was said before this turn.';
  const { items, levels, skipped = [] } = recall;
  return [
    counted(cells.length, 'piece'),
    `${items.length} recalled for this message`,
    ...(levels === undefined ? [] : [`${counted(levels, 'level')} visited`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} passed over with all below`]),
  ].join(' · ');
};

/** Null while it is made; what went wrong, in words, where it cannot be. */
const useMemory = (nodeId: string, policy: string): MemoryThen | string | null => {
  const { memoryFor } = useActions();
  const [made, setMade] = useState<MemoryThen | string | null>(null);
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
  }, [memoryFor, nodeId, policy]);
  return made;
};
