/** How long its data is kept for a download that has not started, in milliseconds: Safari on iOS asks first. */
const UNTIL_ANSWERED = 40_000;

/** Offers a text or picture data as a file download. */
export const download = (name: string, content: string | Blob, type = textType(name)): void => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Once started, the download holds its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(url), UNTIL_ANSWERED);
};

const textType = (name: string): string => (name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson');

/** A title as the start of a file name. */
export const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase() || 'conversation';

export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** A cell of a spreadsheet (RFC 4180). */
export const cell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // A spreadsheet would run a message that looks like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * Lines of cells as a file for spreadsheets (RFC 4180). It begins with a byte order mark: without one, Excel takes it for
 * text in the encoding of the system.
 */
export const spreadsheet = (lines: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')}`;
