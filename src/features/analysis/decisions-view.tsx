import { Download } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { download } from '../../ui/parts/download.ts';
import { count, counted } from '../../ui/parts/format.ts';
import { PHONE, useMedia } from '../../ui/shell/use-media.ts';
import { type DecisionRow, everyDecision, filtered, type Sorting, type SortKey, sorted } from './analysis.ts';
import { type ExportedFile, tableFile, tracesFile } from './analysis-export.ts';
import { decisionColumns } from './decision-columns.tsx';
import styles from './decisions.module.css';
import { FilterBar } from './filter-bar.tsx';
import { VirtualTable } from './virtual-table.tsx';

/** Which way a column sorts when it is first chosen: what is worth a look comes first. */
const DOWN_FIRST: readonly SortKey[] = ['word', 'fallbacks', 'version', 'tokens', 'ms'];
/** What a phone has room for, in its order: how sure it was is seen without scrolling. */
const ON_PHONE: readonly SortKey[] = ['number', 'message', 'confidence', 'topic', 'branch', 'word', 'tokens'];

interface Props {
  readonly rows: readonly DecisionRow[];
  readonly forest: Forest;
  readonly onOpen: (nodeId: NodeId) => void;
}

/** All decisions as a table; those least sure come first. */
export const DecisionsView = ({ rows, forest, onOpen }: Props) => {
  const state = useAppState();
  const phone = useMedia(PHONE);
  const [filter, setFilter] = useState(everyDecision);
  const [sorting, setSorting] = useState<Sorting>({ by: 'confidence', down: false });
  const lagging = useDeferredValue(filter);
  const shown = useMemo(() => sorted(filtered(rows, lagging), sorting), [rows, lagging, sorting]);
  const columns = useMemo(() => {
    const all = decisionColumns(forest);
    return phone ? ON_PHONE.flatMap((wanted) => all.filter(({ key }) => key === wanted)) : all;
  }, [forest, phone]);

  const sort = (by: SortKey) =>
    setSorting(sorting.by === by ? { by, down: !sorting.down } : { by, down: DOWN_FIRST.includes(by) });
  const save = (
    make: (of: readonly DecisionRow[], from: { conversationId: string; forest: Forest }) => ExportedFile,
  ) => {
    const { name, text } = make(shown, { conversationId: state().conversationId, forest });
    download(name, text);
  };
  return (
    <>
      <FilterBar filter={filter} onFilter={setFilter} />
      {shown.length === 0 ? (
        <p className={styles.empty}>No decision is like that. Show all, or ask for less.</p>
      ) : (
        <VirtualTable
          label="Decisions"
          columns={columns}
          rows={shown}
          keyOf={({ nodeId }) => nodeId}
          minWidth={phone ? 740 : 1120}
          sorting={{ ...sorting, onSort: sort }}
          onOpen={({ nodeId }) => onOpen(nodeId)}
        />
      )}
      <div className={styles.foot}>
        <p role="status">
          {shown.length === rows.length
            ? counted(rows.length, 'decision')
            : `${count(shown.length)} of ${counted(rows.length, 'decision')}`}
          <span className={styles.how}> · Enter or a click goes to the turn</span>
        </p>
        <Button disabled={shown.length === 0} onClick={() => save(tableFile)}>
          <Download size={14} aria-hidden />
          Table as CSV
        </Button>
        <Button look="primary" disabled={shown.length === 0} onClick={() => save(tracesFile)}>
          <Download size={14} aria-hidden />
          Traces as JSONL
        </Button>
      </div>
    </>
  );
};
