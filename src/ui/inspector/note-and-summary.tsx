import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { type Node, PERSON } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import field from '../parts/fields.module.css';
import styles from './section.module.css';
import { Section } from './section.tsx';
import turnCss from './turn-tab.module.css';

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
        edit={note === null ? 'Add a note' : 'Edit note'}
        text={note ?? ''}
        readOnly={readOnly}
        onKeep={(text) => void noteTurn(node.id, text)}
      >
        {note === null ? <p className={styles.note}>None.</p> : <p className={styles.text}>{note}</p>}
      </EditableText>
    </Section>
  );
};

/** What stands for a turn where it is not sent in full. The person's words no model writes over. */
export const SummarySection = ({ node }: { node: Node }) => {
  const { rewordSummary } = useActions();
  const readOnly = useApp((state) => state.past !== null);
  const { summary } = node;
  return (
    <Section title="Summary" aside={summary === null ? undefined : byWords(summary.by)}>
      <EditableText
        key={node.id}
        label="Summary"
        edit="Edit summary"
        text={summary?.text ?? ''}
        readOnly={readOnly}
        onKeep={(text) => void rewordSummary(node.id, text)}
        others={
          <Button look="quiet" size="small" onClick={() => void rewordSummary(node.id, '')}>
            Summarise again
          </Button>
        }
      >
        {summary === null ? (
          <p className={styles.note}>Not summarised yet.</p>
        ) : (
          <p className={styles.text}>{summary.text}</p>
        )}
      </EditableText>
    </Section>
  );
};

const byWords = (by: string): string => (by === PERSON ? 'written by you' : `by ${by}`);

interface Props {
  /** The field's accessible name, e.g. `Note`. */
  readonly label: string;
  /** The button's, e.g. `Edit note`. */
  readonly edit: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly onKeep: (text: string) => void;
  /** What is shown while it is not edited. */
  readonly children: ReactNode;
  /** More buttons beside it. */
  readonly others?: ReactNode;
}

/** A text that is edited in its place: Ctrl Enter and the button keep it, Escape does not. */
const EditableText = ({ label, edit, text, readOnly, onKeep, children, others }: Props) => {
  const [now, setNow] = useState<string | null>(null);
  if (now === null || readOnly) {
    return (
      <>
        {children}
        {!readOnly && (
          <div className={turnCss.buttons}>
            <Button look="quiet" size="small" onClick={() => setNow(text)}>
              {edit}
            </Button>
            {others}
          </div>
        )}
      </>
    );
  }
  const keep = () => {
    setNow(null);
    if (now.trim() !== text.trim()) onKeep(now);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') setNow(null);
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keep();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div>
      <textarea
        ref={writeHere}
        aria-label={label}
        className={field.text}
        rows={4}
        value={now}
        onChange={(event) => setNow(event.target.value)}
        onKeyDown={pressed}
      />
      <div className={turnCss.buttons} data-end>
        <Button size="small" onClick={() => setNow(null)}>
          Cancel
        </Button>
        <Button look="primary" size="small" onClick={keep}>
          Save
        </Button>
      </div>
    </div>
  );
};

/** The person has just asked to write here. */
const writeHere = (field: HTMLTextAreaElement | null): void => {
  if (field === null || document.activeElement === field) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
};
