import { type Node, PERSON } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { EditableText } from './editable-text.tsx';
import styles from './section.module.css';
import { Section } from './section.tsx';

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
        does="Edit summary"
        text={summary?.text ?? ''}
        readOnly={readOnly}
        onKeep={(text) => void rewordSummary(node.id, text)}
        others={
          <Button look="quiet" size="small" onClick={() => void rewordSummary(node.id, '')}>
            Make anew
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
