import { Link2, Pin, StickyNote } from 'lucide-react';
import { type CSSProperties, lazy, memo, Suspense } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { topicColour } from '../topic-colour.ts';
import { Message } from './message.tsx';
import { ReplyView } from './reply.tsx';
import styles from './turn.module.css';
import { ReferenceLine, UnsureLine, WhyLine } from './why-line.tsx';

const SentAttachments = lazy(() =>
  import('../attachments/attachments.tsx').then((module) => ({ default: module.SentAttachments })),
);

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
      <Files of={node} made={false} />
      <WhyLine node={node} readOnly={readOnly} />
      <TurnMarks node={node} readOnly={readOnly} />
      {!readOnly && <UnsureLine node={node} />}
      {!readOnly && <ReferenceLine node={node} />}
      <ReplyView node={node} last={last} readOnly={readOnly} />
      <Files of={node} made />
    </article>
  );
});

/** Files that came with the message, or were made for the reply. */
export const Files = ({ of, made }: { of: Pick<Node, 'attachments'>; made: boolean }) => {
  const files = of.attachments?.filter((one) => (one.made === true) === made) ?? [];
  if (files.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <SentAttachments attachments={files} />
    </Suspense>
  );
};

/** What the person has marked a turn with: pinned, a note, references. Nothing where there is nothing. */
const TurnMarks = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
  const { note, pinned, references } = node;
  if (note === null && !pinned && references.length === 0) return null;
  return (
    <ul className={styles.marks} aria-label={`Marks of turn ${node.number}`}>
      {pinned && (
        <li>
          <Pin size={13} aria-hidden /> pinned: in every context
        </li>
      )}
      {references.map((reference) => (
        <li key={reference.to}>
          <Link2 size={13} aria-hidden />
          <Reference to={reference.to} as={reference.as} />
        </li>
      ))}
      {note !== null && (
        <li className={styles.note}>
          <StickyNote size={13} aria-hidden />
          <Note node={node} note={note} readOnly={readOnly} />
        </li>
      )}
    </ul>
  );
};

const Reference = ({ to, as }: Pick<Node['references'][number], 'to' | 'as'>) => {
  const { select } = useActions();
  const number = useApp((state) => shownForest(state).nodes[to]?.number);
  if (number === undefined) return <span>refers to a deleted turn</span>;
  return (
    <button type="button" className={styles.link} onClick={() => select(to)}>
      refers to turn {number}
      {as === 'summary' && ', its summary'}
    </button>
  );
};

const Note = ({ node, note, readOnly }: { node: Node; note: string; readOnly: boolean }) => {
  const { select, session } = useActions();
  if (readOnly) return <span>{note}</span>;
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => {
        select(node.id);
        session({ dialog: 'note' });
      }}
    >
      <span className="visually-hidden">Note: </span>
      {note}
    </button>
  );
};
