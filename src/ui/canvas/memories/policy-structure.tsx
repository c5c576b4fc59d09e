import { List, Workflow } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { NodeId } from '../../../domain/forest.ts';
import type { PolicyContext } from '../../../engine/history/compare-contexts.ts';
import type { MemoryThen } from '../../../engine/history/memory-then.ts';
import { useActions, useApp } from '../../app-context.ts';
import { Segmented } from '../../parts/fields.tsx';
import { MemoryCells } from './memory-cells.tsx';
import { PolicyPicture } from './policy-picture.tsx';
import styles from './policy-structure.module.css';
import { recallWords } from './why-words.ts';

const VIEWS = [
  { value: 'picture' as const, label: 'Picture', icon: <Workflow size={14} aria-hidden /> },
  { value: 'list' as const, label: 'List', icon: <List size={14} aria-hidden /> },
];

interface Props {
  readonly policy: string;
  /** In words, where it is not made yet or cannot be. */
  readonly memory: MemoryThen | string | null;
  readonly context: PolicyContext | null;
  /** What stands at the left of the switch. */
  readonly head: ReactNode;
  readonly onTurn?: (nodeId: NodeId) => void;
}

/** A memory before a turn, as a picture or as a list that is its equal. */
export const PolicyStructure = ({ policy, memory, context, head, onTurn }: Props) => {
  const { session } = useActions();
  const as = useApp((state) => state.session.memoryAs);
  return (
    <section className={styles.structure} aria-label={`The memory of ${policy}`}>
      <header className={styles.bar}>
        {head}
        <Segmented label="Memory as" options={VIEWS} value={as} onChange={(memoryAs) => session({ memoryAs })} />
      </header>
      {memory === null || typeof memory === 'string' ? (
        <p className={styles.note} role={memory === null ? 'status' : 'alert'}>
          {memory === null
            ? 'Making the memory…'
            : `The memory cannot be made: ${memory}. Choose a model under Models that is here.`}
        </p>
      ) : as === 'picture' ? (
        <Pictured policy={policy} memory={memory} context={context} {...(onTurn !== undefined && { onTurn })} />
      ) : (
        <>
          <p className={styles.note} role="status">
            {recallWords(memory).join(' · ')}
          </p>
          {memory.cells.length > 0 && <MemoryCells policy={policy} memory={memory} />}
        </>
      )}
    </section>
  );
};

const Pictured = ({ memory, ...rest }: Omit<Props, 'memory' | 'head'> & { memory: MemoryThen }) => {
  const [selected, setSelected] = useState<string | null>(null);
  const { policy, context, onTurn } = rest;
  return (
    <PolicyPicture
      shown={{ policy, context, memory }}
      selected={selected}
      onSelect={setSelected}
      {...(onTurn !== undefined && { onTurn })}
    />
  );
};
