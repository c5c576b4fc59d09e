import { ChevronDown, X } from 'lucide-react';
import type { AppState } from '../../app/state.ts';
import { shownForest } from '../../app/state.ts';
import type { Forest, Target } from '../../domain/forest.ts';
import { childrenOf } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { Menu, MenuChoice } from '../parts/menu.tsx';
import { count } from '../parts/numbers.ts';
import { TopicDot } from '../parts/topic-dot.tsx';
import styles from './composer.module.css';
import { PreviewLine, placeWords } from './preview-line.tsx';

/** In words, where the next message goes on. */
const wordsOf = (forest: Forest, target: Target | null): string => {
  if (target?.kind === 'new-topic') return 'new topic';
  const node = forest.nodes[target?.nodeId ?? forest.active?.nodeId ?? ''];
  if (node === undefined) return 'starts the first topic';
  if (target === null) return `goes on from turn ${node.number}`;
  return childrenOf(forest, node.id).length > 0
    ? `new branch from turn ${node.number}`
    : `continues turn ${node.number}`;
};

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

/** The line above the message: where it will go on, and the way to choose that. */
export const ComposerTarget = () => {
  const { session } = useActions();
  const target = useApp((state) => state.session.target);
  const words = useApp((state) => {
    const shown = previewed(state);
    return shown === null ? wordsOf(shownForest(state), state.session.target) : placeWords(shown);
  });
  const order = useApp(orderOf);
  const activeId = useApp((state) => shownForest(state).active?.nodeId ?? null);
  const tokens = useApp((state) => state.nextTokens);
  const here: Target | null = activeId === null ? null : { kind: 'under', nodeId: activeId };
  const isHere = target?.kind === 'under' && target.nodeId === activeId;

  return (
    <div className={styles.to} data-chosen={target !== null}>
      <TopicDot order={order} />
      <Menu
        side="top"
        trigger={
          <button
            type="button"
            className={styles.target}
            aria-label={`Where it goes on: ${words}`}
            disabled={here === null}
          >
            <span className={styles.place}>{words}</span>
            {here !== null && <ChevronDown size={12} aria-hidden />}
          </button>
        }
      >
        <MenuChoice chosen={target === null} onChoose={() => session({ target: null })}>
          Let Coppice decide
        </MenuChoice>
        {here !== null && (
          <MenuChoice chosen={isHere} onChoose={() => session({ target: here })}>
            Continue here
          </MenuChoice>
        )}
        <MenuChoice chosen={target?.kind === 'new-topic'} onChoose={() => session({ target: { kind: 'new-topic' } })}>
          New topic
        </MenuChoice>
      </Menu>
      {target !== null && (
        <IconButton size="small" label="Let Coppice decide" icon={X} onClick={() => session({ target: null })} />
      )}
      <PreviewLine>
        {tokens !== null && here !== null && <span className={styles.tokens}>· {count(tokens)} tokens</span>}
      </PreviewLine>
    </div>
  );
};
