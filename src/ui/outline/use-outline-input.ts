import type { KeyboardEvent, MouseEvent } from 'react';
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
}

interface Handlers {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
  readonly onDoubleClick: (event: MouseEvent) => void;
}

/** The tree's handlers: one set for all rows, mounted or not. */
export const useOutlineInput = (rows: readonly OutlineRow[], focused: number, ask: RowRequests): Handlers => {
  const type = useTypeahead();

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[focused];
    if (row === undefined || !(event.target as Element).matches('[role=treeitem]')) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const intent = keyIntent(rows, focused, key);
    if (intent?.kind === 'focus') ask.focus(rows[intent.index]?.key ?? row.key);
    else if (intent?.kind === 'expand') ask.expand(intent.keys);
    else if (intent?.kind === 'collapse') ask.collapse(intent.key);
    else if (key === 'Enter' && ask.isSelected(row)) ask.activate(row);
    else if (key === 'Enter' || key === ' ') ask.choose(row);
    else if (key === 'F2') ask.rename(row);
    else if (key.length === 1) {
      const found = rows[typeahead(rows, focused, type(key))];
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
  const onClick = ({ target }: MouseEvent) => {
    const row = rowAt(target as Element);
    if (row === undefined) return;
    if ((target as Element).closest('[data-twisty]') === null) return ask.choose(row);
    if (row.expanded) ask.collapse(row.key);
    else ask.expand([row.key]);
  };
  const onDoubleClick = ({ target }: MouseEvent) => {
    const row = rowAt(target as Element);
    if (row !== undefined && (target as Element).closest('[data-twisty]') === null) ask.activate(row);
  };

  return { onKeyDown, onClick, onDoubleClick };
};
