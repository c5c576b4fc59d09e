import { List, Workflow } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Forest, Node, NodeId } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import type { MemoryThen, PolicyContext } from '../../../engine/history/contexts-then.ts';
import { errorMessage } from '../../../engine/model-failure.ts';
import { useActions, useApp } from '../../app-context.ts';
import { Segmented } from '../../parts/fields.tsx';
import { useShownForest } from '../../parts/hooks.ts';
import { Heading, Muted } from '../../parts/text.tsx';
import { MemoryCells } from './memory-cells.tsx';
import { PolicyPicture, recallWords } from './policy-picture.tsx';
import styles from './policy-structure.module.css';

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
        <Segmented
          label="Show the memory as"
          options={VIEWS}
          value={as}
          onChange={(memoryAs) => session({ memoryAs })}
        />
      </header>
      {memory === null || typeof memory === 'string' ? (
        <Muted className={styles.note} role={memory === null ? 'status' : 'alert'}>
          {memory === null
            ? 'Building the memory…'
            : `The memory could not be built: ${memory}. Choose an available model under Models.`}
        </Muted>
      ) : as === 'picture' ? (
        <Pictured policy={policy} memory={memory} context={context} {...(onTurn !== undefined && { onTurn })} />
      ) : (
        <>
          <Muted className={styles.note} role="status">
            {recallWords(memory).join(' · ')}
          </Muted>
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

/** The memory that the conversation goes on by, as it was before the turn that is looked at; goes along as turns come. */
export const MemoryPane = ({ policy }: { policy: string }) => {
  const forest = useShownForest();
  const selectedId = useApp((state) => state.session.selectedId);
  const node = forest.nodes[selectedId ?? ''] ?? forest.nodes[forest.active?.nodeId ?? ''];
  if (node === undefined) return <p className={styles.empty}>Nothing is remembered yet. Send a message first.</p>;
  return <Before key={policy} policy={policy} forest={forest} node={node} />;
};

const Before = ({ policy, forest, node }: { policy: string; forest: Forest; node: Node }) => {
  const { select } = useActions();
  // While a turn is on its way the log grows with every word of it.
  const moment = useApp((state) => (state.turn === null ? state.entries.length : -1));
  const { of, memory } = useMemory(node.id, policy, moment);
  const before = forest.nodes[of] ?? node;
  const context = useContext(policy, before, memory);
  return (
    <div className={styles.pane}>
      <PolicyStructure
        policy={policy}
        memory={memory}
        context={context}
        onTurn={select}
        head={
          <Heading className={styles.head}>
            {policy} <span>before turn {before.number}</span>
            {before !== node && <span role="status">{`building the one before turn ${node.number}…`}</span>}
          </Heading>
        }
      />
    </div>
  );
};

/** What the turn was sent, where it was sent by this policy. */
const useContext = (policy: string, node: Node, memory: MemoryThen | string | null): PolicyContext | null => {
  const context = replyOf(node)?.context ?? null;
  return useMemo(() => {
    if (context?.policy !== policy || memory === null || typeof memory === 'string') return null;
    return { policy, sent: true, context, forest: memory.forest, withoutSimilarity: null };
  }, [policy, context, memory]);
};

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
        (error: unknown) => take(errorMessage(error)),
      );
    const begun = setTimeout(make, made.memory === null ? 0 : REST);
    return () => {
      clearTimeout(begun);
      stop.abort();
    };
  }, [memoryFor, nodeId, policy, moment]);
  return made;
};
