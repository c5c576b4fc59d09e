import { useMemo } from 'react';
import type { PolicyContext } from '../../engine/compare-contexts.ts';
import type { MemoryThen } from '../../engine/memory-then.ts';
import { contextParts } from '../inspector/context-parts.ts';
import { MemoryCells } from '../inspector/memory-cells.tsx';
import { PartMark } from '../inspector/token-bar.tsx';
import { count } from '../parts/numbers.ts';
import styles from './memory-panes.module.css';

interface Props {
  readonly compared: PolicyContext;
  readonly memory: MemoryThen | null;
}

/** A memory piece by piece; of a policy without one, what it sends. */
export const PanePicture = ({ compared, memory }: Props) => {
  const { policy, context, forest } = compared;
  const parts = useMemo(() => contextParts(forest, context), [forest, context]);
  if (memory !== null) return <MemoryCells policy={policy} memory={memory} />;
  return (
    <ol className={styles.parts}>
      {parts.map(({ index, kind, topic, label, tokens }) => (
        <li key={index}>
          <PartMark kind={kind} topic={topic} />
          <span>{label}</span>
          <span>{count(tokens)}</span>
        </li>
      ))}
    </ol>
  );
};
