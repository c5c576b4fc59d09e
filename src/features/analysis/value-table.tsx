import type { Series } from '../../ui/parts/charts/plot.tsx';
import type { DecisionRow } from './analysis.ts';
import { type Column, VirtualTable } from './virtual-table.tsx';

interface Row {
  readonly row: DecisionRow;
  readonly index: number;
}

/** The values of a chart, turn by turn. */
export const ValueTable = ({
  label,
  rows,
  series,
  words,
  onOpen,
}: {
  label: string;
  rows: readonly DecisionRow[];
  series: readonly Series[];
  words: (value: number) => string;
  onOpen: (index: number) => void;
}) => {
  const columns: Column<Row, string>[] = [
    { key: 'number', title: 'Turn', width: '48px', align: 'end', cell: ({ row }) => row.number },
    { key: 'message', title: 'Message', width: 'minmax(120px, 1fr)', cell: ({ row }) => row.message },
    ...series.map(({ key, name, values }) => ({
      key,
      title: name,
      width: `${Math.max(80, name.length * 7)}px`,
      align: 'end' as const,
      cell: ({ index }: Row) => {
        const value = values[index] ?? null;
        return value === null ? '–' : words(value);
      },
    })),
  ];
  return (
    <VirtualTable
      label={label}
      columns={columns}
      rows={rows.map((row, index) => ({ row, index }))}
      keyOf={({ row }) => row.nodeId}
      minWidth={240 + series.reduce((sum, { name }) => sum + Math.max(80, name.length * 7) + 16, 0)}
      onOpen={({ index }) => onOpen(index)}
    />
  );
};
