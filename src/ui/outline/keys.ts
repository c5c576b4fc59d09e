import { type OutlineRow, parentRow } from './rows.ts';

/** What a key asks of the outline (WAI-ARIA APG, tree view). */
export type KeyIntent =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'expand'; readonly keys: readonly string[] }
  | { readonly kind: 'collapse'; readonly key: string };

/** Rows that Page Up and Page Down go by. */
const PAGE = 10;

/** What a key means on a row; null where it means nothing. */
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
  index: Math.max(0, Math.min(rows.length - 1, index)),
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

/**
 * The next row whose words or number begin with what was typed, round the end; −1 if there is none. A
 * single letter begins after the row itself, so that typing it again goes on; more letters may stay.
 */
export const typeahead = (rows: readonly OutlineRow[], index: number, typed: string): number => {
  const wanted = typed.toLocaleLowerCase();
  const from = typed.length > 1 ? 0 : 1;
  for (let step = 0; step < rows.length; step++) {
    const at = (index + from + step) % rows.length;
    const row = rows[at];
    if (row !== undefined && beginsWith(row, wanted)) return at;
  }
  return -1;
};

const beginsWith = (row: OutlineRow, wanted: string): boolean => {
  if (row.kind === 'topic') return row.tree.title.toLocaleLowerCase().startsWith(wanted);
  return `${row.node.number}`.startsWith(wanted) || row.node.message.toLocaleLowerCase().startsWith(wanted);
};
