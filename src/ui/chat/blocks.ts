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
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    if (fence === null && line.trim() === '') close();
    else block.push(line);
  }
  close();
  return blocks;
};
