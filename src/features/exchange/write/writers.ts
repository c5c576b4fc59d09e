import { activePath, subtree, treesOf } from '../../../domain/queries.ts';
import { recordsOf } from '../../../domain/table.ts';
import { createYielder } from '../../../engine/tasks.ts';
import { logLines } from '../read/coppice-log.ts';
import { shortened } from '../read/source.ts';
import { chatGptArchive, chatGptMapping, llamaCppSessions, openWebUiChats } from './chat-tools.ts';
import { htmlPage } from './html.tsx';
import { markdown, markdownArchive } from './markdown.ts';
import { PICTURE_PARTS, pixelPicture, vectorPicture } from './picture.ts';
import { convoKitUtterances, openAssistantTrees } from './thread-corpora.ts';
import { preferencePairs, sftMessages, shareGptList } from './training.ts';
import { ALL_PARTS, type Scope, type WriteOptions, type Writer, type WrittenConversation } from './writer.ts';

/** The forest as a flow chart in Mermaid, which Markdown pages render. */
export const mermaid: Writer = {
  id: 'mermaid',
  name: 'Mermaid',
  about: 'The forest as a text-based chart that GitHub and many notebooks can render.',
  group: 'Pictures',
  ending: '.mmd',
  type: 'text/vnd.mermaid',
  form: 'text',
  several: false,
  path: false,
  holds: PICTURE_PARTS,
  *write({ forest }) {
    const onPath = new Set(activePath(forest).map(({ id }) => id));
    yield 'flowchart TB\n';
    for (const { rootId, title, order } of treesOf(forest)) {
      const nodes = subtree(forest, rootId);
      yield `  subgraph topic${order}["${label(title)}"]\n`;
      for (const { number, message } of nodes) yield `    t${number}["${number} · ${label(message)}"]\n`;
      for (const { number, parentId } of nodes) {
        const parent = parentId === null ? undefined : forest.nodes[parentId];
        if (parent !== undefined) yield `    t${parent.number} --> t${number}\n`;
      }
      yield '  end\n';
    }
    const nodes = recordsOf(forest.nodes);
    for (const { number, references } of nodes) {
      for (const { to } of references) {
        const needed = forest.nodes[to];
        if (needed !== undefined) yield `  t${number} -.-> t${needed.number}\n`;
      }
    }
    const active = nodes.filter(({ id }) => onPath.has(id)).map(({ number }) => `t${number}`);
    if (active.length > 0) yield `  classDef active stroke-width:3px\n  class ${active.join(',')} active\n`;
    const hidden = nodes.filter(({ hidden: isHidden }) => isHidden).map(({ number }) => `t${number}`);
    if (hidden.length > 0) yield `  classDef hidden stroke-dasharray:4 3\n  class ${hidden.join(',')} hidden\n`;
  },
};

/** Escapes characters with a meaning in Mermaid as their code, and what would begin a list or a line, which it does not draw. */
const label = (text: string): string =>
  shortened(text)
    .replace(/["#<>&`\\[\]{}|;]/g, code)
    .replace(/^(\d*)([-+*_~.)])/, (_, number: string, sign: string) => number + code(sign));

const code = (sign: string): string => `#${sign.charCodeAt(0)};`;

/** The whole log, which Coppice can open again without loss. */
export const coppiceLog: Writer = {
  id: 'coppice',
  name: 'Coppice log',
  about:
    'The whole conversation for reopening in Coppice with nothing lost: every decision, reply, correction and attached file. Turns that you deleted are in it, unless you purged them.',
  group: 'Coppice',
  ending: '.coppice.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: false,
  path: false,
  holds: ALL_PARTS,
  write: ({ title, entries, files }, { now }) => logLines(title, entries, now, files),
};

/** The available formats. A new one needs a file and a line here. */
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

/** The files of the turns that are written: a log also has those of turns that were deleted or undone. */
const filesIn = ({ forest, files = new Map() }: WrittenConversation, scope: Scope): [string, string][] => {
  const nodes = scope === 'path' ? activePath(forest) : recordsOf(forest.nodes);
  const ids = new Set(nodes.flatMap(({ attachments = [] }) => attachments.map(({ id }) => id)));
  return [...files].filter(([id]) => ids.has(id));
};

/** Number of characters buffered before they are added to the file. */
const PORTION = 1 << 20;

/**
 * Writes a stream of conversations to one file; between its chunks the page can draw, and the user can cancel through the
 * signal. null if such a file can hold nothing of them. Rejects if a conversation cannot be read or a picture cannot be
 * made.
 */
export const writeFile = async (
  writer: Writer,
  conversations: AsyncIterable<WrittenConversation>,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<Blob | null> => {
  const parts: Blob[] = [];
  let portion = '';
  const breath = createYielder(() => performance.now());
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
    if (writer.finish !== undefined) for (const [id, url] of filesIn(conversation, options.scope)) files.set(id, url);
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
