import { useMemo } from 'react';
import type { Forest, Node } from '../../../domain/forest.ts';
import { replyOf } from '../../../domain/queries.ts';
import type { PolicyContext } from '../../../engine/history/compare-contexts.ts';
import type { MemoryThen } from '../../../engine/history/memory-then.ts';
import { useActions, useApp } from '../../app-context.ts';
import { useShownForest } from '../../parts/hooks.ts';
import styles from './memory-pane.module.css';
import { PolicyStructure } from './policy-structure.tsx';
import { useMemory } from './use-memory.ts';

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
          <h3 className={styles.head}>
            {policy} <span>before turn {before.number}</span>
            {before !== node && <span role="status">{`making that before turn ${node.number}…`}</span>}
          </h3>
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
