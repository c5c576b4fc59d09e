import type { NodeId } from '../../domain/forest.ts';
import type { OutlineRow } from './rows.ts';

/** The selection with a turn taken in, or out if it was in it. */
export const toggled = (selection: readonly NodeId[], id: NodeId): NodeId[] =>
  selection.includes(id) ? selection.filter((one) => one !== id) : [...selection, id];

/** The turns shown from one row to another, both among them, whichever comes first. */
export const turnsBetween = (rows: readonly OutlineRow[], from: number, to: number): NodeId[] =>
  rows.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((row) => (row.kind === 'turn' ? [row.node.id] : []));

/** The turn that a row stands for: a topic's is its first. */
export const turnOf = (row: OutlineRow): NodeId => (row.kind === 'topic' ? row.tree.rootId : row.node.id);
