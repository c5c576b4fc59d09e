interface SpokenLine {
  readonly by: 'user' | 'assistant';
  readonly text: string;
}

/** A speaker's name at the start of a line, perhaps in bold or as a heading, as people paste it. */
const LABEL =
  /^(?:#+\s*)?\**(?:(user|you|me|human|prompt|q)|(assistant|ai|bot|chatgpt|claude|gemini|model|reply|a)|(system))(?:\s+said)?\**\s*:\**[ \t]*/i;

/** `User: … Assistant: …` as plain text, or null if the text is not labelled so. */
export const plainText = (text: string): readonly SpokenLine[] | null => {
  const lines: SpokenLine[] = [];
  let by: SpokenLine['by'] | 'system' | null = null;
  let said: string[] = [];
  let inCode = false;
  const finish = () => {
    if (by === 'user' || by === 'assistant') lines.push({ by, text: said.join('\n') });
    said = [];
  };
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const label = inCode ? null : LABEL.exec(line);
    if (label !== null) {
      finish();
      by = label[1] !== undefined ? 'user' : label[2] !== undefined ? 'assistant' : 'system';
    } else if (by === null && line.trim() !== '') return null;
    said.push(label === null ? line : line.slice(label[0].length));
  }
  finish();
  return lines.some((line) => line.by === 'user') ? lines : null;
};
