import { History } from 'lucide-react';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import styles from './bar.module.css';

/** While the person travels in time: the past is read only. */
export const PastBar = () => {
  const { travel } = useActions();
  const travelling = useApp((state) => state.past !== null);
  const turns = useApp((state) => state.past?.forest.turnCount ?? 0);
  if (!travelling) return null;
  return (
    <div className={styles.bar}>
      <History size={16} aria-hidden />
      <p className={styles.words}>
        The forest as it was {turns === 0 ? 'before the first turn' : `at turn ${turns}`}. Nothing can be changed here.
      </p>
      <Button size="small" onClick={() => travel(null)}>
        Back to now
      </Button>
    </div>
  );
};
