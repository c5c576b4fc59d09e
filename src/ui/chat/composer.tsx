import { SendHorizontal, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { shownForest } from '../../app/state.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { PHONE } from '../shell/use-media.ts';
import styles from './composer.module.css';
import { CHOSEN_PLACE, ComposerTarget } from './composer-target.tsx';
import { sends } from './enter-sends.ts';
import { ReplySettingsButton } from './reply-settings-button.tsx';
import { useGrowing } from './use-growing.ts';

/** Where the next message is written. Models that load never block it. */
export const Composer = () => {
  const actions = useActions();
  const state = useAppState();
  const draft = useApp((app) => app.session.draft);
  const chosen = useApp((app) => app.session.target !== null);
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
    if (!sends(event)) return;
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
        {...(chosen ? { 'aria-describedby': CHOSEN_PLACE } : {})}
        className={styles.field}
        rows={1}
        value={draft}
        disabled={readOnly}
        placeholder={readOnly ? 'Come back to now to write' : 'Write about anything'}
        onChange={(event) => actions.session({ draft: event.target.value })}
        onKeyDown={pressed}
      />
      <div className={styles.row}>
        <ReplySettingsButton />
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
