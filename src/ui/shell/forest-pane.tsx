import { Layers, ListTree, Sprout, Workflow } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useActions, useApp } from '../app-context.ts';
import { Guarded } from '../parts/failure.tsx';
import { Segmented } from '../parts/fields.tsx';
import styles from './forest-pane.module.css';
import { keptMemory } from './kept-memory.ts';

// The page is painted before these are there.
const ForestCanvas = lazy(() =>
  import('../canvas/forest-canvas.tsx').then((module) => ({ default: module.ForestCanvas })),
);
const Outline = lazy(() => import('../outline/outline.tsx').then((module) => ({ default: module.Outline })));

const MemoryPane = lazy(() =>
  import('../canvas/memories/memory-pane.tsx').then((module) => ({ default: module.MemoryPane })),
);

const structures = [
  { value: 'forest' as const, label: 'Forest', icon: <Sprout size={14} aria-hidden /> },
  { value: 'memory' as const, label: 'Memory', icon: <Layers size={14} aria-hidden /> },
];

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
  const kept = useApp(keptMemory);
  const drawn = useApp((state) => (kept === null ? 'forest' : state.session.drawn));
  return (
    <section aria-label="Forest" data-pane="forest" tabIndex={-1} className={styles.forest}>
      <div className={styles.bar}>
        <h2 className={kept === null ? styles.heading : 'visually-hidden'}>Forest</h2>
        {kept !== null && (
          <Segmented
            label="Drawn"
            options={structures}
            value={drawn}
            onChange={(next) => session({ drawn: next, view: 'canvas' })}
          />
        )}
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
                {kept !== null && drawn === 'memory' ? <MemoryPane policy={kept} /> : <ForestCanvas />}
              </Suspense>
            </Guarded>
          </div>
        )}
      </div>
    </section>
  );
};
