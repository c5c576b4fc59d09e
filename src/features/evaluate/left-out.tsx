import { counted } from '../../ui/parts/format.ts';
import type { EvaluationData } from './evaluation-port.ts';
import styles from './files.module.css';

/** From how many files on the list starts closed. */
const MANY = 4;

/** Files that are not used, each with why. */
export const LeftOut = ({ files }: { files: EvaluationData['leftOut'] }) =>
  files.length > 0 && (
    <details className={styles.leftOut} open={files.length < MANY}>
      <summary>{counted(files.length, 'file')} left out</summary>
      <ul aria-label="Files left out">
        {files.map(({ path, why }) => (
          <li key={path}>
            <b>{path}</b>: {why}
          </li>
        ))}
      </ul>
    </details>
  );
