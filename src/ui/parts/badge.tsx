import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A word that sets one of several apart. */
export const Badge = ({ children }: { children: ReactNode }) => <span className={styles.badge}>{children}</span>;
