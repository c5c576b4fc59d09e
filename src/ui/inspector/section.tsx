import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Reason } from '../../domain/decision.ts';
import { Button, useCopy } from '../parts/button.tsx';
import { count, weight } from '../parts/format.ts';
import barCss from './bars.module.css';
import inlineCss from './inline.module.css';
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

interface LimitedProps<T> {
  readonly items: readonly T[];
  /** How many are shown before the person asks for all. */
  readonly first: number;
  /** What it lists, where no heading says it. */
  readonly label?: string;
  readonly children: (item: T, index: number) => ReactNode;
}

/** A list that begins short. Give it a key of what it lists, so that it begins short again for another. */
export const Limited = <T,>({ items, first, label, children }: LimitedProps<T>) => {
  const [all, setAll] = useState(false);
  const more = items.length - first;
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {(all ? items : items.slice(0, first)).map(children)}
      </ul>
      {more > 0 && !all && (
        <Button look="quiet" size="small" className={styles.more ?? ''} onClick={() => setAll(true)}>
          Show {count(more)} more
        </Button>
      )}
    </>
  );
};

/** Puts text on the clipboard; `text` is only made when asked for. */
export const CopyButton = ({ label, text }: { label: string; text: () => string }) => {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Button look="quiet" size="small" onClick={() => void copy(text())}>
      <Icon size={13} aria-hidden />
      {copied ? 'Copied' : label}
    </Button>
  );
};

/** What spoke for and against an answer, each with its weight in log-odds. */
export const Reasons = ({ reasons }: { reasons: readonly Reason[] }) =>
  reasons.length > 0 && (
    <ul className={barCss.reasons}>
      {reasons.map((reason) => (
        <li key={reason.text}>
          <span>{reason.text}</span>
          <span className={inlineCss.figure}>{weight(reason.weight)}</span>
        </li>
      ))}
    </ul>
  );
