import { Tabs } from 'radix-ui';
import { lazy, Suspense } from 'react';
import type { DraftPreview, InspectorTab } from '../../app/state.ts';
import type { Forest } from '../../domain/forest.ts';
import type { Preview } from '../../engine/turn/preview.ts';
import { useActions, useApp } from '../app-context.ts';
import { useButReplyTexts, useShownForest } from '../parts/hooks.ts';
import styles from './inspector.module.css';
import sectionCss from './section.module.css';
import { Subject } from './section.tsx';

// The words of a tab are not needed for the first paint.
const DecisionTab = lazy(() => import('./decision-tab.tsx').then((module) => ({ default: module.DecisionTab })));
const TurnTab = lazy(() => import('./turn-tab.tsx').then((module) => ({ default: module.TurnTab })));
const ContextTab = lazy(() => import('./context-tab.tsx').then((module) => ({ default: module.ContextTab })));
const ContextView = lazy(() => import('./context-tab.tsx').then((module) => ({ default: module.ContextView })));

const TABS: readonly { readonly tab: InspectorTab; readonly name: string }[] = [
  { tab: 'decision', name: 'Decision' },
  { tab: 'context', name: 'Context' },
  { tab: 'turn', name: 'Turn' },
];

/**
 * Why a turn is where it is, what was sent for it, and what it says: of the selected turn, else of the message that is
 * being written, else of the active turn.
 */
export const Inspector = () => {
  const { session } = useActions();
  const tab = useApp((state) => state.session.tab);
  const shown = useShownForest();
  const textless = useButReplyTexts(shown);
  const selectedId = useApp((state) => state.session.selectedId);
  const preview = useApp((state) => (state.session.selectedId === null ? state.preview : null));
  const forest = tab === 'turn' ? shown : textless;
  const node = forest.nodes[selectedId ?? ''] ?? forest.nodes[forest.active?.nodeId ?? ''];

  return (
    <Tabs.Root
      className={styles.inspector}
      value={tab}
      onValueChange={(value) => session({ tab: value as InspectorTab })}
    >
      <Tabs.List className={styles.tabs} aria-label="What to inspect">
        {TABS.map(({ tab: value, name }) => (
          <Tabs.Trigger key={value} value={value} className={styles.tab}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {TABS.map(({ tab: value }) => (
        <Tabs.Content key={value} value={value} className={styles.content}>
          {preview !== null && preview.shown !== null && value !== 'turn' ? (
            <Suspense fallback={null}>
              <PreviewPanel preview={preview} shown={preview.shown} now={forest} tab={value} />
            </Suspense>
          ) : node === undefined ? (
            <p className={styles.empty}>
              Nothing to inspect yet. Each turn will show here where it went, why, and what was sent.
            </p>
          ) : (
            <>
              {value !== 'turn' && <Subject forest={forest} node={node} />}
              <Suspense fallback={null}>
                {value === 'decision' && <DecisionTab forest={forest} node={node} />}
                {value === 'context' && <ContextTab forest={forest} node={node} />}
                {value === 'turn' && <TurnTab forest={forest} node={node} />}
              </Suspense>
            </>
          )}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
};

interface PreviewProps {
  readonly preview: DraftPreview;
  readonly shown: Preview;
  /** The forest as it is. */
  readonly now: Forest;
  readonly tab: 'decision' | 'context';
}

/** Where the message that is being written would go, why, and what would be sent for it. */
const PreviewPanel = ({ preview, shown, now, tab }: PreviewProps) => (
  <div aria-busy={preview.phase !== 'shown'}>
    <Subject forest={shown.forest} node={shown.node} />
    <p className={sectionCss.banner}>
      A preview: nothing has been sent. {preview.phase === 'shown' ? 'It follows what you type.' : 'Catching up…'}
      {preview.asks !== null && ` ${preview.asks} is asked when you pause.`}
    </p>
    {tab === 'decision' ? (
      <DecisionTab forest={shown.forest} node={shown.node} preview />
    ) : (
      <ContextView title="Would be sent" shown={shown} node={shown.node} now={now} />
    )}
  </div>
);
