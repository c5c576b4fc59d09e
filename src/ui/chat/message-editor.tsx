import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { PHONE } from '../shell/use-media.ts';
import { editWords } from './edit-words.ts';
import { sends } from './enter-sends.ts';
import styles from './message.module.css';
import { useGrowing } from './use-growing.ts';

/** A sent message, written anew in its place; sent, it goes beside the one it comes from. */
export const MessageEditor = ({ node, text }: { node: Node; text: string }) => {
  const { session, sendEdited, announce } = useActions();
  const state = useAppState();
  const busy = useApp(({ turn }) => turn !== null && turn.phase !== 'summarising');
  const forest = useApp(shownForest);
  const words = useMemo(() => editWords(forest, node), [forest, node]);
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useId();
  const changed = text.trim() !== '' && text.trim() !== node.message.trim();

  useGrowing(field, text);
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);

  const send = async () => {
    if (!changed) return;
    if (busy) return announce('The reply is still being written. Stop it to send this now.');
    const sending = sendEdited();
    // Written and sent: the next message follows it.
    if (!matchMedia(PHONE).matches) document.querySelector<HTMLElement>('#message')?.focus({ preventScroll: true });
    await sending;
  };
  const cancel = () => {
    session({ editing: null });
    const edit = `[data-turn="${CSS.escape(node.id)}"] [data-edit]`;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(edit)?.focus());
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && !sends(event)) return;
    event.preventDefault();
    if (event.key !== 'Escape') void send();
    // What was changed goes only by the button: Escape is pressed too easily.
    else if (!changed) cancel();
    else announce('Cancel gives the change up; Enter sends it.');
  };

  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        aria-label="Edited message"
        aria-describedby={note}
        className={styles.field}
        rows={1}
        value={text}
        onChange={(event) => {
          // Nobody edits two at a time, and what was sent meanwhile is not brought back.
          if (state().session.editing?.nodeId === node.id)
            session({ editing: { nodeId: node.id, text: event.target.value } });
        }}
        onKeyDown={pressed}
      />
      <p id={note} className={styles.note}>
        {words}
      </p>
      <div className={styles.row}>
        <Button look="quiet" size="small" onClick={cancel}>
          Cancel
        </Button>
        <Button look="primary" size="small" type="submit" disabled={!changed || busy}>
          Send edited
        </Button>
      </div>
    </form>
  );
};
