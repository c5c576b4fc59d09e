import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, Fragment, type HTMLAttributes, type ReactNode } from 'react';
import { topicColour } from '../topic-colour.ts';
import styles from './text.module.css';

interface HeadingProps extends ComponentProps<'h3'> {
  /** Its level in the page's outline. */
  readonly level?: 2 | 3 | 4;
  readonly size?: 'small' | 'medium' | 'large';
}

/** The heading of a section. */
export const Heading = ({ level = 3, size = 'medium', className = '', ...rest }: HeadingProps) => {
  const Tag = `h${level}` as const;
  return <Tag className={`${styles.heading} ${styles[size]} ${className}`} {...rest} />;
};

interface TextProps extends HTMLAttributes<HTMLElement> {
  readonly as?: 'p' | 'span' | 'small' | 'div' | 'b' | 'dt' | 'dd' | 'li';
}

/** Secondary text. `faint`: less prominent still. */
export const Muted = ({ as: Tag = 'p', faint = false, className = '', ...rest }: TextProps & { faint?: boolean }) => (
  <Tag className={`${faint ? styles.faint : styles.muted} ${className}`} {...rest} />
);

/** A remark on what stands above it. */
export const Hint = ({ className = '', ...rest }: ComponentProps<'p'>) => (
  <p className={`${styles.hint} ${className}`} {...rest} />
);

/** A single line, truncated with an ellipsis at the end that its own words read to. In a row it takes the remaining space; `fit`: only that of its text. */
export const Ellipsis = ({ as: Tag = 'span', fit = false, className = '', ...rest }: TextProps & { fit?: boolean }) => (
  <Tag dir="auto" className={`${styles.ellipsis} ${fit ? '' : styles.fill} ${className}`} {...rest} />
);

/** Items side by side, wrapping where there is no room. */
export const Row = ({ className = '', ...rest }: ComponentProps<'div'>) => (
  <div className={`${styles.row} ${className}`} {...rest} />
);

/** A key, or keys pressed together, as labelled on the keyboard. */
export const Key = ({ muted = false, children }: { muted?: boolean; children: ReactNode }) => (
  <kbd className={styles.key} data-muted={muted || undefined}>
    {children}
  </kbd>
);

/** A word that distinguishes one of several items. */
export const Badge = ({ children }: { children: ReactNode }) => <span className={styles.badge}>{children}</span>;

/** A message in the middle of a part of the page that has nothing else to show. */
export const Note = ({ children, alert = false }: { children: ReactNode; alert?: boolean }) => (
  <div className={styles.note} {...(alert && { role: 'alert' })}>
    {children}
  </div>
);

/** What went wrong. */
export const FailureBox = ({ className = '', children }: { className?: string | undefined; children: ReactNode }) => (
  <div role="alert" className={`${styles.failure} ${className}`}>
    <TriangleAlert size={16} aria-hidden />
    <div>{children}</div>
  </div>
);

/** Text with its matching letters highlighted. `marks`: their indices. */
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

/** A topic's colour. Redundant to the title next to it. */
export const TopicDot = ({ order }: { order: number }) => (
  <span aria-hidden className={styles.dot} style={{ background: topicColour(order) }} />
);

/** A link in a text that others may have written, or only what it shows if it leads nowhere. */
export const TextLink = ({ to, target, children }: TextLinkProps) =>
  typeof to === 'string' && to !== '' ? (
    <a href={to} rel="noreferrer noopener" target={target}>
      {children}
    </a>
  ) : (
    children
  );

interface TextLinkProps {
  readonly to: unknown;
  readonly target?: '_blank';
  readonly children: ReactNode;
}
