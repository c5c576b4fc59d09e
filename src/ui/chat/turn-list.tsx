import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { ChevronRight, EyeOff } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { createPortal, flushSync } from 'react-dom';
import { type Reading, type Session, shownForest } from '../../app/state.ts';
import type { Forest, Node, PendingTurn } from '../../domain/forest.ts';
import { activePath, pendingTurn, replyOf } from '../../domain/queries.ts';
import { isReadOnDemand } from '../../domain/stored-forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { PHONE, useButReplyTexts, withFocusedRow } from '../parts/hooks.ts';
import { Ellipsis } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import styles from './conversation.module.css';
import type { useStickToBottom } from './conversation-scroll.ts';
import messageCss from './message.module.css';
import { QuoteBar } from './quote.tsx';
import {
  type Gap,
  gapTopic,
  gapWords,
  type HiddenRun,
  type ReadingRow,
  readingRows,
  rowOfTurn,
  rowsAlongPath,
  rowsInTimeOrder,
  type TopicVisit,
} from './reading-rows.ts';
import stylesOfTurn from './turn.module.css';
import { Files, Turn } from './turn.tsx';

interface Props {
  readonly forest: Forest;
  readonly reading: Reading;
  /** Which text it is; a text that was on the page before is read on where it was left. */
  readonly text: string;
  readonly readOnly: boolean;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly stick: ReturnType<typeof useStickToBottom>;
}

const NONE: ReadonlySet<string> = new Set();

/** The turns of a conversation, with only those in view mounted. */
export const TurnList = ({ forest, reading, text, readOnly, scroller, stick }: Props) => {
  const selectedId = useApp((state) => state.session.selectedId);
  const editedId = useApp(({ session: { editing } }) => (editing?.takesFocus === true ? editing.nodeId : null));
  const [open, setOpen] = useState(NONE);
  // What a reply says changes no row, and comes in pieces.
  const textless = useButReplyTexts(forest);
  const items = useMemo(
    () => (reading === 'path' ? rowsAlongPath(textless, activePath(textless)) : rowsInTimeOrder(textless)),
    [textless, reading],
  );
  const rows = useMemo(() => readingRows(items, open), [items, open]);
  const pending = pendingTurn(forest);
  const activeId = forest.active?.nodeId ?? null;
  const onPath = useMemo(
    () => (reading === 'path' ? null : new Set(activePath(textless).map(({ id }) => id))),
    [textless, reading],
  );

  const { release } = stick;
  const toggle = useCallback(
    (key: string) => {
      release();
      setOpen((before) => {
        const after = new Set(before);
        if (!after.delete(key)) after.add(key);
        return after;
      });
    },
    [release],
  );
  // Not a toggle: both reveals below may ask for the same one.
  const unfold = useCallback(
    (key: string) => {
      release();
      setOpen((before) => (before.has(key) ? before : new Set(before).add(key)));
    },
    [release],
  );
  const { mounted, height, measure, virtualizer } = useReadingWindow(
    { rows, nodes: forest.nodes },
    readOnly,
    scroller,
    stick.isStuck,
  );
  useSamePlace({ reading, text }, rows, scroller, virtualizer, stick);
  const shown = { rows, scroller, virtualizer, stick, unfold };
  const state = useAppState();
  /** The turn that was selected when the chat came onto the page; null once another is. */
  const [before, setBefore] = useState(selectedId);
  if (before !== null && before !== selectedId) setBefore(null);
  // Settled as the turn is selected: what was selected elsewhere moves nothing once the chat is read again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the state only what it is then
  const isAlone = useMemo(() => before !== selectedId && isReadAlone(state().session), [selectedId]);
  useReveal(selectedId, reading === 'everything' || isAlone, shown);
  useReveal(editedId, true, shown);

  return (
    <>
      <div>
        {mounted.map(({ index, start }, at) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={row.key}
              ref={measure}
              data-index={index}
              data-row={row.key}
              // Each is placed after the previous one, so that a growing reply never covers what follows.
              style={{ marginTop: start - (mounted[at - 1]?.end ?? 0) }}
              data-off-path={row.kind === 'turn' && onPath?.has(row.node.id) === false ? true : undefined}
            >
              {row.kind === 'section' ? (
                <SectionHead section={row.section} forest={forest} />
              ) : row.kind === 'fold' ? (
                <Fold fold={row.fold} rowKey={row.key} open={row.open} readOnly={readOnly} onToggle={toggle} />
              ) : (
                <div className={row.aside ? styles.aside : undefined}>
                  <Turn
                    node={nodeNow(row, forest)}
                    last={row.node.id === activeId && pending === null}
                    readOnly={readOnly}
                  />
                </div>
              )}
            </div>
          );
        })}
        <div style={{ height: height - (mounted.at(-1)?.end ?? 0) }} />
      </div>
      {pending !== null && <PendingTurnView turn={pending} />}
      {createPortal(<QuoteBar />, document.body)}
    </>
  );
};

/** Whether the chat is read without the forest beside it, which would show a selected turn that is in a closed gap. */
const isReadAlone = ({ pane, folded }: Session): boolean =>
  matchMedia(PHONE).matches ? pane === 'chat' : folded.includes('forest');

/** The turn of a row, which may say more by now than when the row was made. */
const nodeNow = ({ node }: ReadingRow & { kind: 'turn' }, { nodes }: Pick<Forest, 'nodes'>): Node =>
  nodes[node.id] ?? node;

/** Gap between two rows, in pixels. */
const GAP = 20;
/** Up to this many rows are all mounted, so that find-in-page and selecting across turns work as usual. */
const ALL = 60;
/** Rows mounted beyond those in view: fewer in the past, where every moment may show others. */
const BEYOND = 8;
const BEYOND_PAST = 1;

type ReadingVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** The mounted rows: those in view, plus the focused one wherever it is. */
const useReadingWindow = (
  { rows, nodes }: { readonly rows: readonly ReadingRow[] } & Pick<Forest, 'nodes'>,
  past: boolean,
  scroller: RefObject<HTMLDivElement | null>,
  isStuck: () => boolean,
) => {
  // Stable between renders: a new function would have all rows measured again on every scroll.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtualizer: ReadingVirtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeight(rows[index], { nodes }),
    getItemKey,
    gap: GAP,
    overscan: past ? BEYOND_PAST : rows.length <= ALL ? ALL : BEYOND,
    rangeExtractor: (range: Range) =>
      withFocusedRow(defaultRangeExtractor(range), scroller.current, (focused) =>
        rows.findIndex(({ key }) => key === focused),
      ),
  });
  // Keeps what is being read in place when rows above it turn out taller or shorter than estimated. At the end, the end
  // stays in place instead, because being moved up slightly would count as the user scrolling.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (
    { key, start, end },
    _,
    { scrollOffset, itemSizeCache },
  ) => {
    if (isStuck() || scrollOffset === null) return false;
    return itemSizeCache.has(key) ? end <= scrollOffset : start < scrollOffset;
  };
  const items = virtualizer.getVirtualItems();
  const height = virtualizer.getTotalSize();
  const end = isStuck() ? height - (virtualizer.scrollRect?.height ?? 0) : null;
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const isInView = ({ index, end: bottom }: VirtualItem): boolean =>
    end === null ? index >= startIndex && index <= endIndex : bottom > end;
  return {
    virtualizer,
    mounted: useMountedInParts(items, isInView),
    height,
    measure: virtualizer.measureElement,
  };
};

/** Rows out of view that are mounted per frame. */
const AT_ONCE = 2;

/** When many rows appear at once, as when a message goes to another topic, mounts those in view first and the others frame by frame. */
const useMountedInParts = (items: readonly VirtualItem[], isInView: (item: VirtualItem) => boolean): VirtualItem[] => {
  const [frames, nextFrame] = useReducer((before: number) => before + 1, 0);
  const committed = useRef({ frames, keys: new Set<VirtualItem['key']>() });
  const middle = items.find(isInView)?.index ?? 0;
  const coming = items
    .filter((item) => !committed.current.keys.has(item.key) && !isInView(item))
    .sort((a, b) => Math.abs(a.index - middle) - Math.abs(b.index - middle));
  // Every measured row renders the list again within the same frame.
  const later = new Set(coming.slice(committed.current.frames === frames ? 0 : AT_ONCE));
  const mounted = items.filter((item) => !later.has(item));
  useLayoutEffect(() => {
    committed.current = { frames, keys: new Set(mounted.map(({ key }) => key)) };
  });
  const waits = later.size > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each frame another
  useLayoutEffect(() => {
    if (!waits) return;
    // Synchronously, within the frame: shrinking in one part and growing in the next would look like the user scrolling
    // up.
    const frame = requestAnimationFrame(() => flushSync(nextFrame));
    return () => cancelAnimationFrame(frame);
  }, [waits, frames]);
  return mounted;
};

/** A usual turn, with a reply of ten lines or so; in pixels. */
const STORED = 340;

/** The estimated height until the row is measured, in pixels. */
const estimatedHeight = (row: ReadingRow | undefined, forest: Pick<Forest, 'nodes'>): number => {
  if (row?.kind !== 'turn') return 28;
  const node = nodeNow(row, forest);
  // Every row is asked for at once.
  if (isReadOnDemand(node)) return STORED;
  let known = guesses.get(node);
  if (known === undefined) {
    const { message } = node;
    const reply = replyOf(node)?.text ?? '';
    const lines = Math.ceil(message.length / 46) + Math.ceil(reply.length / 50) + reply.split('\n').length;
    known = 76 + 21 * lines;
    guesses.set(node, known);
  }
  return known;
};

/** Cached, because every row is asked for whenever one of them changes. */
const guesses = new WeakMap<Node, number>();

/** The number of the turn a row is about; for a fold, of its first turn. */
const numberOf = (row: ReadingRow): number =>
  row.kind === 'turn'
    ? row.node.number
    : row.kind === 'section'
      ? row.section.first.number
      : (row.fold.nodes[0]?.number ?? 0);

/** The text that was last taken off the page, and the number of the turn at the top of the view; null if that was its end. */
let left: { readonly text: string; readonly turn: number } | null = null;

/**
 * Keeps the user's place when the reading changes, and when the chat comes back after it was folded away or the page was
 * laid out anew: the turn at the top of the view stays there.
 */
const useSamePlace = (
  { reading, text }: Pick<Props, 'reading' | 'text'>,
  rows: readonly ReadingRow[],
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: ReadingVirtualizer,
  stick: Props['stick'],
) => {
  const top = useRef<number | null>(null);
  const shown = useRef(reading);
  const current = useRef(text);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const note = () => {
      const from = virtualizer.getVirtualItemForOffset(element.scrollTop)?.index ?? rows.length;
      const row = rows.slice(from, from + BEYOND).find(({ kind }) => kind === 'turn');
      top.current = row === undefined ? null : numberOf(row);
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [rows, scroller, virtualizer]);

  const goTo = (turn: number) => {
    const index = rows.findLastIndex((row) => numberOf(row) <= turn);
    stick.release();
    virtualizer.scrollToIndex(Math.max(0, index), { align: 'start' });
  };

  useLayoutEffect(() => {
    current.current = text;
  }, [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes onto the page
  useLayoutEffect(() => {
    const turn = left?.text === text ? left.turn : null;
    left = null;
    // After what takes a new text to its end in the same frame.
    const frame = turn === null ? undefined : requestAnimationFrame(() => goTo(turn));
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      left = top.current === null || stick.isStuck() ? null : { text: current.current, turn: top.current };
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the reading brings the person elsewhere
  useLayoutEffect(() => {
    if (shown.current === reading) return;
    shown.current = reading;
    if (top.current === null || !stick.away) return stick.toEnd();
    goTo(top.current);
  }, [reading]);
};

interface ReadingRowsProps {
  readonly rows: readonly ReadingRow[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: ReadingVirtualizer;
  readonly stick: Props['stick'];
  readonly unfold: (key: string) => void;
}

/** Scrolls a turn into view; `opens`: even if its fold has to be opened for that. */
const useReveal = (turnId: string | null, opens: boolean, shown: ReadingRowsProps) => {
  const { rows, scroller, virtualizer, stick, unfold } = shown;
  const wanted = useMemo(() => (turnId === null ? -1 : rowOfTurn(rows, turnId, opens)), [rows, opens, turnId]);
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (turnId === null || wanted === -1) {
      seen.current = null;
      return;
    }
    if (seen.current === turnId) return;
    const row = rows[wanted];
    if (row?.kind === 'fold' && opens) return unfold(row.key);
    seen.current = turnId;
    const turn = scroller.current?.querySelector(`[data-index="${wanted}"]`);
    if (turn == null) {
      stick.release();
      virtualizer.scrollToIndex(wanted, { align: 'start' });
    } else {
      turn.scrollIntoView({ block: 'nearest' });
      stick.recheck();
    }
  });
};

interface FoldProps {
  readonly fold: Gap | HiddenRun;
  readonly rowKey: string;
  readonly open: boolean;
  readonly readOnly: boolean;
  readonly onToggle: (key: string) => void;
}

/** Says what was said elsewhere in between, or what is hidden; a click expands it in place. */
const Fold = memo(({ fold, rowKey, open, readOnly, onToggle }: FoldProps) =>
  fold.kind === 'gap' ? (
    <GapLine gap={fold} open={open} onToggle={() => onToggle(rowKey)} />
  ) : (
    <HiddenLine run={fold} open={open} readOnly={readOnly} onToggle={() => onToggle(rowKey)} />
  ),
);

const GapLine = ({ gap, open, onToggle }: { gap: Gap; open: boolean; onToggle: () => void }) => {
  const state = useAppState();
  const topic = useMemo(() => gapTopic(gap), [gap]);
  const order = useApp((now) => (topic === null ? undefined : shownForest(now).trees[topic]?.order));
  const title = useApp((now) => (topic === null ? undefined : shownForest(now).trees[topic]?.title));
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the forest they tell the title alone, and what makes another gap
  const words = useMemo(() => gapWords(shownForest(state()), gap), [gap, title]);
  return (
    <div className={styles.gap}>
      <button
        type="button"
        className={styles.chip}
        style={order === undefined ? undefined : ({ '--c': topicColour(order) } as CSSProperties)}
        aria-expanded={open}
        onClick={onToggle}
      >
        <ChevronRight size={12} aria-hidden />
        <Ellipsis fit>{words}</Ellipsis>
      </button>
    </div>
  );
};

/** Turns that are not sent to any model: one quiet line, which expands to read them and can unhide them. */
const HiddenLine = ({
  run: { nodes },
  open,
  readOnly,
  onToggle,
}: {
  run: HiddenRun;
  open: boolean;
  readOnly: boolean;
  onToggle: () => void;
}) => {
  const { hideTurns } = useActions();
  const [first] = nodes;
  const last = nodes.at(-1);
  const which = nodes.length === 1 ? `Turn ${first?.number} is` : `Turns ${first?.number}–${last?.number} are`;
  const ids = nodes.map(({ id }) => id);
  return (
    <div className={styles.hidden}>
      <button type="button" className={styles.hiddenWords} aria-expanded={open} onClick={onToggle}>
        <EyeOff size={13} aria-hidden />
        {which} hidden: no model sees {nodes.length === 1 ? 'it' : 'them'}
      </button>
      {!readOnly && (
        <Button look="quiet" size="small" onClick={() => void hideTurns(ids, false)}>
          Show
        </Button>
      )}
    </div>
  );
};

/** The start of a topic in the reading: its title, in its colour. */
const SectionHead = ({ section: { treeId, continued }, forest }: { section: TopicVisit; forest: Forest }) => {
  const tree = forest.trees[treeId];
  if (tree === undefined) return null;
  return (
    <h2 className={styles.section} style={{ '--c': topicColour(tree.order) } as CSSProperties}>
      <span dir="auto">{tree.title}</span>
      {continued && <small>continued</small>}
    </h2>
  );
};

/** A message that is stored but not yet placed. */
const PendingTurnView = ({ turn }: { turn: PendingTurn }) => (
  <article aria-label={`Turn ${turn.number}`} className={stylesOfTurn.turn} data-pending="true">
    <div className={messageCss.message}>
      <span className={messageCss.number}>{turn.number}</span>
      <p dir="auto">{turn.message}</p>
    </div>
    <Files of={turn} made={false} />
    <p className={stylesOfTurn.waiting}>
      <span className={stylesOfTurn.dots} aria-hidden />
      placing…
    </p>
  </article>
);
