import { chatGptArchive, chatGptMapping, llamaCppSessions, openWebUiChats } from './chat-tools.ts';
import { coppiceLog } from './coppice-log.ts';
import { htmlPage } from './html.tsx';
import { markdown, markdownArchive } from './markdown.ts';
import { mermaid } from './mermaid.ts';
import { pixelPicture, vectorPicture } from './picture.ts';
import { convoKitUtterances, openAssistantTrees } from './thread-corpora.ts';
import { preferencePairs, sftMessages, shareGptList } from './training.ts';
import type { Writer } from './writer.ts';

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
