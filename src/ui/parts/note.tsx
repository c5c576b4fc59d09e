import type { ReactNode } from 'react';
import styles from './note.module.css';

/** What is said in the middle of a part of the page that has nothing else to show. */
export const Note = ({ children, alert = false }: { children: ReactNode; alert?: boolean }) => (
  <div className={styles.note} {...(alert && { role: 'alert' })}>
    {children}
  </div>
);
