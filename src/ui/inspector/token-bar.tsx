import type { CSSProperties } from 'react';
import { topicColour } from '../topic-colour.ts';
import styles from './context.module.css';
import type { Part, PartGroup } from './context-parts.ts';

/** A context as one bar, by kind; other topics in their own colours. `topic` colours the path. */
export const TokenBar = ({ groups, topic }: { groups: readonly PartGroup[]; topic: number }) => (
  <div className={styles.tokens} style={{ '--c': topicColour(topic) } as CSSProperties} aria-hidden="true">
    {groups.map((group) =>
      group.kind === 'topic' || group.kind === 'turn' ? (
        runsOf(group.parts).map(({ index, topic: of, tokens }) => (
          <span key={index} data-kind={group.kind} style={{ flexGrow: tokens, background: colourOf(of) }} />
        ))
      ) : (
        <span key={group.kind} data-kind={group.kind} style={{ flexGrow: group.tokens }} />
      ),
    )}
  </div>
);

const colourOf = (topic: number | null): string => (topic === null ? 'var(--ink-3)' : topicColour(topic));

/** Parts that follow each other and are of one topic, drawn as one. */
const runsOf = (parts: readonly Part[]): Pick<Part, 'index' | 'topic' | 'tokens'>[] => {
  const runs: { index: number; topic: number | null; tokens: number }[] = [];
  for (const { index, topic, tokens } of parts) {
    const last = runs.at(-1);
    if (last !== undefined && last.topic === topic) last.tokens += tokens;
    else runs.push({ index, topic, tokens });
  }
  return runs;
};

/** The mark that ties a line of a list to its stretch of the bar. */
export const PartMark = ({ kind, topic }: Pick<Part, 'kind' | 'topic'>) => (
  <span
    className={styles.mark}
    data-kind={kind}
    style={{ '--c': colourOf(topic) } as CSSProperties}
    aria-hidden="true"
  />
);
