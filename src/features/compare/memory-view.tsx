import { ArrowLeft } from 'lucide-react';
import type { Node } from '../../domain/forest.ts';
import type { PolicyContext } from '../../engine/history/contexts-then.ts';
import { PolicyStructure, useMemory } from '../../ui/canvas/memories/policy-structure.tsx';
import { Button } from '../../ui/parts/button.tsx';
import { ABOUT_POLICY } from '../../ui/parts/policies.tsx';
import styles from './memory-view.module.css';

interface Props {
  readonly policy: string;
  readonly node: Node;
  /** What it sends for the turn, where that has come. */
  readonly context: PolicyContext | null;
  readonly onBack: () => void;
}

/** A policy's memory as it was before a turn, with what it recalls for the turn. */
export const MemoryView = ({ policy, node, context, onBack }: Props) => {
  const { memory } = useMemory(node.id, policy);
  return (
    <PolicyStructure
      policy={policy}
      memory={memory}
      context={context}
      head={
        <div className={styles.head}>
          <Button size="small" onClick={onBack} autoFocus>
            <ArrowLeft size={14} aria-hidden />
            All contexts
          </Button>
          <h3>
            {policy}, before turn {node.number}
          </h3>
          <p>{ABOUT_POLICY[policy]}</p>
        </div>
      }
    />
  );
};
