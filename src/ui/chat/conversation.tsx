import { ArrowDown, EyeOff } from 'lucide-react';
import { type CSSProperties, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { Node, PendingTurn } from '../../domain/forest.ts';
import { activePath, pendingTurn } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useShownForest } from '../parts/hooks.ts';
import { topicColour } from '../topic-colour.ts';
import styles from './conversation.module.css';
import { useShownItems, useStickToBottom } from './conversation-scroll.ts';
import { type Gap, type LinearItem, linear } from './linear.ts';
import messageCss from './message.module.css';
import stylesOfTurn from './turn.module.css';
import { Turn } from './turn.tsx';
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
  const { away, toEnd, release, recheck } = useStickToBottom(scroller, `${conversationId} ${activeId} ${pending?.id}`);

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
    release();
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
    recheck();
  }, [selectedId, recheck]);

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
                  release();
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

/** Says what was said elsewhere in between; a click shows the last of it. */
const GapLine = ({ gap }: { gap: Gap }) => {
  const { select } = useActions();
  const order = useApp((state) => (gap.topic === null ? undefined : shownForest(state).trees[gap.topic]?.order));
  return (
    <div className={styles.gap}>
      <button
        type="button"
        className={styles.chip}
        style={order === undefined ? undefined : ({ '--c': topicColour(order) } as CSSProperties)}
        onClick={() => select(gap.lastId)}
      >
        {gap.words}
      </button>
    </div>
  );
};

/** Turns of the path that no model is sent: one quiet line, which unfolds to read them and takes them back in. */
const HiddenTurns = ({ nodes, readOnly }: { nodes: readonly Node[]; readOnly: boolean }) => {
  const { hideTurns } = useActions();
  const [open, setOpen] = useState(false);
  const [first] = nodes;
  const last = nodes.at(-1);
  const which = nodes.length === 1 ? `Turn ${first?.number} is` : `Turns ${first?.number}–${last?.number} are`;
  const ids = nodes.map(({ id }) => id);
  return (
    // Marked as the turns that it stands for, so that one that is selected is scrolled to.
    <div data-turn={open ? undefined : first?.id}>
      <div className={styles.hidden}>
        <button type="button" className={styles.hiddenWords} aria-expanded={open} onClick={() => setOpen(!open)}>
          <EyeOff size={13} aria-hidden />
          {which} hidden: no model sees {nodes.length === 1 ? 'it' : 'them'}
        </button>
        {!readOnly && (
          <Button look="quiet" size="small" onClick={() => void hideTurns(ids, false)}>
            Show
          </Button>
        )}
      </div>
      {open && (
        <div className={styles.hiddenTurns}>
          {nodes.map((node) => (
            <Turn key={node.id} node={node} last={false} readOnly={readOnly} />
          ))}
        </div>
      )}
    </div>
  );
};

/** A message that is kept and has no place yet. */
const PendingTurnView = ({ turn }: { turn: PendingTurn }) => (
  <article aria-label={`Turn ${turn.number}`} className={stylesOfTurn.turn} data-pending="true">
    <div className={messageCss.message}>
      <span className={messageCss.number}>{turn.number}</span>
      <p>{turn.message}</p>
    </div>
    <p className={stylesOfTurn.waiting}>
      <span className={stylesOfTurn.dots} aria-hidden />
      finding its place…
    </p>
  </article>
);
