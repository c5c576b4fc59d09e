/** A line that begins fenced code: its info string holds no backticks, else it is code within a line. */
const OPENS = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** The fence that is open after a line, given the one open before it; null outside of fenced code. */
export const fenceAfter = (fence: string | null, line: string): string | null => {
  if (fence === null) return OPENS.exec(line)?.[1] ?? null;
  return CLOSES.exec(line)?.[1]?.startsWith(fence) ? null : fence;
};
