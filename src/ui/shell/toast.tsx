import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { progressWords } from './progress-words.ts';
import styles from './toast.module.css';
import { useModelNews } from './use-model-news.ts';

/** How long it stays, in milliseconds: longer where there is something to do. */
const STAYS = { text: 5_000, action: 12_000 };

/**
 * The newest confirmation; between them, for screen readers alone, how the turn and the models get on. The status is
 * always there, so that they hear it change, and says that it is live, so that no open dialog hides it from them.
 */
export const Toast = () => {
  const { closeNotice } = useActions();
  const notice = useApp((state) => state.notice);
  const progress = useApp(progressWords);
  const news = useModelNews(notice !== null || progress !== null);
  const [held, setHeld] = useState(false);

  useEffect(() => {
    if (notice === null || held) return;
    const timer = setTimeout(closeNotice, notice.action === null ? STAYS.text : STAYS.action);
    return () => clearTimeout(timer);
  }, [notice, held, closeNotice]);

  return (
    <div
      data-toast
      role="region"
      aria-label="Notices"
      className={styles.place}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={notice === null ? 'visually-hidden' : styles.toast}>
        <span role="status" aria-live="polite">
          {notice?.text ?? progress ?? news}
        </span>
        {notice?.action != null && (
          <Button
            size="small"
            className={styles.action ?? ''}
            onClick={() => {
              notice.action?.run();
              closeNotice();
            }}
          >
            {notice.action.label}
          </Button>
        )}
        {notice !== null && (
          <IconButton size="small" className={styles.close ?? ''} label="Close notice" icon={X} onClick={closeNotice} />
        )}
      </div>
    </div>
  );
};
