import type { ReactNode } from 'react';
import styles from './models.module.css';

/** A page's heading, which names its region, and what it is for. */
export const PageHead = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.head}>
    <h3 id="models-page">{title}</h3>
    {children !== undefined && <p>{children}</p>}
  </div>
);
