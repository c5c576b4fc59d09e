import { Button } from './button.tsx';
import { ProgressBar } from './progress-bar.tsx';
import styles from './task-progress.module.css';

interface Props {
  readonly label: string;
  /** What of it is under way. */
  readonly words: string;
  readonly done: number;
  readonly of: number;
  readonly onCancel: () => void;
}

/** What is being done, how far it is, and the way out. */
export const TaskProgress = ({ label, words, done, of, onCancel }: Props) => {
  const share = of === 0 ? 0 : done / of;
  return (
    <div className={styles.progress}>
      <p>
        <b>{label}</b>
        <span>{words}</span>
        <output aria-live="off">{Math.floor(share * 100)} %</output>
      </p>
      <ProgressBar label={label} value={share} />
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
};
