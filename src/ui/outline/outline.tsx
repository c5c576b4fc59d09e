import { useDeferredValue, useMemo, useState } from 'react';
import { shownForest } from '../../app/state.ts';
import type { NodeId } from '../../domain/forest.ts';
import { activePath } from '../../domain/queries.ts';
import { useActions, useApp } from '../app-context.ts';
import { type MenuPlace, TurnMenuAt } from '../shell/commands/turn-menu.tsx';
import styles from './outline.module.css';
import { OutlineRowView } from './outline-row.tsx';
import { keysAbove, type OutlineRow } from './rows.ts';
import { useOutlineInput } from './use-outline-input.ts';
import { useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';
import { useSettled } from './use-settled.ts';
import { useWindow } from './use-window.ts';

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
  const onPath = useMemo(() => new Set(activePath(forest).map((node) => node.id)), [forest]);
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
