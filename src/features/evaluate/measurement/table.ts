/** A table of cells that are text already. The first row is its head. */
export interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** A Markdown table with its columns lined up, so that it reads as plain text, too. */
export const tableText = ({ rows }: Table): string => {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
};
