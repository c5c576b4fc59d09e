import { History } from 'lucide-react';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import styles from './bar.module.css';

/** While the person travels in time: the past is read only. */
export const PastBar = () => {
  const { travel, branchOff, restore } = useActions();
  const count = useApp((state) => state.past?.count ?? null);
  const turns = useApp((state) => state.past?.forest.turnCount ?? 0);
  if (count === null) return null;
  return (
    <div className={`${styles.bar} ${styles.past}`}>
      <History size={16} aria-hidden />
      <p className={styles.moment}>
        The forest as it was {turns === 0 ? 'before the first turn' : `at turn ${turns}`}. Nothing can be changed here.
      </p>
      <Button size="small" look="primary" onClick={() => travel(null)}>
        Back to now
      </Button>
      <div className={styles.choices}>
        <Button size="small" onClick={() => void branchOff(count)}>
          Start a new conversation from here
        </Button>
        <Button size="small" onClick={() => void restore(count)}>
          Restore this
        </Button>
      </div>
    </div>
  );
};
