import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useActions, useAppState } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { Guarded } from '../parts/failure.tsx';
import { foldedAfter } from './folding.ts';
import styles from './inspector-pane.module.css';
import { COMPACT, PHONE, useMedia } from './use-media.ts';

const Inspector = lazy(() => import('../inspector/inspector.tsx').then((module) => ({ default: module.Inspector })));

/** The inspector beside the forest, or over it where there is no room beside. */
export const InspectorPane = () => {
  const { session } = useActions();
  const state = useAppState();
  const compact = useMedia(COMPACT);
  const phone = useMedia(PHONE);
  return (
    <section aria-label="Inspector" data-pane="inspector" tabIndex={-1} className={styles.pane}>
      <h2 className="visually-hidden">Inspector</h2>
      <Guarded part="The inspector">
        <Suspense>
          <Inspector />
        </Suspense>
      </Guarded>
      {compact && !phone && (
        <IconButton
          size="small"
          className={styles.close ?? ''}
          label="Close the inspector"
          icon={X}
          onClick={() => session({ folded: foldedAfter(state().session.folded, 'inspector') })}
        />
      )}
    </section>
  );
};
