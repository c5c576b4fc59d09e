import { expect } from 'vitest';
import { forestOf } from '../entries-of.ts';
import { readFiles } from '../read-files.ts';

/** The turns of each conversation as `id<parent: message > reply | reply*`, with the shown reply starred. */
export const shapes = (...texts: string[]): string[][] => {
  const { found, refused } = readFiles(texts.map((text, at) => ({ name: `file ${at + 1}`, text })));
  expect(refused).toEqual([]);
  return found.map(({ conversation }) => {
    const { turns } = forestOf(conversation, 1e12).turns;
    const numbers = new Map(turns.map(({ id }, at) => [id, at + 1]));
    return turns.map(({ parentId, message, replies, shownReplyId }) => {
      const said = replies.map(
        ({ id, text }) => `${text.replaceAll('\n', ' ')}${id === shownReplyId && replies.length > 1 ? '*' : ''}`,
      );
      return `${parentId === null ? '' : `${numbers.get(parentId)} › `}${message.replaceAll('\n', ' ')}${said.length === 0 ? '' : ` > ${said.join(' | ')}`}`;
    });
  });
};

/** The tool that a text is recognised as an export of. */
export const toolOf = (text: string): string | undefined => readFiles([{ name: 'x', text }]).found[0]?.tool;

/** The files of the first turn as `name`, those that the assistant made with a star. */
export const filesIn = (text: string): string[] => {
  const [found] = readFiles([{ name: 'x', text }]).found;
  const [turn] = found === undefined ? [] : forestOf(found.conversation, 0).turns.turns;
  return (turn?.attachments ?? []).map(({ name, madeIn }) => `${name}${madeIn === null ? '' : '*'}`);
};
