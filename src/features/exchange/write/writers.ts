import { breathing } from '../../../engine/tasks.ts';
import { chatGptArchive, chatGptMapping, llamaCppSessions, openWebUiChats } from './chat-tools.ts';
import { coppiceLog } from './coppice-log.ts';
import { htmlPage } from './html.tsx';
import { markdown, markdownArchive } from './markdown.ts';
import { mermaid } from './mermaid.ts';
import { pixelPicture, vectorPicture } from './picture.ts';
import { convoKitUtterances, openAssistantTrees } from './thread-corpora.ts';
import { preferencePairs, sftMessages, shareGptList } from './training.ts';
import type { WriteOptions, Writer, WrittenConversation } from './writer.ts';

/** What can be written. A format is a file and a line here. */
export const WRITERS = [
  coppiceLog,
  llamaCppSessions,
  openWebUiChats,
  chatGptMapping,
  chatGptArchive,
  openAssistantTrees,
  convoKitUtterances,
  preferencePairs,
  sftMessages,
  shareGptList,
  markdown,
  markdownArchive,
  htmlPage,
  vectorPicture,
  pixelPicture,
  mermaid,
] as const satisfies readonly Writer[];

/** Pieces are gathered up to so many characters before they become part of the file. */
const PORTION = 1 << 20;

/**
 * Writes conversations, which come one after the other, as one file; between its pieces the page can draw and the person
 * can end it by the signal. null where nothing of them can be in such a file. Rejects where a conversation cannot be read, or a picture cannot be made.
 */
export const writeFile = async (
  writer: Writer,
  conversations: AsyncIterable<WrittenConversation>,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<Blob | null> => {
  const parts: Blob[] = [];
  let portion = '';
  const breath = breathing(() => performance.now());
  const add = (text: string): void => {
    portion += text;
    if (portion.length < PORTION) return;
    parts.push(new Blob([portion]));
    portion = '';
  };
  let isFirst = true;
  const files = new Map<string, string>();
  if (writer.form === 'list') add('[');
  for await (const conversation of conversations) {
    if (writer.finish !== undefined) for (const [id, url] of conversation.files ?? []) files.set(id, url);
    for (const piece of writer.write(conversation, options)) {
      if (writer.form === 'list') add(`${isFirst ? '\n' : ',\n'}${piece}`);
      else add(writer.form === 'lines' ? `${piece}\n` : piece);
      isFirst = false;
      await breath();
      signal.throwIfAborted();
    }
  }
  if (isFirst) return null;
  if (writer.form === 'list') add('\n]\n');
  parts.push(new Blob([portion]));
  const file = new Blob(parts, { type: writer.type });
  return writer.finish === undefined ? file : writer.finish(await file.text(), files);
};
