/** A line that begins fenced code: its info string holds no backticks, else it is code within a line. */
const OPENS = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** The fence that is open after a line, given the one open before it; null outside of fenced code. */
const fenceAfter = (fence: string | null, line: string): string | null => {
  if (fence === null) return OPENS.exec(line)?.[1] ?? null;
  return CLOSES.exec(line)?.[1]?.startsWith(fence) ? null : fence;
};

/**
 * Markdown cut at blank lines outside of fenced code, so that while a reply streams in only its last
 * block is read again. Joined by a blank line the blocks say what the text says.
 */
export const blocksOf = (markdown: string): string[] => {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | null = null;
  const close = () => {
    if (block.length > 0) blocks.push(block.join('\n'));
    block = [];
  };
  for (const line of markdown.split('\n')) {
    const before = fence;
    fence = fenceAfter(fence, line);
    if (before === null && fence === null && line.trim() === '') close();
    else block.push(line);
  }
  close();
  return blocks;
};

/** Whether a block ends within fenced code, whose end is still to come. */
export const endsInCode = (block: string): boolean => block.split('\n').reduce(fenceAfter, null) !== null;
