import type { ReadDialogue, ReadDialogues } from '../../app/kernel.ts';
import { spokenOf } from '../../domain/reply.ts';
import { createImportReader, type ImportReader } from './import-reader.ts';
import type { TakenConversation } from './import-worker.ts';
import type { RefusedFile } from './read/read-files.ts';
import { wordsOf } from './read/turns-of-tree.ts';

/** The dialogues of files in any form that Import reads, for who does something else with them than keep them as conversations. */
export const readDialogues: ReadDialogues = async (files, signal) => {
  const reader = createImportReader(Date.now);
  const close = () => reader.close();
  signal.addEventListener('abort', close);
  try {
    return await read(reader, files);
  } finally {
    signal.removeEventListener('abort', close);
    reader.close();
  }
};

const read = async (reader: ImportReader, files: readonly File[]) => {
  const blobs = files.map((blob) => ({ name: blob.name, blob }));
  const refused: RefusedFile[] = [];
  const indices: number[] = [];
  await reader.scan(blobs, {
    rows: (rows) => indices.push(...rows.map(({ index }) => index)),
    refused: (one) => refused.push(one),
    progress: () => undefined,
  });
  const dialogues: ReadDialogue[] = [];
  await reader.take(blobs, indices, async ({ forest }) => {
    dialogues.push(dialogueOf(forest));
  });
  return { dialogues: dialogues.filter(({ turns }) => turns.length > 0), refused };
};

const dialogueOf = ({ title, turns: { turns } }: TakenConversation['forest']): ReadDialogue => {
  const places = new Map(turns.map(({ id }, at) => [id, at]));
  return {
    title,
    turns: turns.map((turn, at) => {
      const shown = turn.replies.find(({ id }) => id === turn.shownReplyId);
      const named = [turn.parentId, ...turn.references].flatMap((id) => (id === null ? [] : (places.get(id) ?? [])));
      return {
        message: wordsOf(turn),
        speaker: turn.speaker,
        reply: shown === undefined ? '' : spokenOf(shown.text).answer,
        parents: [...new Set(named)].filter((parent) => parent < at),
      };
    }),
  };
};
