import { Link2, Pin, StickyNote } from 'lucide-react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import styles from './turn-marks.module.css';

/** What the person has marked a turn with: pinned, a note, references. Nothing where there is nothing. */
export const TurnMarks = ({ node, readOnly }: { node: Node; readOnly: boolean }) => {
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
  if (number === undefined) return <span>refers to a turn that is gone</span>;
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
