import {
  Layers,
  ListTree,
  type LucideIcon,
  MessageSquareText,
  ScanSearch,
  Sprout,
  Trees,
  Workflow,
  X,
} from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { type AppState, type Pane, togglePane } from '../../app/state.ts';
import { MEMORY_POLICIES } from '../../engine/context/policies/memory-policies.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { useKeys } from '../commands/keymap.ts';
import { IconButton } from '../parts/button.tsx';
import { Segmented } from '../parts/fields.tsx';
import { COMPACT, PHONE, useMedia } from '../parts/hooks.ts';
import { lazyPart, PartErrorBoundary } from '../parts/lazy-parts.tsx';
import styles from './panes.module.css';

const PANES: readonly { readonly pane: Pane; readonly name: string; readonly icon: LucideIcon }[] = [
  { pane: 'chat', name: 'Chat', icon: MessageSquareText },
  { pane: 'forest', name: 'Forest', icon: Trees },
  { pane: 'inspector', name: 'Inspector', icon: ScanSearch },
];

/** Buttons that fold panes away and back. */
export const FoldButtons = () => {
  const { session } = useActions();
  const keys = useKeys();
  const folded = useApp((state) => state.session.folded);
  return (
    <div role="group" aria-label="Panes" className={styles.folds}>
      {PANES.map(({ pane, name, icon }) => (
        <IconButton
          key={pane}
          label={`Show ${name.toLowerCase()}`}
          icon={icon}
          keys={keys(`fold-${pane}`)}
          size="small"
          aria-pressed={!folded.includes(pane)}
          onClick={() => session({ folded: togglePane(folded, pane) })}
        />
      ))}
    </div>
  );
};

const Inspector = lazyPart(async () => (await import('../inspector/inspector.tsx')).Inspector);

/** The inspector beside the other panes, or over the forest if there is no room for three. */
export const InspectorPane = () => {
  const { session } = useActions();
  const state = useAppState();
  const compact = useMedia(COMPACT);
  const phone = useMedia(PHONE);
  return (
    <section aria-label="Inspector" data-pane="inspector" tabIndex={-1} className={styles.pane}>
      <h2 className="visually-hidden">Inspector</h2>
      <PartErrorBoundary part="The inspector">
        <Suspense>
          <Inspector />
        </Suspense>
      </PartErrorBoundary>
      {compact && !phone && (
        <IconButton
          size="small"
          className={styles.close ?? ''}
          label="Close the inspector"
          icon={X}
          onClick={() => session({ folded: togglePane(state().session.folded, 'inspector') })}
        />
      )}
    </section>
  );
};

// Not needed for the first paint.
const ForestCanvas = lazyPart(async () => (await import('../canvas/forest-canvas.tsx')).ForestCanvas);
const Outline = lazyPart(async () => (await import('../outline/outline.tsx')).Outline);

const MemoryPane = lazyPart(async () => (await import('../canvas/memories/policy-structure.tsx')).MemoryPane);

const structures = [
  { value: 'forest' as const, label: 'Forest', icon: <Sprout size={14} aria-hidden /> },
  { value: 'memory' as const, label: 'Memory', icon: <Layers size={14} aria-hidden /> },
];

const views = [
  { value: 'canvas' as const, label: 'Canvas', icon: <Workflow size={14} aria-hidden /> },
  { value: 'outline' as const, label: 'Outline', icon: <ListTree size={14} aria-hidden /> },
];

/**
 * The forest, as a canvas and as an outline. The outline is always mounted for screen readers and the Tab key: next to
 * the canvas if there is room, else over it while it has the focus.
 */
export const ForestPane = () => {
  const { session } = useActions();
  const view = useApp((state) => state.session.view);
  const kept = useApp(keptMemory);
  const drawn = useApp((state) => (kept === null ? 'forest' : state.session.drawn));
  return (
    <section aria-label="Forest" data-pane="forest" tabIndex={-1} className={styles.forest}>
      <div className={styles.viewBar}>
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
          <PartErrorBoundary part="The outline">
            <Suspense fallback={null}>
              <Outline />
            </Suspense>
          </PartErrorBoundary>
        </div>
        {view === 'canvas' && (
          <div className={styles.canvas}>
            <PartErrorBoundary part="The canvas">
              <Suspense fallback={null}>
                {kept !== null && drawn === 'memory' ? <MemoryPane policy={kept} /> : <ForestCanvas />}
              </Suspense>
            </PartErrorBoundary>
          </div>
        )}
      </div>
    </section>
  );
};

/** The current policy, if it keeps its own memory. */
const keptMemory = ({ settings: { current, versions } }: AppState): string | null => {
  const policy = versions.find(({ version }) => version === current)?.policy;
  return policy !== undefined && MEMORY_POLICIES.some(({ name }) => name === policy) ? policy : null;
};

/** Switches between panes on a phone. */
export const TabBar = () => {
  const { session } = useActions();
  const current = useApp((state) => state.session.pane);
  return (
    <nav aria-label="Panes" className={styles.tabs}>
      {PANES.map(({ pane, name, icon: Icon }) => (
        <button
          key={pane}
          type="button"
          className={styles.tab}
          aria-current={pane === current ? 'page' : undefined}
          onClick={() => session({ pane })}
        >
          <Icon size={20} strokeWidth={1.7} aria-hidden />
          {name}
        </button>
      ))}
    </nav>
  );
};

/** Whether the inspector gives way on a narrow page: it is open, and so is another pane. */
export const givesWay = (folded: readonly Pane[]): boolean => !folded.includes('inspector') && folded.length < 2;

/** The inspector starts folded where it would leave the others little room, and comes back once there is more. */
export const useInspectorRoom = (): void => {
  const { session } = useActions();
  const state = useAppState();
  const compact = useMedia(COMPACT);
  useEffect(() => {
    const { folded } = state().session;
    // What the person has folded stays folded.
    if (!compact || !givesWay(folded)) return;
    session({ folded: [...folded, 'inspector'] });
    return () => session({ folded: state().session.folded.filter((pane) => pane !== 'inspector') });
  }, [compact, session, state]);
};
