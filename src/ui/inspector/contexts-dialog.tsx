import { useEffect, useState } from 'react';
import type { PolicyContext } from '../../engine/compare-contexts.ts';
import { useActions, useApp } from '../app-context.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useShownForest } from '../parts/use-shown-forest.ts';
import styles from './compare-table.module.css';
import { CompareTable } from './compare-table.tsx';

/** What every policy would have sent for the turn that the inspector shows, side by side. */
export const ContextsDialog = ({ onClose }: { onClose: () => void }) => {
  const forest = useShownForest();
  const selectedId = useApp((state) => state.session.selectedId);
  const node = forest.nodes[selectedId ?? ''] ?? forest.nodes[forest.active?.nodeId ?? ''];
  const contexts = useContexts(node?.id ?? null);
  return (
    <Dialog
      size="full"
      title="Compare contexts"
      description={
        node === undefined
          ? 'What each policy would have sent for a turn.'
          : `What each policy would have sent for turn ${node.number}: ${node.message.slice(0, 160)}`
      }
      onClose={onClose}
    >
      {node === undefined && <p className={styles.note}>Nothing has been said yet. Send a message first.</p>}
      {node !== undefined && contexts === null && <p className={styles.note}>Building the contexts…</p>}
      {typeof contexts === 'string' && (
        <p className={styles.note} role="alert">
          The contexts cannot be built: {contexts}. Choose a model under Models that is here, and try again.
        </p>
      )}
      {node !== undefined && contexts !== null && typeof contexts !== 'string' && (
        <CompareTable contexts={contexts} topic={forest.trees[node.treeId]?.order ?? 0} />
      )}
    </Dialog>
  );
};

/** Null while they are built; what went wrong, in words, where they cannot be. */
const useContexts = (nodeId: string | null): readonly PolicyContext[] | string | null => {
  const { compareContexts } = useActions();
  const [built, setBuilt] = useState<{ readonly of: string; readonly as: readonly PolicyContext[] | string } | null>(
    null,
  );
  useEffect(() => {
    if (nodeId === null) return;
    const stop = new AbortController();
    const take = (as: readonly PolicyContext[] | string) => {
      if (!stop.signal.aborted) setBuilt({ of: nodeId, as });
    };
    compareContexts(nodeId, stop.signal).then(take, (error: unknown) =>
      take(error instanceof Error ? error.message : String(error)),
    );
    return () => stop.abort();
  }, [compareContexts, nodeId]);
  return built?.of === nodeId ? (built?.as ?? null) : null;
};
