import { ChevronDown, ChevronRight, EyeOff, GitBranch, Link2, Pencil, Pin, StickyNote } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { activePath } from '../../domain/queries.ts';
import { whenIdle } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState, useShownForest, useShowsPast } from '../app-context.ts';
import { type MenuPlace, TurnMenuAt } from '../commands/turn-actions.tsx';
import { IconButton } from '../parts/button.tsx';
import { isComposing } from '../parts/composing.ts';
import { useTitleEdit } from '../parts/fields.tsx';
import { counted, firstCharacters } from '../parts/format.ts';
import { useFocusAfterRemoval } from '../parts/hooks.ts';
import { Ellipsis, TopicDot } from '../parts/text.tsx';
import { topicColour } from '../topic-colour.ts';
import styles from './outline.module.css';
import {
  expandedFor,
  type OutlineRow,
  type OutlineState,
  outlined,
  placeOfRow,
  rowName,
  type TopicRow,
} from './rows.ts';
import { useOutlineInput, useSelection } from './use-outline-input.ts';

/** Next to the canvas, the outline follows time travel once it has paused for this long, in milliseconds. */
const SCRUB_REST = 120;

interface OpenMenu {
  readonly nodeIds: readonly NodeId[];
  readonly at: MenuPlace;
}

const isTurn = (row: OutlineRow, id: string | null): boolean => row.kind === 'turn' && row.node.id === id;

/** The forest as a tree of words: the equivalent of the canvas for keyboards and screen readers. */
export const Outline = () => {
  const { select, activate, titleTopic, session } = useActions();
  const state = useAppState();
  const besideCanvas = useApp((state) => state.session.view === 'canvas');
  const readOnly = useShowsPast();
  // May lag slightly behind the canvas: the rows of a huge forest take time.
  const wait = besideCanvas ? (readOnly ? SCRUB_REST : 0) : null;
  const forest = useDeferredValue(useSettled(useShownForest(), wait));
  const selectedId = useApp((state) => state.session.selectedId);
  const activeId = forest.active?.nodeId ?? null;
  const { outline, expand, collapse } = useRows(forest);
  const { rows } = outline;
  const { active, children } = forest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: which turns are on it hangs on these alone
  const onPath = useMemo(() => new Set(activePath(forest).map((node) => node.id)), [active, children]);
  const { isSelected, toggle, extend, take } = useSelection(rows);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);

  const selected = selectedId !== null && forest.nodes[selectedId] !== undefined ? selectedId : null;
  const { scroller, places, focused, focus, rowId } = useWindow(outline, selected, activeId, renaming, (shown) => {
    const change = expandedFor(forest, state().session, shown);
    if (change !== null) session(change);
    return change !== null;
  });
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const noteFocus = useFocusAfterRemoval(keys, scroller, ({ index }: { index: number }) => {
    const key = keys[index];
    if (key !== undefined) focus(key);
  });

  const handlers = useOutlineInput(rows, {
    focus,
    expand,
    collapse,
    isSelected: (row) => isTurn(row, selectedId),
    toggle,
    extend,
    take,
    menu: (row, at) => {
      const box = document.getElementById(rowId(row.key))?.getBoundingClientRect();
      const beside = { x: (box?.left ?? 0) + 40, y: box?.bottom ?? 0 };
      setMenu({ nodeIds: take(row), at: at ?? beside });
    },
    choose: (row) => {
      focus(row.key);
      if (row.kind === 'turn') select(row.node.id);
      else if (row.expanded) collapse(row.key);
      else expand([row.key]);
    },
    activate: (row) => {
      if (row.kind === 'turn' && !readOnly && row.node.id !== activeId) void activate(row.node.id);
    },
    rename: (row) => {
      if (row.kind === 'topic' && !readOnly) setRenaming(row.key);
    },
  });

  const renamed = useCallback(
    async (key: string, title: string | null, byKey: boolean) => {
      if (title !== null && !(await titleTopic(key, title))) return false;
      // Otherwise the focus has gone elsewhere.
      if (byKey) focus(key);
      setRenaming((now) => (now === key ? null : now));
      return true;
    },
    [titleTopic, focus],
  );

  return (
    <div ref={scroller} className={styles.outline}>
      {rows.length === 0 && <p className={styles.empty}>No turns yet. Your first message starts the first topic.</p>}
      <div
        role="tree"
        aria-label="Outline"
        aria-multiselectable
        className={styles.tree}
        style={{ height: rows.length * ROW + 2 * PADDING }}
        {...handlers}
        onFocus={({ target }) => {
          const index = target.closest('[data-index]')?.getAttribute('data-index');
          noteFocus(index == null ? null : { index: Number(index) });
        }}
        // The focus has gone elsewhere, not with its row.
        onBlur={({ relatedTarget }) => relatedTarget !== null && noteFocus(null)}
      >
        {places.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <OutlineRowView
              key={row.key}
              id={rowId(row.key)}
              row={row}
              index={index}
              onRename={readOnly ? null : setRenaming}
              onRenamed={renamed}
              focusable={index === focused}
              selected={isSelected(row)}
              current={isTurn(row, activeId)}
              onPath={row.kind === 'turn' && onPath.has(row.node.id)}
              renaming={row.key === renaming}
            />
          );
        })}
      </div>
      {menu !== null && <TurnMenuAt {...menu} label="Turns" onClose={() => setMenu(null)} />}
    </div>
  );
};

interface Rows {
  readonly outline: OutlineState;
  readonly expand: (keys: readonly string[]) => void;
  readonly collapse: (key: string) => void;
}

/** The rows of a forest and what is expanded: everything that has not been collapsed. */
const useRows = (forest: Forest): Rows => {
  const { session } = useActions();
  const state = useAppState();
  const keys = useApp((now) => now.session.outlineCollapsed);
  const collapsed = useMemo(() => new Set(keys), [keys]);
  const kept = useRef<OutlineState | null>(null);
  const outline = useMemo(() => {
    kept.current = outlined(forest, collapsed, kept.current);
    return kept.current;
  }, [forest, collapsed]);
  const expand = useCallback(
    (opened: readonly string[]) => {
      const before = state().session.outlineCollapsed;
      const asked = new Set(opened);
      const after = before.filter((key) => !asked.has(key));
      if (after.length < before.length) session({ outlineCollapsed: after });
    },
    [session, state],
  );
  const collapse = useCallback(
    (key: string) => session({ outlineCollapsed: [...new Set(state().session.outlineCollapsed).add(key)] }),
    [session, state],
  );
  return { outline, expand, collapse };
};

/** How long a page that never becomes idle, such as one in the background, keeps the outline waiting, in milliseconds. */
const LATEST = 1000;

/**
 * The value itself, or, if a `wait` is given, the last value that stayed the same for that many milliseconds until the
 * page was idle, or until LATEST.
 */
const useSettled = <T,>(value: T, wait: number | null): T => {
  const settled = useRef(value);
  const [, rerender] = useReducer((times: number) => times + 1, 0);
  if (wait === null) settled.current = value;

  useEffect(() => {
    if (wait === null || settled.current === value) return;
    let over = false;
    const settle = () => {
      if (over) return;
      settled.current = value;
      rerender();
    };
    const timer = setTimeout(() => whenIdle(settle, LATEST), wait);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [value, wait]);

  return settled.current;
};

/** Height of a row in pixels. */
const ROW = 32;
/** Padding above the first row and below the last, in pixels. */
const PADDING = 8;

/** Rows mounted beyond those in view, on either side. */
const BEYOND = 8;

interface Window {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Indices of the mounted rows, in order. */
  readonly places: readonly number[];
  /** Index of the one row that Tab reaches. */
  readonly focused: number;
  /** Moves the keyboard focus to a row and scrolls it into view. */
  readonly focus: (key: string) => void;
  readonly rowId: (key: string) => string;
}

interface InView {
  readonly first: number;
  readonly last: number;
}

/** The rows in view, and the height of the view. All rows have the same height, so none is measured, however many there are. */
const useRowsInView = (scroller: RefObject<HTMLDivElement | null>) => {
  const [inView, setInView] = useState<InView>({ first: 0, last: -1 });
  const height = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      const from = element.scrollTop - PADDING;
      const first = Math.floor(from / ROW);
      const last = Math.ceil((from + height.current) / ROW);
      setInView((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    const resized = new ResizeObserver(() => {
      height.current = element.clientHeight;
      look();
    });
    // In the same frame: otherwise rows scrolling into view would be blank for a moment.
    const scrolled = () => flushSync(look);
    height.current = element.clientHeight;
    look();
    resized.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [scroller]);
  return { inView, height };
};

/** Indices of the rows in view and of those kept mounted wherever they are, in order; −1 stands for none. */
export const placesOf = ({ first, last }: InView, count: number, kept: readonly number[]): readonly number[] => {
  const from = Math.max(0, Math.min(first, count) - BEYOND);
  const end = Math.min(count, last + 1 + BEYOND);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
  const apart = kept.filter((index) => index >= 0 && index < count && (index < from || index >= end));
  return apart.length === 0 ? places : [...new Set([...places, ...apart])].sort((a, b) => a - b);
};

/**
 * Mounts the rows in view, plus two wherever they are: the one with the keyboard focus, and the one that is being
 * `renamed`. The focus, or what is typed, would be lost with its element. Shows the selected turn, or else the active
 * one: at first, and when that changes, scrolls to its row, unless it is to stay hidden.
 */
const useWindow = (
  outline: OutlineState,
  selected: string | null,
  active: string | null,
  renamed: string | null,
  /** Expands what hides a turn's row; false if that is to stay collapsed. */
  expand: (shown: string) => boolean,
): Window => {
  const { rows } = outline;
  const shown = selected ?? active;
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [focusKey, setFocusKey] = useState<string | null>(null);
  const grab = useRef(false);
  const reveal = useRef<string | null>(null);
  const rowId = useCallback((key: string) => `${prefix}${key}`, [prefix]);

  const indexOf = (key: string | null) => (key === null ? -1 : placeOfRow(outline, key));
  const focused = [indexOf(focusKey), indexOf(shown)].find((index) => index !== -1) ?? 0;
  const { inView, height } = useRowsInView(scroller);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of what is shown moves the view
  useEffect(() => {
    if (shown === null) return;
    const isHeld = grab.current || scroller.current?.contains(document.activeElement) === true;
    // Someone who moves over the rows is led away only by what they select.
    if (isHeld && selected === null) return;
    if (!expand(shown) && indexOf(shown) === -1) return;
    if (!isHeld) setFocusKey(shown);
    reveal.current = shown;
  }, [shown]);

  useLayoutEffect(() => {
    const wanted = indexOf(reveal.current);
    if (wanted !== -1) {
      reveal.current = null;
      const offset = scroller.current?.scrollTop ?? 0;
      const top = offsetThatShows(wanted, offset, height.current);
      if (top !== offset) scroller.current?.scrollTo({ top });
    }
    if (grab.current && focusKey !== null) {
      const element = document.getElementById(rowId(focusKey));
      if (element === null) return;
      grab.current = false;
      element.focus({ preventScroll: true });
    }
  });

  const focus = useCallback((key: string) => {
    grab.current = true;
    reveal.current = key;
    setFocusKey(key);
  }, []);

  const places = placesOf(inView, rows.length, [focused, indexOf(renamed)]);
  return { scroller, places, focused, focus, rowId };
};

/** The scroll offset nearest to `offset` at which a scroller of that height shows the whole row; pixels from the top. */
const offsetThatShows = (index: number, offset: number, height: number): number => {
  const top = PADDING + index * ROW;
  return Math.max(0, Math.min(top - PADDING, Math.max(offset, top + ROW + PADDING - height)));
};

/** Deeper levels are not indented further; their `aria-level` still tells them apart. */
const DEEPEST_INDENT = 10;

interface Props {
  readonly id: string;
  readonly row: OutlineRow;
  readonly index: number;
  readonly focusable: boolean;
  readonly selected: boolean;
  /** The active turn: the next message continues from here. */
  readonly current: boolean;
  /** On the active path. */
  readonly onPath: boolean;
  readonly renaming: boolean;
  /** Starts renaming; null while nothing can be changed. */
  readonly onRename: ((key: string) => void) | null;
  /**
   * The new title; null to keep the old one. `byKey`: Enter or Escape ended it, rather than leaving the field. Resolves to
   * whether it is over.
   */
  readonly onRenamed: (key: string, title: string | null, byKey: boolean) => Promise<boolean>;
}

/** Clicks on the row itself are handled by the tree. Memoised, because the tree renders at every event. */
const OutlineRowView = memo(({ id, row, index, onRename, onRenamed, ...marks }: Props) => {
  const topic = row.kind === 'topic' ? row.tree.order : row.topic;
  const style = {
    height: ROW,
    transform: `translateY(${PADDING + index * ROW}px)`,
    '--c': topicColour(topic),
    '--indent': Math.min(row.level - 1, DEEPEST_INDENT),
  } as CSSProperties;

  return (
    <div
      id={id}
      role="treeitem"
      className={styles.row}
      style={style}
      tabIndex={marks.focusable ? 0 : -1}
      aria-label={rowName(row)}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={row.kind === 'turn' ? marks.selected : undefined}
      aria-current={marks.current ? 'true' : undefined}
      data-index={index}
      data-kind={row.kind}
      data-path={marks.onPath || undefined}
      data-hidden={(row.kind === 'turn' && row.node.hidden) || undefined}
    >
      <span className={styles.indent} />
      <Twisty expanded={row.expanded} />
      {row.kind === 'topic' ? (
        <TopicContent row={row} renaming={marks.renaming} onRename={onRename} onRenamed={onRenamed} />
      ) : (
        <>
          <span className={styles.number}>{row.node.number}</span>
          {row.forks && <GitBranch className={styles.fork} aria-hidden="true" />}
          <Ellipsis>{firstCharacters(row.node.message, 240)}</Ellipsis>
          <RowMarkIcons node={row.node} />
          {marks.current && <span className={styles.active}>active</span>}
        </>
      )}
    </div>
  );
});

const RowMarkIcons = ({ node }: { node: Node }) => (
  <>
    {node.pinned && <Pin className={styles.mark} aria-hidden />}
    {node.note !== null && <StickyNote className={styles.mark} aria-hidden />}
    {node.references.length > 0 && <Link2 className={styles.mark} aria-hidden />}
    {node.hidden && <EyeOff className={styles.mark} aria-hidden />}
  </>
);

const Twisty = ({ expanded }: { expanded: boolean | null }) => (
  <span className={styles.twisty} data-twisty={expanded === null ? undefined : ''} aria-hidden="true">
    {expanded !== null && (expanded ? <ChevronDown /> : <ChevronRight />)}
  </span>
);

interface TopicProps extends Pick<Props, 'renaming' | 'onRename' | 'onRenamed'> {
  readonly row: TopicRow;
}

const TopicContent = ({ row, renaming, onRename, onRenamed }: TopicProps) => {
  if (renaming) {
    return <TopicTitle title={row.tree.title} onDone={(title, byKey) => onRenamed(row.key, title, byKey)} />;
  }
  return (
    <>
      <TopicDot order={row.tree.order} />
      <Ellipsis fit className={styles.title}>
        {row.tree.title}
      </Ellipsis>
      <span className={styles.count}>{counted(row.turns, 'turn')}</span>
      {onRename !== null && (
        <IconButton
          label={`Rename ${row.tree.title}`}
          icon={Pencil}
          keys="F2"
          size="small"
          className={styles.rename ?? ''}
          tabIndex={-1}
          onClick={() => onRename(row.key)}
        />
      )}
    </>
  );
};

interface TopicTitleProps {
  readonly title: string;
  /** As for `onRenamed`. */
  readonly onDone: (title: string | null, byKey: boolean) => Promise<boolean>;
}

/** Edits a topic's title: Enter or leaving the field keeps it, Escape discards it. */
const TopicTitle = ({ title, onDone }: TopicTitleProps) => {
  const input = useRef<HTMLInputElement>(null);
  const finish = useTitleEdit({ title, onDone });

  useEffect(() => input.current?.select(), []);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter') void finish(event.currentTarget.value, true);
    if (event.key === 'Escape') void finish(null, true);
  };

  return (
    <input
      ref={input}
      dir="auto"
      className={styles.input}
      aria-label="Topic title"
      defaultValue={title}
      maxLength={120}
      onKeyDown={onKeyDown}
      onBlur={(event) => void finish(event.target.value, false)}
    />
  );
};
