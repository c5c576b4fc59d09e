import { TriangleAlert } from 'lucide-react';
import styles from './models.module.css';

/** Why something did not work, where it was asked for. */
export const TaskFailure = ({ message }: { message: string | null }) =>
  message !== null && (
    <p role="alert" className={styles.failure}>
      <TriangleAlert size={14} aria-hidden />
      {message}
    </p>
  );
