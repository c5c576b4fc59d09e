import type { PolicyContext } from '../../engine/history/compare-contexts.ts';
import { contextParts, type Part, wordsOf } from '../../ui/inspector/context-parts.ts';
import { ratio } from '../../ui/parts/format.ts';

/** One thing that contexts may hold, and what each of them holds of it; null where it lacks it. */
export interface CompareRow {
  readonly key: string;
  readonly label: string;
  readonly cells: readonly (Part | null)[];
  /** Not all of them send the same words of it. */
  readonly differs: boolean;
}

/** Contexts laid side by side: what they begin with, the overview, the turns in order of time, the message. */
export const compareRows = (contexts: readonly PolicyContext[]): CompareRow[] => {
  const columns = contexts.map(
    ({ forest, context }) => new Map(contextParts(forest, context).map((part) => [part.key, part])),
  );
  const rows = new Map<string, Part>();
  for (const column of columns) for (const [key, part] of column) if (!rows.has(key)) rows.set(key, part);
  const numberOf = ({ nodeId }: Part): number =>
    contexts.reduce((found, { forest }) => found || (forest.nodes[nodeId ?? '']?.number ?? 0), 0);
  return [...rows]
    .map(([key, part]) => {
      const cells = columns.map((column) => column.get(key) ?? null);
      const [first] = cells;
      const differs = cells.some((cell) => cell === null || !first || wordsOf(cell) !== wordsOf(first));
      return { key, part, row: { key, label: labelOf(part, numberOf(part)), cells, differs } };
    })
    .sort((a, b) => rank(a.part) - rank(b.part) || numberOf(a.part) - numberOf(b.part))
    .map(({ row }) => row);
};

const isTurn = ({ key, kind }: Part): boolean => key.startsWith('turn ') && kind !== 'message';

/** A turn is one row whichever way it is sent; how is said in its cells. */
const labelOf = (part: Part, number: number): string => (isTurn(part) && number > 0 ? `Turn ${number}` : part.label);

const ORDER = ['instructions', 'overview', 'branch', 'topic', 'left-out', 'memory', 'turn', 'message'];

const rank = (part: Part): number => {
  if (part.key === 'overview') return ORDER.indexOf('overview');
  return ORDER.indexOf(isTurn(part) ? 'turn' : part.kind);
};

/** As what a turn or a line is in a context, in a word or two. */
export const cellWords = ({ kind, said, score }: Part): string => {
  switch (kind) {
    case 'turn':
      return said.length > 1 ? 'in full' : 'its message';
    case 'pinned':
      return 'pinned';
    case 'reference':
      return 'referred to';
    case 'unsure':
      return 'in case';
    case 'shortened':
      return 'shortened';
    case 'fetched':
      return 'fetched';
    case 'turn-summary':
    case 'branch':
    case 'topic':
      return 'in short';
    case 'instructions':
    case 'message':
    case 'left-out':
      return 'sent';
    case 'memory':
      return score === undefined ? 'recalled' : `recalled, ${ratio(score)}`;
  }
};
