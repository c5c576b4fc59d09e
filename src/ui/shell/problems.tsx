import { TriangleAlert, X } from 'lucide-react';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import styles from './problems.module.css';

/** What went wrong and what to do about it, until it is dismissed or solved. */
export const Problems = () => {
  const { dismiss } = useActions();
  const problems = useApp((state) => state.problems);
  return (
    <div className={styles.problems}>
      {problems.map(({ id, title, advice, action }) => (
        <div key={id} role="alert" className={styles.problem}>
          <TriangleAlert size={16} aria-hidden />
          <p>
            <b>{title}</b> {advice}
          </p>
          {action !== null && (
            <Button size="small" onClick={action.run}>
              {action.label}
            </Button>
          )}
          <IconButton size="small" label="Dismiss" icon={X} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
};
