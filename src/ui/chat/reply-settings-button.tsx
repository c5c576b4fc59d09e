import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import { useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import styles from './composer.module.css';
import { settingsWords } from './reply-settings-form.ts';

const ReplySettingsDialog = lazy(() =>
  import('./reply-settings-dialog.tsx').then((module) => ({ default: module.ReplySettingsDialog })),
);

/** Says what is set for the replies of this conversation, and opens the place to set it. */
export const ReplySettingsButton = () => {
  const [open, setOpen] = useState(false);
  const words = useApp((state) => settingsWords(shownForest(state).replySettings));
  const readOnly = useApp((state) => state.past !== null);
  return (
    <>
      <Tooltip text="Reply settings">
        <Button
          look="quiet"
          className={styles.settings ?? ''}
          aria-label={words === null ? 'Reply settings' : `Reply settings: ${words}`}
          aria-haspopup="dialog"
          disabled={readOnly}
          onClick={() => setOpen(true)}
        >
          <SlidersHorizontal size={15} strokeWidth={1.8} aria-hidden />
          {words !== null && <span>{words}</span>}
        </Button>
      </Tooltip>
      {open && (
        <Suspense fallback={null}>
          <ReplySettingsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
