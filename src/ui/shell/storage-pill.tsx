import { TriangleAlert } from 'lucide-react';
import { useActions, useApp } from '../app-context.ts';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './pills.module.css';

/** Stands there as long as nothing is kept. */
export const StoragePill = () => {
  const { session } = useActions();
  const inMemory = useApp((state) => state.storage.kind === 'memory');
  if (!inMemory) return null;
  return (
    <Tooltip text="This browser stores nothing for this page: closing the tab loses the conversation. Save it as a file first.">
      <button type="button" className={styles.pill} data-tone="warn" onClick={() => session({ dialog: 'settings' })}>
        <TriangleAlert size={13} aria-hidden />
        not saved
      </button>
    </Tooltip>
  );
};
