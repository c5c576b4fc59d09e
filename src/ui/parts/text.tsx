import { type ComponentProps, Fragment, type HTMLAttributes, type ReactNode } from 'react';
import { topicColour } from '../topic-colour.ts';
import styles from './text.module.css';

/** The heading of a part. `level` is its place in the page's outline; all look alike. */
export const Heading = ({ level = 3, className = '', ...rest }: ComponentProps<'h3'> & { level?: 2 | 3 | 4 }) => {
  const Tag = `h${level}` as const;
  return <Tag className={`${styles.heading} ${className}`} {...rest} />;
};

interface TextProps extends HTMLAttributes<HTMLElement> {
  readonly as?: 'p' | 'span' | 'div' | 'b' | 'dt' | 'dd' | 'li';
}

/** Text that steps back behind what it is about. `faint`: one step further, for what is read last. */
export const Muted = ({ as: Tag = 'p', faint = false, className = '', ...rest }: TextProps & { faint?: boolean }) => (
  <Tag className={`${faint ? styles.faint : styles.muted} ${className}`} {...rest} />
);

/** One line, cut off with an ellipsis where there is no room for it; in a row it takes the room that is left. */
export const Ellipsis = ({ as: Tag = 'span', className = '', ...rest }: TextProps) => (
  <Tag className={`${styles.ellipsis} ${className}`} {...rest} />
);

/** Things side by side; where there is no room for them, below one another. */
export const Row = ({ className = '', ...rest }: ComponentProps<'div'>) => (
  <div className={`${styles.row} ${className}`} {...rest} />
);

/** A key, or keys pressed together, as they stand on the keyboard. */
export const Key = ({ muted = false, children }: { muted?: boolean; children: ReactNode }) => (
  <kbd className={styles.key} data-muted={muted || undefined}>
    {children}
  </kbd>
);

/** A word that sets one of several apart. */
export const Badge = ({ children }: { children: ReactNode }) => <span className={styles.badge}>{children}</span>;

/** What is said in the middle of a part of the page that has nothing else to show. */
export const Note = ({ children, alert = false }: { children: ReactNode; alert?: boolean }) => (
  <div className={styles.note} {...(alert && { role: 'alert' })}>
    {children}
  </div>
);

/** A text whose letters that match stand out. `marks`: their indices. */
export const Marked = ({ text, marks }: { text: string; marks: readonly number[] }) => {
  if (marks.length === 0) return <span>{text}</span>;
  const marked = new Set(marks);
  const runs: { at: number; text: string; hit: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = runs.at(-1);
    if (last !== undefined && last.hit === marked.has(at)) last.text += text[at];
    else runs.push({ at, text: text[at] ?? '', hit: marked.has(at) });
  }
  return (
    <span>
      {runs.map((run) => (run.hit ? <b key={run.at}>{run.text}</b> : <Fragment key={run.at}>{run.text}</Fragment>))}
    </span>
  );
};

/** A topic's colour. Says nothing that the title beside it does not say. */
export const TopicDot = ({ order }: { order: number }) => (
  <span aria-hidden className={styles.dot} style={{ background: topicColour(order) }} />
);
