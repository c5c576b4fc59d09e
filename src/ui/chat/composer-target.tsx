import { ChevronDown, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import type { AppState } from '../../app/state.ts';
import { shownForest } from '../../app/state.ts';
import type { Target } from '../../domain/forest.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { TopicDot } from '../parts/text.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { useKeys } from '../shell/commands/use-keys.ts';
import styles from './composer.module.css';
import { targetWords } from './place/target-words.ts';
import { PreviewLine, placeWords } from './preview-line.tsx';

// Nobody chooses a place before the first paint.
const PlacePicker = lazy(() => import('./place/place-picker.tsx').then((module) => ({ default: module.PlacePicker })));

/** What is previewed says it better than what would be without a word of the message. */
const previewed = ({ preview, session }: AppState) => (session.target === null ? (preview?.shown ?? null) : null);

const orderOf = (state: AppState): number => {
  const shown = previewed(state);
  if (shown !== null) return shown.forest.trees[shown.node.treeId]?.order ?? 0;
  const forest = shownForest(state);
  const { target } = state.session;
  const node = forest.nodes[(target?.kind === 'under' ? target.nodeId : forest.active?.nodeId) ?? ''];
  return target?.kind === 'new-topic' || node === undefined
    ? forest.topicCount
    : (forest.trees[node.treeId]?.order ?? 0);
};

/** What the message field is described by while the person has chosen where the message goes. */
export const CHOSEN_PLACE = 'chosen-place';

/** The line above the message: where it will go on, and the way to choose that. */
export const ComposerTarget = () => {
  const { session } = useActions();
  const target = useApp((state) => state.session.target);
  const words = useApp((state) => {
    const shown = previewed(state);
    return shown === null ? targetWords(shownForest(state), state.session.target) : placeWords(shown);
  });
  const order = useApp(orderOf);
  const empty = useApp((state) => shownForest(state).active === null);
  const fixed = useApp((state) => state.past !== null);
  const tokens = useApp((state) => state.nextTokens);
  const keys = useKeys()('choose-place');
  const [open, setOpen] = useState(false);

  const choose = (to: Target | null) => {
    session({ target: to });
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Anchor className={styles.to} data-chosen={target !== null}>
        <TopicDot order={order} />
        <Tooltip text="Choose where it goes" {...(keys === undefined ? {} : { keys })}>
          <Popover.Trigger asChild>
            <button
              type="button"
              id="choose-place"
              className={styles.target}
              aria-label={`Where it goes on: ${words}`}
              disabled={empty || fixed}
            >
              <span className={styles.place}>{words}</span>
              {!empty && <ChevronDown size={12} aria-hidden />}
            </button>
          </Popover.Trigger>
        </Tooltip>
        {target !== null && (
          <>
            <span id={CHOSEN_PLACE} className="visually-hidden">
              You chose where it goes: {words}
            </span>
            <IconButton size="small" label="Let Coppice decide" icon={X} onClick={() => session({ target: null })} />
          </>
        )}
        <PreviewLine>
          {tokens !== null && !empty && <span className={styles.tokens}>· {count(tokens)} tokens</span>}
        </PreviewLine>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className={styles.places}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Where the message goes"
          // The field that is to have the focus may still be loading.
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Whoever chose writes on; whoever went elsewhere stays there.
            if (document.activeElement === document.body) document.querySelector<HTMLElement>('#message')?.focus();
          }}
        >
          <Suspense fallback={null}>
            <PlacePicker onChoose={choose} onClose={() => setOpen(false)} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};
