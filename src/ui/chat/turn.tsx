import { type CSSProperties, memo } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { useApp } from '../app-context.ts';
import { topicColour } from '../topic-colour.ts';
import { Message } from './message.tsx';
import { ReferenceLine } from './reference-line.tsx';
import { ReplyView } from './reply.tsx';
import styles from './turn.module.css';
import { TurnMarks } from './turn-marks.tsx';
import { UnsureLine } from './unsure-line.tsx';
import { WhyLine } from './why-line.tsx';

/** One round: the message, why it is here, and the reply. Rendered again only when its node changes. */
export const Turn = memo(({ node, last, readOnly }: { node: Node; last: boolean; readOnly: boolean }) => {
  const selected = useApp((state) => state.session.selectedId === node.id);
  const order = useApp((state) => shownForest(state).trees[node.treeId]?.order ?? 0);
  return (
    <article
      aria-label={`Turn ${node.number}`}
      data-turn={node.id}
      data-selected={selected}
      className={styles.turn}
      style={{ '--c': topicColour(order) } as CSSProperties}
    >
      <Message node={node} selected={selected} readOnly={readOnly} />
      <WhyLine node={node} readOnly={readOnly} />
      <TurnMarks node={node} readOnly={readOnly} />
      {!readOnly && <UnsureLine node={node} />}
      {!readOnly && <ReferenceLine node={node} />}
      <ReplyView node={node} last={last} readOnly={readOnly} />
    </article>
  );
});
