import type { CSSProperties } from 'react';
import { topicColour } from '../topic-colour.ts';
import styles from './context.module.css';
import type { Part, PartGroup } from './context-parts.ts';

/** A context as one bar, by kind; other topics in their own colours. `topic` colours the path. */
export const TokenBar = ({ groups, topic }: { groups: readonly PartGroup[]; topic: number }) => (
  <div className={styles.tokens} style={{ '--c': topicColour(topic) } as CSSProperties} aria-hidden="true">
    {groups.map((group) =>
      group.kind === 'topic' ? (
        group.parts.map((part) => (
          <span key={part.index} data-kind="topic" style={{ flexGrow: part.tokens, background: partColour(part) }} />
        ))
      ) : (
        <span key={group.kind} data-kind={group.kind} style={{ flexGrow: group.tokens }} />
      ),
    )}
  </div>
);

const partColour = ({ topic }: Part): string => (topic === null ? 'var(--ink-3)' : topicColour(topic));

/** The mark that ties a line of a list to its stretch of the bar. */
export const PartMark = ({ kind, topic }: Pick<Part, 'kind' | 'topic'>) => (
  <span
    className={styles.mark}
    data-kind={kind}
    style={{ '--c': topic === null ? 'var(--ink-3)' : topicColour(topic) } as CSSProperties}
    aria-hidden="true"
  />
);
