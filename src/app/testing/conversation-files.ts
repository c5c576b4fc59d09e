import type { Entry } from '../../domain/entry.ts';
import type { Dialogue } from '../../engine/ports.ts';
import { logLines } from '../../features/exchange/read/coppice-log.ts';
import { forestOf } from '../../features/exchange/read/entries-of.ts';
import { readFiles } from '../../features/exchange/read/read-files.ts';
import { dialogueOf } from '../../features/exchange/read/rows.ts';

/** A conversation as exported by Coppice. */
export const printLog = (title: string, entries: readonly Entry[], exportedAt = 1_700_000_000_000): string =>
  `${[...logLines(title, entries, exportedAt)].join('\n')}\n`;

/** The dialogues in a file's text, ready for replay; throws if any part could not be read. */
export const dialoguesIn = (name: string, text: string): readonly Dialogue[] => {
  const { found, refused } = readFiles([{ name, text }]);
  const [first] = refused;
  if (first !== undefined) throw new Error(first.why);
  return found.map(({ conversation }) => dialogueOf(forestOf(conversation, 0))).filter(({ turns }) => turns.length > 0);
};
