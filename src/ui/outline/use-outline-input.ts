import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { clamp } from '../../domain/numbers.ts';
import { createYielder, inSteps, LatestTask, withinSpell } from '../../engine/tasks.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import type { MenuPlace } from '../commands/turn-actions.tsx';
import { type OutlineRow, parentRow } from './rows.ts';

/** What keys and pointers can request of a row. */
interface RowRequests {
  readonly focus: (key: string) => void;
  readonly expand: (keys: readonly string[]) => void;
  readonly collapse: (key: string) => void;
  /** Selects a turn; expands or collapses a topic. */
  readonly choose: (row: OutlineRow) => void;
  /** Makes a turn the active one. */
  readonly activate: (row: OutlineRow) => void;
  /** Enter on a row that is already selected goes one step further. */
  readonly isSelected: (row: OutlineRow) => boolean;
  /** Renames a topic in place. */
  readonly rename: (row: OutlineRow) => void;
  /** Adds a turn to the selection, or removes it. */
  readonly toggle: (row: OutlineRow) => void;
  /** Selects everything from the selected turn to this row. */
  readonly extend: (row: OutlineRow) => void;
  /** Selects a row unless it is selected already: the next command applies to it. */
  readonly take: (row: OutlineRow) => void;
  /** Opens the menu of a row, at the pointer or (null) next to the row. */
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
  const [search] = useState(() => new LatestTask());
  useEffect(() => () => search.cancel(), [search]);

  /** Moves to the row that starts with what was typed: in a very long conversation a little later, unless something else is done first. */
  const goToTyped = (index: number, typed: string) => {
    const go = (to: number) => {
      const found = rows[to];
      if (found !== undefined) ask.focus(found.key);
    };
    const steps = typeahead(rows, index, typed);
    const now = () => performance.now();
    const short = withinSpell(steps, now);
    if (short !== null) return go(short.result);
    void search.run((signal) => inSteps(steps, createYielder(now, signal))).then((to) => to !== null && go(to));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const element = event.target as Element;
    // By element rather than tab stop: assistive technology may focus any row.
    const at = Number(element.getAttribute('data-index') ?? Number.NaN);
    const row = rows[at];
    if (row === undefined || !element.matches('[role=treeitem]')) return;
    search.cancel();
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
    // The page's own command runs next and applies to the focused row.
    if (key === 'Delete' || (key === 'F2' && row.kind === 'turn')) return ask.take(row);
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
    else if (key.length === 1) goToTyped(at, type(key));
    else return;
    event.preventDefault();
    // The page's single-key shortcuts must not see letters meant for the list.
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
    search.cancel();
    if (ctrlKey || metaKey || shiftKey) {
      ask.focus(row.key);
      return shiftKey ? ask.extend(row) : ask.toggle(row);
    }
    if ((target as Element).closest('[data-twisty]') === null) return ask.choose(row);
    if (row.expanded) ask.collapse(row.key);
    else ask.expand([row.key]);
  };
  const onDoubleClick = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    // With these keys held, a click is about the selection of several.
    if (ctrlKey || metaKey || shiftKey) return;
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

/** What a key does in the outline (WAI-ARIA APG, tree view). */
type KeyIntent =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'expand'; readonly keys: readonly string[] }
  | { readonly kind: 'collapse'; readonly key: string };

/** How many rows Page Up and Page Down move by. */
const PAGE = 10;

/** The meaning of a key on a row; null if it has none. */
export const keyIntent = (rows: readonly OutlineRow[], index: number, key: string): KeyIntent | null => {
  const row = rows[index];
  if (row === undefined) return null;
  switch (key) {
    case 'ArrowDown':
      return focus(rows, index + 1);
    case 'ArrowUp':
      return focus(rows, index - 1);
    case 'PageDown':
      return focus(rows, index + PAGE);
    case 'PageUp':
      return focus(rows, index - PAGE);
    case 'Home':
      return focus(rows, 0);
    case 'End':
      return focus(rows, rows.length - 1);
    case 'ArrowRight':
      if (row.expanded === null) return null;
      return row.expanded ? focus(rows, index + 1) : { kind: 'expand', keys: [row.key] };
    case 'ArrowLeft': {
      if (row.expanded === true) return { kind: 'collapse', key: row.key };
      const parent = parentRow(rows, index);
      return parent === -1 ? null : { kind: 'focus', index: parent };
    }
    case '*':
      return { kind: 'expand', keys: siblingsOf(rows, index).map((sibling) => sibling.key) };
    default:
      return null;
  }
};

const focus = (rows: readonly OutlineRow[], index: number): KeyIntent => ({
  kind: 'focus',
  index: clamp(index, 0, rows.length - 1),
});

/** The rows under the same parent that can be expanded. */
const siblingsOf = (rows: readonly OutlineRow[], index: number): OutlineRow[] => {
  const level = rows[index]?.level ?? 1;
  const first = parentRow(rows, index) + 1;
  const end = rows.findIndex((row, at) => at >= first && row.level < level);
  return rows
    .slice(first, end === -1 ? rows.length : end)
    .filter((row) => row.level === level && row.expanded !== null);
};

/** Rows compared in their own order. */
const NEAR = 300;

/**
 * Indices of all rows: those from one row on in their order, as what was typed is mostly about one of them; then the
 * others in order of time, in which what they say is stored.
 */
function* nearFirst(rows: readonly OutlineRow[], index: number): Generator<number> {
  const at = (step: number) => (index + step) % rows.length;
  for (let step = 0; step < Math.min(NEAR, rows.length); step++) yield at(step);
  const numberOf = (row: OutlineRow | undefined) => (row?.kind === 'turn' ? row.node.number : 0);
  const others = Array.from({ length: Math.max(0, rows.length - NEAR) }, (_, step) => at(NEAR + step));
  yield* others.sort((a, b) => numberOf(rows[a]) - numberOf(rows[b]));
}

/**
 * The next row whose text or number starts with what was typed, wrapping around; −1 if there is none. A single letter
 * starts the search after the row itself, so that repeating it moves on; longer input may stay. A letter typed several
 * times in a row is still that letter, unless a row starts with all of them. In steps: each row may have to be read.
 */
export function* typeahead(rows: readonly OutlineRow[], index: number, typed: string): Generator<undefined, number> {
  const wanted = typed.toLocaleLowerCase();
  const first = typed.charAt(0);
  const letter = typed.length > 1 && typed === first.repeat(typed.length) ? first.toLocaleLowerCase() : null;
  let [nearest, nearestByLetter] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let done = 0;
  for (const at of nearFirst(rows, index)) {
    const row = rows[at] as OutlineRow;
    const steps = (at - index + rows.length) % rows.length;
    const stepsOn = steps === 0 ? rows.length : steps;
    const distance = typed.length > 1 ? steps : stepsOn;
    if (distance < nearest && beginsWith(row, wanted)) nearest = distance;
    if (letter !== null && stepsOn < nearestByLetter && beginsWith(row, letter)) nearestByLetter = stepsOn;
    if (done < NEAR && nearest <= done) break;
    done += 1;
    yield;
  }
  const found = Number.isFinite(nearest) ? nearest : nearestByLetter;
  return Number.isFinite(found) ? (index + found) % rows.length : -1;
}

const beginsWith = (row: OutlineRow, wanted: string): boolean => {
  if (row.kind === 'topic') return row.tree.title.toLocaleLowerCase().startsWith(wanted);
  return `${row.node.number}`.startsWith(wanted) || row.node.message.toLocaleLowerCase().startsWith(wanted);
};

/** Letters typed within this time of each other belong to one word; milliseconds. */
const PAUSE = 600;

/** Collects typed letters; returns the word so far. */
const useTypeahead = (): ((letter: string) => string) => {
  const typed = useRef({ word: '', at: 0 });
  return useCallback((letter: string) => {
    const now = performance.now();
    const word = now - typed.current.at < PAUSE ? typed.current.word + letter : letter;
    typed.current = { word, at: now };
    return word;
  }, []);
};

/** The selection with a turn added, or removed if it was selected. */
export const toggled = (selection: readonly NodeId[], id: NodeId): NodeId[] =>
  selection.includes(id) ? selection.filter((one) => one !== id) : [...selection, id];

/** The turns shown between two rows, both included, in either order. */
export const turnsBetween = (rows: readonly OutlineRow[], from: number, to: number): NodeId[] =>
  rows.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((row) => (row.kind === 'turn' ? [row.node.id] : []));

/** The turn that a row stands for; for a topic, its first. */
export const rowTurnId = (row: OutlineRow): NodeId => (row.kind === 'topic' ? row.tree.rootId : row.node.id);

/** Selects one or several turns from the rows. The one selected first stays the one that the inspector shows. */
export const useSelection = (rows: readonly OutlineRow[]) => {
  const { select, selectMany } = useActions();
  const state = useAppState();
  const selection = useApp(({ session }) => session.selection);

  const toggle = (row: OutlineRow) => {
    if (row.kind === 'topic') return;
    const next = toggled(state().session.selection, row.node.id);
    const primary = state().session.selectedId;
    selectMany(next, primary !== null && next.includes(primary) ? primary : (next.at(-1) ?? null));
  };
  const extend = (row: OutlineRow) => {
    const primary = state().session.selectedId;
    const from = rows.findIndex((one) => one.kind === 'turn' && one.node.id === primary);
    const ids = turnsBetween(rows, from === -1 ? rows.indexOf(row) : from, rows.indexOf(row));
    if (ids.length > 0) selectMany(ids, from === -1 ? (ids[0] ?? null) : primary);
  };
  /** What a row's menu or a key applies to: the whole selection if the row is part of it, else that row, which becomes selected. */
  const take = (row: OutlineRow): readonly NodeId[] => {
    const id = rowTurnId(row);
    const { selection: now } = state().session;
    if (row.kind === 'turn' && now.includes(id)) return now;
    select(id);
    return [id];
  };
  const isSelected = useCallback(
    (row: OutlineRow) => row.kind === 'turn' && selection.includes(row.node.id),
    [selection],
  );
  return { isSelected, toggle, extend, take };
};
