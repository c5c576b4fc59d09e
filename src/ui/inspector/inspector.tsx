import { Tabs } from 'radix-ui';
import { Suspense, useDeferredValue, useMemo } from 'react';
import type { DraftPreview, InspectorTab } from '../../app/state.ts';
import type { Forest, Node } from '../../domain/forest.ts';
import { whenIdle } from '../../engine/tasks.ts';
import type { Preview } from '../../engine/turn/preview.ts';
import { useActions, useApp, useShownForest } from '../app-context.ts';
import { useButReplyTexts } from '../parts/hooks.ts';
import { lazyPart, preloadedPart } from '../parts/lazy-parts.tsx';
import styles from './inspector.module.css';
import sectionCss from './section.module.css';
import { Subject } from './section.tsx';

// The tabs' code is not needed for the first paint. It is there before a tab is chosen, which would else be empty at first.
const DecisionTab = lazyPart(async () => (await import('./decision-tab.tsx')).DecisionTab);
const TurnTab = preloadedPart(async () => (await import('./turn-tab.tsx')).TurnTab, whenIdle);
const ContextTab = preloadedPart(async () => (await import('./context-tab.tsx')).ContextTab, whenIdle);
const ContextView = preloadedPart(async () => (await import('./context-tab.tsx')).ContextView, whenIdle);

const TABS: readonly { readonly tab: InspectorTab; readonly name: string }[] = [
  { tab: 'decision', name: 'Decision' },
  { tab: 'context', name: 'Context' },
  { tab: 'turn', name: 'Turn' },
];

/**
 * Why a turn is where it is, what was sent for it, and what it says. Shows the selected turn, else the message being
 * written, else the active turn. Decision and context lag behind the chat.
 */
export const Inspector = () => {
  const { session } = useActions();
  const tab = useApp((state) => state.session.tab);
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
          <TabContent tab={value} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
};

const TabContent = ({ tab }: { tab: InspectorTab }) => {
  const current = useInspected(tab);
  const lagging = useDeferredValue(current);
  // Not deferred: a reply's text must match its unsaved rest, which the tab reads separately.
  const inspected = tab === 'turn' ? current : lagging;
  if (inspected === null) {
    return (
      <p className={styles.empty}>
        Nothing to inspect yet. For each turn, this shows where it went, why, and what was sent.
      </p>
    );
  }
  return (
    <Suspense fallback={null}>
      <Inspected {...inspected} />
    </Suspense>
  );
};

interface InspectedTurn {
  readonly tab: InspectorTab;
  /** The forest on screen, without the text of replies if the tab shows none. */
  readonly now: Forest;
  /** The forest the turn is in; for a preview, as it would become. */
  readonly forest: Forest;
  readonly node: Node;
  /** Set if the turn does not exist yet. */
  readonly preview: { readonly of: DraftPreview; readonly shown: Preview } | null;
}

const useInspected = (tab: InspectorTab): InspectedTurn | null => {
  const shown = useShownForest();
  const textless = useButReplyTexts(shown);
  const selectedId = useApp((state) => state.session.selectedId);
  const preview = useApp((state) => (state.session.selectedId === null ? state.preview : null));
  const now = tab === 'turn' ? shown : textless;
  return useMemo(() => {
    if (tab !== 'turn' && preview !== null && preview.shown !== null) {
      const { forest, node } = preview.shown;
      return { tab, now, forest, node, preview: { of: preview, shown: preview.shown } };
    }
    const node = now.nodes[selectedId ?? ''] ?? now.nodes[now.active?.nodeId ?? ''];
    return node === undefined ? null : { tab, now, forest: now, node, preview: null };
  }, [tab, now, selectedId, preview]);
};

/** What a tab shows for a turn, or for a message: where it would go, why, and what would be sent for it. */
const Inspected = ({ tab, now, forest, node, preview }: InspectedTurn) => (
  <div aria-busy={preview !== null && preview.of.phase !== 'shown'}>
    {tab !== 'turn' && <Subject forest={forest} node={node} />}
    {preview !== null && <p className={sectionCss.banner}>{previewWords(preview.of)}</p>}
    {tab === 'decision' && <DecisionTab forest={forest} node={node} preview={preview !== null} />}
    {tab === 'context' && preview === null && <ContextTab forest={forest} node={node} />}
    {tab === 'context' && preview !== null && (
      <ContextView title="Would be sent" shown={preview.shown} node={node} now={now} />
    )}
    {tab === 'turn' && <TurnTab forest={forest} node={node} />}
  </div>
);

/** What the preview shown is of, and whether it follows the draft. */
export const previewWords = ({ phase, asks }: Pick<DraftPreview, 'phase' | 'asks'>): string => {
  if (phase === 'sent') return 'Sent. Showing the preview until it is placed.';
  const unsent = 'A preview: the message has not been sent';
  if (asks === null) return `${unsent}. ${phase === 'shown' ? 'It updates as you type.' : 'Catching up…'}`;
  const read = `${unsent}, but ${asks} may have read it.`;
  if (phase === 'on-request')
    return `${read} You have changed something since: to renew the preview, press “Ask ${asks} where it would go”.`;
  if (phase === 'waiting') return `${read} ${asks} will be asked when you pause.`;
  return phase === 'asking' ? `${read} Asking ${asks}…` : read;
};
