import type { ReactNode } from 'react';
import styles from './figure-tables.module.css';
import { Heading } from './text.tsx';

interface FigureSectionProps {
  /** The heading. */
  readonly title: string;
  /** A few more words, beside the heading. */
  readonly aside: ReactNode;
  /** The accessible name, if it is not the heading. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** Figures under a heading. */
export const FigureSection = ({ title, aside, label = title, children }: FigureSectionProps) => (
  <section className={styles.part} aria-label={label}>
    <Heading level={4}>
      {title} <span className={styles.aside}>{aside}</span>
    </Heading>
    {children}
  </section>
);

interface FramedTableProps {
  readonly label: string;
  readonly caption?: string;
  readonly busy?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A table only as wide as it needs, which scrolls where there is no room. */
export const FramedTable = ({ label, caption = label, busy, className = '', children }: FramedTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys
  <div className={styles.frame} role="region" aria-label={`Table: ${label}`} tabIndex={0} aria-busy={busy}>
    <table className={`${styles.table} ${className}`}>
      <caption className="visually-hidden">{caption}</caption>
      {children}
    </table>
  </div>
);
