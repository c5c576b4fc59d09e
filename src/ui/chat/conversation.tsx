import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Node } from '../../domain/forest.ts';
import { activePath, pendingTurn } from '../../domain/queries.ts';
import { useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useShownForest } from '../parts/hooks.ts';
import styles from './conversation.module.css';
import { GapLine } from './gap-line.tsx';
import { HiddenTurns } from './hidden-turns.tsx';
import { type LinearItem, linear } from './linear.ts';
import { PendingTurnView } from './pending-turn-view.tsx';
import { useStickToBottom } from './stick-to-bottom.ts';
import { Turn } from './turn.tsx';
import { useShownItems } from './use-shown-items.ts';
import { Welcome } from './welcome.tsx';

/** The active path as a linear conversation. */
export const Conversation = () => {
  const forest = useShownForest();
  const conversationId = useApp((state) => state.conversationId);
  const readOnly = useApp((state) => state.past !== null);
  const busy = useApp((state) => state.turn !== null);
  const selectedId = useApp((state) => state.session.selectedId);
  const opening = useApp((state) => state.phase === 'opening');

  const items = useMemo(() => linear(forest, activePath(forest)), [forest]);
  const pending = pendingTurn(forest);
  const activeId = forest.active?.nodeId ?? null;
  const scroller = useRef<HTMLDivElement>(null);
  const { away, toEnd, letGo, settle } = useStickToBottom(scroller, `${conversationId} ${activeId} ${pending?.id}`);

  const wanted =
    selectedId === null ? -1 : items.findIndex((item) => turnsOf(item).some(({ id }) => id === selectedId));
  const { from, to, showAbove, showBelow, showEnd } = useShownItems(
    `${conversationId} ${activeId}`,
    items.length,
    wanted,
    readOnly,
  );
  const above = numbersOf(items.slice(0, from));
  const below = numbersOf(items.slice(to));

  // Turns that come in above must not move those that are read.
  const anchor = useRef<number | null>(null);
  const showMore = () => {
    const element = scroller.current;
    if (element !== null) anchor.current = element.scrollHeight - element.scrollTop;
    letGo();
    showAbove();
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || anchor.current === null) return;
    element.scrollTop = element.scrollHeight - anchor.current;
    anchor.current = null;
  });

  useEffect(() => {
    if (selectedId === null) return;
    const turn = scroller.current?.querySelector(`[data-turn="${CSS.escape(selectedId)}"]`);
    if (turn == null) return;
    turn.scrollIntoView({ block: 'nearest' });
    settle();
  }, [selectedId, settle]);

  const empty = items.length === 0 && pending === null;
  return (
    <div className={styles.place}>
      <div ref={scroller} className={styles.scroller} tabIndex={-1}>
        <div>
          {empty && !opening && !readOnly && <Welcome />}
          <div role="log" aria-label="Conversation" aria-busy={busy} className={empty ? styles.empty : styles.log}>
            {above.length > 0 && (
              <Button look="quiet" size="small" className={styles.more ?? ''} onClick={showMore}>
                {span(above)} above
              </Button>
            )}
            {items
              .slice(from, to)
              .map((item) =>
                item.kind === 'gap' ? (
                  <GapLine key={`gap ${item.lastId}`} gap={item} />
                ) : item.kind === 'hidden' ? (
                  <HiddenTurns key={`hidden ${item.nodes[0]?.id}`} nodes={item.nodes} readOnly={readOnly} />
                ) : (
                  <Turn
                    key={item.node.id}
                    node={item.node}
                    last={item.node.id === activeId && pending === null}
                    readOnly={readOnly}
                  />
                ),
              )}
            {below.length > 0 && (
              <Button
                look="quiet"
                size="small"
                className={styles.more ?? ''}
                onClick={() => {
                  letGo();
                  showBelow();
                }}
              >
                {span(below)} below
              </Button>
            )}
            {pending !== null && <PendingTurnView turn={pending} />}
          </div>
        </div>
      </div>
      {(away || below.length > 0) && (
        <IconButton
          look="outline"
          className={styles.toEnd ?? ''}
          label="Jump to latest"
          icon={ArrowDown}
          onClick={() => {
            showEnd();
            requestAnimationFrame(toEnd);
          }}
        />
      )}
    </div>
  );
};

const turnsOf = (item: LinearItem): readonly Node[] =>
  item.kind === 'turn' ? [item.node] : item.kind === 'hidden' ? item.nodes : [];

const numbersOf = (items: readonly LinearItem[]): number[] =>
  items.flatMap((item) => turnsOf(item).map(({ number }) => number));

const span = (numbers: readonly number[]): string =>
  numbers.length === 1 ? `turn ${numbers[0]}` : `turns ${numbers[0]}–${numbers.at(-1)}`;
