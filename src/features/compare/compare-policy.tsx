import { useMemo } from 'react';
import { contextMessages } from '../../engine/context/context-text.ts';
import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { byteCount, contextParts, exactBytes, groupParts } from '../../ui/inspector/context-parts.ts';
import { TokenBar } from '../../ui/inspector/part-row.tsx';
import { CopyButton } from '../../ui/inspector/section.tsx';
import { Button } from '../../ui/parts/button.tsx';
import { count, saving } from '../../ui/parts/format.ts';
import { isMemory } from '../../ui/parts/policies.tsx';
import { Badge } from '../../ui/parts/text.tsx';
import styles from './compare-table.module.css';

interface Props {
  readonly compared: PolicyContext;
  /** Tokens of the largest context: the bars share a scale. */
  readonly most: number;
  readonly topic: number;
  readonly onMemory: (policy: string) => void;
}

/** A policy at the head of its column: what its context costs, as a bar and in figures. */
export const ComparePolicy = ({ compared, most, topic, onMemory }: Props) => {
  const { policy, sent, context, forest, withoutSimilarity } = compared;
  const groups = useMemo(() => groupParts(forest, contextParts(forest, context)), [forest, context]);
  const messages = useMemo(() => contextMessages(forest, context), [forest, context]);
  const { tokens, fullHistoryTokens } = context;
  return (
    <div className={styles.policy}>
      <span className={styles.name}>
        {policy}
        {sent && <Badge>sent</Badge>}
      </span>
      <span className={styles.figures}>
        <b>{count(tokens)}</b> tokens <span className={styles.saving}>{saving(tokens, fullHistoryTokens)}</span>
      </span>
      <div style={{ width: `${(100 * tokens) / most}%` }}>
        <TokenBar groups={groups} topic={topic} />
      </div>
      <span className={styles.small}>
        {exactBytes(byteCount(messages))}
        <CopyButton label="Copy" text={() => JSON.stringify(messages, null, 2)} />
      </span>
      {isMemory(policy) && (
        <span>
          <Button
            size="small"
            data-memory={policy}
            aria-label={`Its memory: ${policy}`}
            onClick={() => onMemory(policy)}
          >
            Its memory
          </Button>
        </span>
      )}
      {withoutSimilarity !== null && (
        <span className={styles.small}>By recency alone: nothing could be compared ({withoutSimilarity}).</span>
      )}
    </div>
  );
};
