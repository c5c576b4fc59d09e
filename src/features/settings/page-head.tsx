import type { ReactNode } from 'react';
import styles from './engine.module.css';

export const PageHead = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.head}>
    <h3 id="engine-page">{title}</h3>
    <p>{children}</p>
  </div>
);
