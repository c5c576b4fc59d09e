import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/parts/button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import fields from '../../ui/parts/fields.module.css';
import styles from './text-dialog.module.css';

export interface TextDialogProps {
  readonly title: string;
  readonly description: string;
  /** The field's accessible name. */
  readonly label: string;
  readonly text: string;
  /** One line, as for a title. */
  readonly line?: boolean;
  /** What the button says. */
  readonly does: string;
  readonly onKeep: (text: string) => void;
  readonly onClose: () => void;
  /** Other things to do, at the foot. */
  readonly others?: ReactNode;
}

/** Longest title, in UTF-16 units, as elsewhere in the interface. */
const TITLE = 120;

/** A text to be written: a note, a summary, a title. Enter keeps a line, Ctrl Enter a longer text. */
export const TextDialog = ({ title, description, label, text, line = false, does, ...rest }: TextDialogProps) => {
  const { onKeep, onClose, others } = rest;
  const [now, setNow] = useState(text);
  const id = useId();
  const changed = now.trim() !== text.trim();
  const keep = (event?: FormEvent) => {
    event?.preventDefault();
    onClose();
    if (changed) onKeep(now);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    keep();
  };
  const field = {
    'aria-label': label,
    'data-write-here': true,
    className: fields.text,
    value: now,
    onChange: (event: { target: { value: string } }) => setNow(event.target.value),
  };
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      size="small"
      actions={
        <>
          {others}
          <span className={styles.space} />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} disabled={!changed}>
            {does}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={keep}>
        {line ? (
          <input {...field} maxLength={TITLE} onFocus={(event) => event.target.select()} />
        ) : (
          <textarea {...field} rows={5} onKeyDown={pressed} />
        )}
      </form>
    </Dialog>
  );
};
