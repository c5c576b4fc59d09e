import type { ReactNode } from 'react';
import styles from './section.module.css';

interface Props {
  readonly title: string;
  /** Its place in the algorithm, where it has one. */
  readonly step?: number;
  /** A few words at the right of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, step, aside, children }: Props) => (
  <section className={styles.section}>
    <div className={styles.heading}>
      <h3>
        {step !== undefined && <span className={styles.step}>{step}</span>}
        {title}
      </h3>
      {aside !== undefined && <span className={styles.aside}>{aside}</span>}
    </div>
    {children}
  </section>
);
