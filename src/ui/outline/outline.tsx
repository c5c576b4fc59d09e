import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, EyeOff, GitBranch, Link2, Pencil, Pin, StickyNote } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
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
import { shownForest } from '../../app/state.ts';
import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { activePath } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { IconButton } from '../parts/button.tsx';
import { counted } from '../parts/format.ts';
import { TopicDot } from '../parts/text.tsx';
import { type MenuPlace, TurnMenuAt } from '../shell/commands/turn-actions.tsx';
import { topicColour } from '../topic-colour.ts';
import styles from './outline.module.css';
import { keysAbove, type Outlined, type OutlineRow, outlined, rowName, type TopicRow } from './rows.ts';
import { useOutlineInput, useSelection } from './use-outline-input.ts';

/** Beside the canvas, the outline follows the person through time where they rest so long, in milliseconds. */
const SCRUB_REST = 120;

interface OpenMenu {
  readonly nodeIds: readonly NodeId[];
  readonly at: MenuPlace;
}

const isTurn = (row: OutlineRow, id: string | null): boolean => row.kind === 'turn' && row.node.id === id;

/** The forest as a tree of words: the canvas's equal for keyboards and screen readers. */
export const Outline = () => {
  const { select, activate, titleTopic } = useActions();
  const besideCanvas = useApp((state) => state.session.view === 'canvas' && state.past !== null);
  // It may lag behind the canvas by a moment: rows of a huge forest take their time.
  const forest = useDeferredValue(useSettled(useApp(shownForest), besideCanvas ? SCRUB_REST : null));
  const readOnly = useApp((state) => state.past !== null);
  const selectedId = useApp((state) => state.session.selectedId);
  const activeId = forest.active?.nodeId ?? null;
  const { rows, expand, collapse } = useRows(forest);
  const { active, children } = forest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: which turns are on it hangs on these alone
  const onPath = useMemo(() => new Set(activePath(forest).map((node) => node.id)), [active, children]);
  const { isSelected, toggle, extend, take } = useSelection(rows);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);

  const shown = selectedId !== null && forest.nodes[selectedId] !== undefined ? selectedId : activeId;
  const { scroller, items, height, focused, focus, rowId } = useWindow(rows, shown, () => {
    if (shown !== null) expand(keysAbove(forest, shown));
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

  const renamed = (title: string | null) => {
    if (renaming === null) return;
    if (title !== null) void titleTopic(renaming, title);
    focus(renaming);
    setRenaming(null);
  };

  return (
    <div ref={scroller} className={styles.outline}>
      {rows.length === 0 && <p className={styles.empty}>No turns yet. The first message begins the first topic.</p>}
      <div
        role="tree"
        aria-label="Outline"
        aria-multiselectable
        className={styles.tree}
        style={{ height }}
        {...handlers}
      >
        {items.map(({ index, start, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <OutlineRowView
              key={row.key}
              id={rowId(row.key)}
              row={row}
              index={index}
              top={start}
              height={size}
              actions={{ rename: readOnly ? null : () => setRenaming(row.key), renamed }}
              marks={{
                focusable: index === focused,
                selected: isSelected(row),
                current: isTurn(row, activeId),
                onPath: row.kind === 'turn' && onPath.has(row.node.id),
                renaming: row.key === renaming,
              }}
            />
          );
        })}
      </div>
      {menu !== null && <TurnMenuAt {...menu} label="Turns" onClose={() => setMenu(null)} />}
    </div>
  );
};

const NONE: ReadonlySet<string> = new Set();

interface Rows {
  readonly rows: readonly OutlineRow[];
  readonly expand: (keys: readonly string[]) => void;
  readonly collapse: (key: string) => void;
}

/** The rows of a forest, and what of it is expanded: everything that nobody collapsed. */
export const useRows = (forest: Forest): Rows => {
  const [collapsed, setCollapsed] = useState(NONE);
  const kept = useRef<Outlined | null>(null);
  const { rows } = useMemo(() => {
    kept.current = outlined(forest, collapsed, kept.current);
    return kept.current;
  }, [forest, collapsed]);
  const expand = useCallback((keys: readonly string[]) => {
    setCollapsed((before) => {
      const after = new Set(before);
      for (const key of keys) after.delete(key);
      return after.size === before.size ? before : after;
    });
  }, []);
  const collapse = useCallback((key: string) => setCollapsed((before) => new Set(before).add(key)), []);
  return { rows, expand, collapse };
};

/** A value as it is, or, while a `wait` is given, as it was when it last stayed the same for so many milliseconds. */
export const useSettled = <T,>(value: T, wait: number | null): T => {
  const settled = useRef(value);
  const [, rerender] = useReducer((times: number) => times + 1, 0);
  if (wait === null) settled.current = value;

  useEffect(() => {
    if (wait === null || settled.current === value) return;
    const timer = setTimeout(() => {
      settled.current = value;
      rerender();
    }, wait);
    return () => clearTimeout(timer);
  }, [value, wait]);

  return settled.current;
};

/** Height of a row in pixels. */
const ROW = 32;
/** Room above the first row and under the last, in pixels. */
const PADDING = 8;

interface Window {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly VirtualItem[];
  /** Of all rows, mounted or not; pixels. */
  readonly height: number;
  /** Index of the one row that Tab reaches. */
  readonly focused: number;
  /** Moves the keyboard's focus to a row and the row into view. */
  readonly focus: (key: string) => void;
  readonly rowId: (key: string) => string;
}

/** Few rows are looked for, again and again: to note where all of them stand took longer, whenever a turn came. */
const placesIn = (rows: readonly OutlineRow[]): ((key: string) => number) => {
  const known = new Map<string, number>();
  return (key) => {
    const place = known.get(key) ?? rows.findIndex((row) => row.key === key);
    known.set(key, place);
    return place;
  };
};

/**
 * Mounts the rows that are in view, and the one with the keyboard's focus wherever it is: focus would be
 * lost with its element. When `shown` changes, calls `onHidden` if its row is not there, and scrolls to it.
 */
export const useWindow = (rows: readonly OutlineRow[], shown: string | null, onHidden: () => void): Window => {
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [focusKey, setFocusKey] = useState<string | null>(null);
  const grab = useRef(false);
  const reveal = useRef<string | null>(null);
  const rowId = useCallback((key: string) => `${prefix}${key}`, [prefix]);

  const placeOf = useMemo(() => placesIn(rows), [rows]);
  const indexOf = (key: string | null) => (key === null ? -1 : placeOf(key));
  const focused = [indexOf(focusKey), indexOf(shown)].find((index) => index !== -1) ?? 0;

  // Kept the same between renders: another function would have all rows measured anew on every scroll.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 8,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    getItemKey,
    rangeExtractor: (range: Range) => {
      const inView = defaultRangeExtractor(range);
      const kept = inView.includes(focused) || focused >= rows.length ? inView : [...inView, focused];
      return kept.sort((a, b) => a - b);
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of what is shown moves the view
  useEffect(() => {
    if (shown === null) return;
    setFocusKey(shown);
    reveal.current = shown;
    if (indexOf(shown) === -1) onHidden();
  }, [shown]);

  useLayoutEffect(() => {
    const wanted = indexOf(reveal.current);
    if (wanted !== -1) {
      reveal.current = null;
      const { scrollOffset, scrollRect } = virtualizer;
      const top = offsetThatShows(wanted, scrollOffset ?? 0, scrollRect?.height ?? 0);
      // The virtualizer's own way asks for the element's height time and again, and has the page laid out each time.
      if (top !== scrollOffset) scroller.current?.scrollTo({ top });
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

  return { scroller, items: virtualizer.getVirtualItems(), height: virtualizer.getTotalSize(), focused, focus, rowId };
};

const rowHeight = (): number => ROW;

/** The nearest to `offset`, pixels from the top, at which a scroller so high shows all of a row. */
const offsetThatShows = (index: number, offset: number, height: number): number => {
  const top = PADDING + index * ROW;
  return Math.max(0, Math.min(top - PADDING, Math.max(offset, top + ROW + PADDING - height)));
};

/** Levels beyond this are not indented further; their `aria-level` still tells. */
const DEEPEST_INDENT = 10;

interface RowMarks {
  readonly focusable: boolean;
  readonly selected: boolean;
  /** The active turn: the next message goes on from here. */
  readonly current: boolean;
  /** On the active path. */
  readonly onPath: boolean;
  readonly renaming: boolean;
}

/** What a row's own controls do; clicks on the row itself are the tree's affair. */
interface TitleActions {
  /** null while nothing can be changed. */
  readonly rename: (() => void) | null;
  /** The new title; null if it is to stay. */
  readonly renamed: (title: string | null) => void;
}

interface Props {
  readonly id: string;
  readonly row: OutlineRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly marks: RowMarks;
  readonly actions: TitleActions;
}

const OutlineRowView = ({ id, row, index, top, height, marks, actions }: Props) => {
  const topic = row.kind === 'topic' ? row.tree.order : row.topic;
  const style = {
    height,
    transform: `translateY(${top}px)`,
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
        <TopicContent row={row} marks={marks} actions={actions} />
      ) : (
        <>
          <span className={styles.number}>{row.node.number}</span>
          {row.forks && <GitBranch className={styles.fork} aria-hidden="true" />}
          <span className={styles.words}>{row.node.message.slice(0, 240)}</span>
          <RowMarkIcons node={row.node} />
          {marks.current && <span className={styles.active}>active</span>}
        </>
      )}
    </div>
  );
};

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

interface TopicProps extends Pick<Props, 'marks' | 'actions'> {
  readonly row: TopicRow;
}

const TopicContent = ({ row, marks, actions }: TopicProps) => {
  if (marks.renaming) return <TopicTitle title={row.tree.title} onDone={actions.renamed} />;
  return (
    <>
      <TopicDot order={row.tree.order} />
      <span className={styles.title}>{row.tree.title}</span>
      <span className={styles.count}>{counted(row.turns, 'turn')}</span>
      {actions.rename !== null && (
        <IconButton
          label={`Rename ${row.tree.title}`}
          icon={Pencil}
          keys="F2"
          size="small"
          className={styles.rename ?? ''}
          tabIndex={-1}
          onClick={actions.rename}
        />
      )}
    </>
  );
};

interface TopicTitleProps {
  readonly title: string;
  /** The new title; null if it is to stay as it was. */
  readonly onDone: (title: string | null) => void;
}

/** A topic's title while it is being changed: Enter or leaving keeps it, Escape does not. */
const TopicTitle = ({ title, onDone }: TopicTitleProps) => {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);

  useEffect(() => input.current?.select(), []);

  const finish = (keep: boolean) => {
    if (done.current) return;
    done.current = true;
    const wanted = input.current?.value.trim() ?? '';
    onDone(keep && wanted !== '' && wanted !== title ? wanted : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
    if (event.key === 'Escape') finish(false);
  };

  return (
    <input
      ref={input}
      className={styles.input}
      aria-label="Topic title"
      defaultValue={title}
      maxLength={120}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  );
};
