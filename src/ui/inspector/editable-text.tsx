import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import field from '../parts/fields.module.css';
import styles from './editable-text.module.css';

interface Props {
  /** The field's accessible name, e.g. `Note`. */
  readonly label: string;
  /** The button's, e.g. `Edit note`. */
  readonly does: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly onKeep: (text: string) => void;
  /** What is shown while it is not edited. */
  readonly children: ReactNode;
  /** More buttons beside it. */
  readonly others?: ReactNode;
}

/** A text that is edited in its place: Ctrl Enter and the button keep it, Escape does not. */
export const EditableText = ({ label, does, text, readOnly, onKeep, children, others }: Props) => {
  const [now, setNow] = useState<string | null>(null);
  if (now === null || readOnly) {
    return (
      <>
        {children}
        {!readOnly && (
          <div className={styles.row}>
            <Button look="quiet" size="small" onClick={() => setNow(text)}>
              {does}
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
      <div className={styles.row} data-end>
        <Button size="small" onClick={() => setNow(null)}>
          Cancel
        </Button>
        <Button look="primary" size="small" onClick={keep}>
          Keep
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
