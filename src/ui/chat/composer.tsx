import { SendHorizontal, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { shownForest } from '../../app/state.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { PHONE } from '../shell/use-media.ts';
import styles from './composer.module.css';
import { ComposerTarget } from './composer-target.tsx';

/** Where the next message is written. Models that load never block it. */
export const Composer = () => {
  const actions = useActions();
  const state = useAppState();
  const draft = useApp((app) => app.session.draft);
  const readOnly = useApp((app) => app.past !== null);
  // While a summary is made the reply stands: the next message can go.
  const busy = useApp((app) => app.turn !== null && app.turn.phase !== 'summarising');
  const untouched = useApp((app) => shownForest(app).turnCount === 0);
  const conversationId = useApp((app) => app.conversationId);
  const ready = useApp((app) => app.phase === 'ready');
  const field = useRef<HTMLTextAreaElement>(null);
  const opened = useRef(false);

  useGrowing(field, draft);

  // An empty conversation waits for words; on a phone the keyboard would cover the welcome.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation, another start
  useEffect(() => {
    if (!ready) return;
    const opening = !opened.current;
    opened.current = true;
    if (!untouched || matchMedia(PHONE).matches) return;
    // Who was quicker than the page keeps the focus.
    if (opening && document.activeElement !== document.body) return;
    field.current?.focus({ preventScroll: true });
  }, [ready, untouched, conversationId]);

  const send = () => {
    const text = state().session.draft.trim();
    if (text === '' || readOnly) return;
    if (busy) return actions.announce('The reply is still being written. Stop it to send this now.');
    void actions.send(text);
  };
  const pressed = (event: KeyboardEvent) => {
    // Enter that chooses a word of an input method is not meant for us (229: Safari says so after the fact).
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <ComposerTarget />
      <textarea
        ref={field}
        id="message"
        aria-label="Message"
        className={styles.field}
        rows={1}
        value={draft}
        disabled={readOnly}
        placeholder={readOnly ? 'Come back to now to write' : 'Write about anything'}
        onChange={(event) => actions.session({ draft: event.target.value })}
        onKeyDown={pressed}
      />
      <div className={styles.row}>
        <span className={styles.hint}>{draft.includes('\n') ? 'Enter sends' : 'Shift Enter for a new line'}</span>
        {busy ? (
          <Button look="primary" onClick={actions.stop}>
            <Square size={12} fill="currentColor" aria-hidden />
            Stop
          </Button>
        ) : (
          <Button look="primary" type="submit" disabled={readOnly || draft.trim() === ''}>
            <SendHorizontal size={14} aria-hidden />
            Send
          </Button>
        )}
      </div>
    </form>
  );
};

/** The field is as tall as its text, up to the style sheet's limit. */
const useGrowing = (field: React.RefObject<HTMLTextAreaElement | null>, text: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
};
