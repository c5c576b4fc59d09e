import { useCallback } from 'react';
import type { NodeId } from '../../domain/forest.ts';
import { useActions, useApp, useAppState } from '../app-context.ts';
import type { OutlineRow } from './rows.ts';
import { toggled, turnOf, turnsBetween } from './selection.ts';

/** Selecting one turn or several, from the rows. The one selected first stays the one that the inspector shows. */
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
  /** What a row's menu or a key is about: the whole selection where the row is in it, else that row, which is selected. */
  const take = (row: OutlineRow): readonly NodeId[] => {
    const id = turnOf(row);
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
