import { ListTree, Workflow } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useActions, useApp } from '../app-context.ts';
import { Guarded } from '../parts/failure.tsx';
import { Segmented } from '../parts/segmented.tsx';
import styles from './forest-pane.module.css';

// The page is painted before these are there.
const ForestCanvas = lazy(() =>
  import('../canvas/forest-canvas.tsx').then((module) => ({ default: module.ForestCanvas })),
);
const Outline = lazy(() => import('../outline/outline.tsx').then((module) => ({ default: module.Outline })));

const views = [
  { value: 'canvas' as const, label: 'Canvas', icon: <Workflow size={14} aria-hidden /> },
  { value: 'outline' as const, label: 'Outline', icon: <ListTree size={14} aria-hidden /> },
];

/**
 * The forest, drawn and as an outline. The outline is always there for screen readers and the Tab key: beside
 * the canvas where there is room, else over it for as long as it has the focus.
 */
export const ForestPane = () => {
  const { session } = useActions();
  const view = useApp((state) => state.session.view);
  return (
    <section aria-label="Forest" data-pane="forest" tabIndex={-1} className={styles.forest}>
      <div className={styles.bar}>
        <h2 className={styles.heading}>Forest</h2>
        <Segmented label="View" options={views} value={view} onChange={(next) => session({ view: next })} />
      </div>
      <div className={styles.view} data-view={view}>
        <div className={styles.outline}>
          <Guarded part="The outline">
            <Suspense fallback={null}>
              <Outline />
            </Suspense>
          </Guarded>
        </div>
        {view === 'canvas' && (
          <div className={styles.canvas}>
            <Guarded part="The canvas">
              <Suspense fallback={null}>
                <ForestCanvas />
              </Suspense>
            </Guarded>
          </div>
        )}
      </div>
    </section>
  );
};
