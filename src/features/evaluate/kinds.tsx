import type { FileKind } from './evaluation-port.ts';
import styles from './files.module.css';

/** What files are understood. */
export const Kinds = ({ kinds }: { kinds: readonly FileKind[] }) => (
  <div className={styles.kinds}>
    <h3>What is understood, in its public form</h3>
    <dl>
      {kinds.map(({ name, about, files }) => (
        <div key={name}>
          <dt>{files}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
    <p className={styles.note}>A single file is known by its folder, what is in it, or its name; else you are asked.</p>
  </div>
);
