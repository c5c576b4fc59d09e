import type { Node } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { EditableText } from './editable-text.tsx';
import styles from './section.module.css';
import { Section } from './section.tsx';

/** The person's own note on a turn. */
export const NoteSection = ({ node }: { node: Node }) => {
  const { noteTurn } = useActions();
  const readOnly = useApp((state) => state.past !== null);
  const { note } = node;
  return (
    <Section title="Note" aside="no model sees it">
      <EditableText
        key={node.id}
        label="Note"
        does={note === null ? 'Add a note' : 'Edit note'}
        text={note ?? ''}
        readOnly={readOnly}
        onKeep={(text) => void noteTurn(node.id, text)}
      >
        {note === null ? <p className={styles.note}>None.</p> : <p className={styles.text}>{note}</p>}
      </EditableText>
    </Section>
  );
};
