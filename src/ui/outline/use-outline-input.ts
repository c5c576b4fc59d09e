import type { KeyboardEvent, MouseEvent } from 'react';
import type { MenuPlace } from '../shell/commands/turn-menu.tsx';
import { keyIntent, typeahead } from './keys.ts';
import type { OutlineRow } from './rows.ts';
import { useTypeahead } from './use-typeahead.ts';

/** What keys and pointers can ask of a row. */
export interface RowRequests {
  readonly focus: (key: string) => void;
  readonly expand: (keys: readonly string[]) => void;
  readonly collapse: (key: string) => void;
  /** Selects a turn; opens or closes a topic. */
  readonly choose: (row: OutlineRow) => void;
  /** Makes a turn the active one. */
  readonly activate: (row: OutlineRow) => void;
  /** Enter on what is selected already goes one step further. */
  readonly isSelected: (row: OutlineRow) => boolean;
  readonly rename: (row: OutlineRow) => void;
  /** Takes a turn into the selection, or out of it. */
  readonly toggle: (row: OutlineRow) => void;
  /** Selects all from the selected turn to this row. */
  readonly extend: (row: OutlineRow) => void;
  /** Selects a row that is not yet selected: what comes next is about it. */
  readonly take: (row: OutlineRow) => void;
  /** Opens the menu of a row, at the pointer or (null) beside the row. */
  readonly menu: (row: OutlineRow, at: MenuPlace | null) => void;
}

interface Handlers {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
  readonly onDoubleClick: (event: MouseEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
}

/** The tree's handlers: one set for all rows, mounted or not. */
export const useOutlineInput = (rows: readonly OutlineRow[], ask: RowRequests): Handlers => {
  const type = useTypeahead();

  const onKeyDown = (event: KeyboardEvent) => {
    const element = event.target as Element;
    // By the element, not by what Tab would reach: assistive technology puts the focus where it likes.
    const at = Number(element.getAttribute('data-index') ?? Number.NaN);
    const row = rows[at];
    if (row === undefined || !element.matches('[role=treeitem]')) return;
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      return ask.toggle(row);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'ContextMenu' || (event.shiftKey && key === 'F10')) {
      event.preventDefault();
      return ask.menu(row, null);
    }
    // The page's own command follows, and is about what has the focus here.
    if (key === 'Delete') return ask.take(row);
    const intent = keyIntent(rows, at, key);
    if (intent?.kind === 'focus') {
      const to = rows[intent.index] ?? row;
      ask.focus(to.key);
      if (event.shiftKey) ask.extend(to);
    } else if (intent?.kind === 'expand') ask.expand(intent.keys);
    else if (intent?.kind === 'collapse') ask.collapse(intent.key);
    else if (key === 'Enter' && ask.isSelected(row)) ask.activate(row);
    else if (key === 'Enter' || key === ' ') ask.choose(row);
    else if (key === 'F2') ask.rename(row);
    else if (key.length === 1) {
      const found = rows[typeahead(rows, at, type(key))];
      if (found !== undefined) ask.focus(found.key);
    } else return;
    event.preventDefault();
    // The page's own single-key shortcuts must not see letters that were meant for the list.
    event.stopPropagation();
  };

  const rowAt = (target: Element): OutlineRow | undefined => {
    if (target.closest('button, input') !== null) return undefined;
    const index = target.closest('[data-index]')?.getAttribute('data-index');
    return index == null ? undefined : rows[Number(index)];
  };
  const onClick = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    const row = rowAt(target as Element);
    if (row === undefined) return;
    if (ctrlKey || metaKey || shiftKey) {
      ask.focus(row.key);
      return shiftKey ? ask.extend(row) : ask.toggle(row);
    }
    if ((target as Element).closest('[data-twisty]') === null) return ask.choose(row);
    if (row.expanded) ask.collapse(row.key);
    else ask.expand([row.key]);
  };
  const onDoubleClick = ({ target }: MouseEvent) => {
    const row = rowAt(target as Element);
    if (row !== undefined && (target as Element).closest('[data-twisty]') === null) ask.activate(row);
  };
  const onContextMenu = (event: MouseEvent) => {
    const row = rowAt(event.target as Element);
    if (row === undefined) return;
    event.preventDefault();
    ask.focus(row.key);
    ask.menu(row, { x: event.clientX, y: event.clientY });
  };

  return { onKeyDown, onClick, onDoubleClick, onContextMenu };
};
