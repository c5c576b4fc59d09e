import { type Attachment, isPicture } from '../../../domain/attachment.ts';
import { asQuote, escapedMarkup } from '../../../ui/parts/format.ts';
import { currentOf, type Message, messagesByTopic } from './messages.ts';
import { isSound, PDF } from './parts.ts';
import type { ConversationPart, Writer, WrittenConversation } from './writer.ts';
import { endingOf, type ZippedFile, zipOf } from './zip-file.ts';

/* Tools that store a chat as a tree of messages: every reply, branch and topic has a place there. */

const HELD: readonly ConversationPart[] = [
  'texts',
  'single',
  'replies',
  'choices',
  'quotes',
  'unanswered',
  'hiddenTurns',
  'reasoning',
  'topics',
  'active',
  'models',
  'times',
  'instructions',
];

const firstTime = ({ entries }: WrittenConversation): number => entries[0]?.at ?? 0;
const lastTime = ({ entries }: WrittenConversation): number => entries.at(-1)?.at ?? 0;

/** Topics share one parent: a root, or the instructions below it, if there are any. */
const headOf = ({ id, forest }: WrittenConversation) => {
  const topics = messagesByTopic(forest);
  const instructions = forest.replySettings.systemPrompt;
  const topicIds = topics.flatMap(([first]) => first?.id ?? []);
  const rootId = `${id}-root`;
  const systemId = `${id}-system`;
  const head = { messages: topics.flat(), instructions, topicIds, rootId, systemId };
  return instructions === null
    ? { ...head, top: rootId, rootChildren: topicIds }
    : { ...head, top: systemId, rootChildren: [systemId] };
};

/** The session file of llama.cpp's web interface. */
export const llamaCppSessions: Writer = {
  id: 'llama-cpp',
  name: 'llama.cpp sessions',
  about: 'Opens in llama.cpp’s web interface with all branches and replies.',
  group: 'Chat tools',
  ending: '.llama.jsonl',
  type: 'application/x-ndjson',
  form: 'lines',
  several: true,
  path: false,
  holds: [...HELD, 'files'],
  *write(conversation) {
    const { id, title, forest, files } = conversation;
    const { messages, instructions, topicIds, rootId, systemId, top, rootChildren } = headOf(conversation);
    const begun = firstTime(conversation);
    const currNode = currentOf(forest) ?? '';
    const session = { id, lastModified: lastTime(conversation), name: title, currNode };
    yield JSON.stringify({ harness: 'llama.app', type: 'session', ...session });
    const line = (message: object) => JSON.stringify({ type: 'message', message: { convId: id, ...message } });
    yield line({
      id: rootId,
      type: 'root',
      role: 'system',
      content: '',
      timestamp: begun,
      parent: null,
      children: rootChildren,
    });
    if (instructions !== null) {
      const said = { id: systemId, type: 'system', role: 'system', content: instructions, timestamp: begun };
      yield line({ ...said, parent: rootId, children: topicIds });
    }
    for (const message of messages) {
      yield line({
        id: message.id,
        type: 'text',
        role: message.by,
        content: message.text,
        timestamp: message.at,
        parent: message.parentId ?? top,
        children: message.childIds,
        ...(message.reasoning === null ? {} : { reasoningContent: message.reasoning }),
        ...(message.model === null ? {} : { model: message.model }),
        ...(message.attachments.length === 0
          ? {}
          : { extra: message.attachments.map((one) => llamaExtra(one, files)) }),
      });
    }
  },
};

/** Attachments in llama.cpp's format: pictures and PDFs in full, only the text of anything else. */
const llamaExtra = (attachment: Attachment, files: WrittenConversation['files']): object => {
  const { id, name, mediaType, text = '' } = attachment;
  const url = (id === null ? undefined : files?.get(id)) ?? null;
  if (isPicture(attachment)) return { type: 'IMAGE', name, base64Url: url };
  const base64Data = url?.slice(url.indexOf(',') + 1) ?? '';
  if (mediaType === PDF) return { type: 'PDF', name, content: text, base64Data, processedAsImages: false };
  if (isSound(attachment)) return { type: 'AUDIO', name, mimeType: mediaType, base64Data };
  return { type: 'TEXT', name, content: text };
};

/** The import of Open WebUI refuses times with a fraction. What is of one second is still ordered by its parents. */
const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Chats of Open WebUI, as exported and imported in its settings. */
export const openWebUiChats: Writer = {
  id: 'open-webui',
  name: 'Open WebUI chats',
  about: 'Use “Import chats” in Open WebUI’s settings. Includes all branches and replies.',
  group: 'Chat tools',
  ending: '.open-webui.json',
  type: 'application/json',
  form: 'list',
  several: true,
  path: false,
  holds: [...HELD, 'files', 'documents'],
  *write(conversation) {
    const { id, title, forest, files } = conversation;
    const { messages, instructions } = headOf(conversation);
    const models = [...new Set(messages.flatMap(({ model }) => model ?? []))];
    yield JSON.stringify({
      id,
      title,
      chat: {
        id,
        title,
        models,
        params: instructions === null ? {} : { system: instructions },
        history: {
          messages: Object.fromEntries(messages.map((message) => [message.id, webUiMessage(message, models, files)])),
          currentId: currentOf(forest),
        },
        tags: [],
        timestamp: firstTime(conversation),
        files: [],
      },
      created_at: wholeSeconds(firstTime(conversation)),
      updated_at: wholeSeconds(lastTime(conversation)),
      archived: false,
      pinned: false,
      meta: {},
    });
  },
};

const webUiMessage = (
  { id, parentId, childIds, by, text, reasoning, model, attachments, at }: Message,
  models: readonly string[],
  files: WrittenConversation['files'],
) => ({
  id,
  parentId,
  childrenIds: childIds,
  role: by,
  content: reasoning === null ? text : `${reasoningDetails(reasoning)}\n${text}`,
  timestamp: wholeSeconds(at),
  ...(attachments.length === 0 ? {} : { files: attachments.map((one) => webUiFile(one, files)) }),
  ...(by === 'user' ? { models } : { model, modelName: model, done: true }),
});

const webUiFile = (attachment: Attachment, files: WrittenConversation['files']): object => {
  const { id, name, size, text } = attachment;
  const url = id === null ? undefined : files?.get(id);
  return {
    type: isPicture(attachment) ? 'image' : 'file',
    id: id ?? name,
    name,
    size,
    ...(url === undefined ? {} : { url }),
    ...(text === undefined ? {} : { file: { filename: name, data: { content: text } } }),
  };
};

/** Thoughts in Open WebUI's format: quoted HTML in the content. */
const reasoningDetails = (reasoning: string): string =>
  `<details type="reasoning" done="true">\n<summary>Thought</summary>\n${escapedMarkup(asQuote(reasoning))}\n</details>`;

/** A file's name in the export archive, by the id that messages refer to. */
const assetOf = (id: string): string => `file-${id.slice(0, 24)}`;

/** The `mapping` of ChatGPT's data export, which many tools import. */
export const chatGptMapping: Writer = {
  id: 'chatgpt',
  name: 'ChatGPT mapping',
  about:
    'Formatted like conversations.json in ChatGPT’s data export, which many tools can import. ChatGPT itself has no import.',
  group: 'Chat tools',
  ending: '.chatgpt.json',
  type: 'application/json',
  form: 'list',
  several: true,
  path: false,
  holds: HELD,
  *write(conversation) {
    const { id, title, forest } = conversation;
    const { messages, instructions, topicIds, rootId, systemId, top, rootChildren } = headOf(conversation);
    const begun = firstTime(conversation);
    const mapping: Record<string, MappingNode> = {
      [rootId]: { id: rootId, message: null, parent: null, children: rootChildren },
    };
    if (instructions !== null) {
      const message = mappedMessage(systemId, 'system', begun, { content_type: 'text', parts: [instructions] });
      mapping[systemId] = { id: systemId, message, parent: rootId, children: topicIds };
    }
    // Reasoning is a separate node above the answer.
    const firstOf = new Map(messages.map((one) => [one.id, one.reasoning === null ? one.id : `${one.id}-thoughts`]));
    for (const { id: own, parentId, childIds, by, text, reasoning, model, attachments, at } of messages) {
      const metadata = {
        ...(model === null ? {} : { model_slug: model }),
        ...(attachments.length === 0 ? {} : { attachments: attachments.map(mappedAttachment) }),
      };
      const above = parentId ?? top;
      const thoughtsId = `${own}-thoughts`;
      if (reasoning !== null) {
        const content = { content_type: 'thoughts', thoughts: [{ summary: '', content: reasoning }] };
        const message = mappedMessage(thoughtsId, by, at, content, metadata);
        mapping[thoughtsId] = { id: thoughtsId, message, parent: above, children: [own] };
      }
      mapping[own] = {
        id: own,
        message: mappedMessage(own, by, at, mappedContent(text, attachments), metadata),
        parent: reasoning === null ? above : thoughtsId,
        children: childIds.map((child) => firstOf.get(child) ?? child),
      };
    }
    yield JSON.stringify({
      title,
      create_time: begun / 1000,
      update_time: lastTime(conversation) / 1000,
      mapping,
      current_node: currentOf(forest) ?? rootId,
      conversation_id: id,
      id,
    });
  },
};

/** The same in an archive with the attached files alongside, like ChatGPT's own export. */
export const chatGptArchive: Writer = {
  ...chatGptMapping,
  id: 'chatgpt-archive',
  name: 'ChatGPT archive',
  about: 'The same as a .zip, with the files attached to messages, formatted like ChatGPT’s data export archive.',
  ending: '.chatgpt.zip',
  type: 'application/zip',
  holds: [...HELD, 'files', 'documents'],
  finish: (text, files) =>
    zipOf([
      ['conversations.json', new TextEncoder().encode(text)],
      ...[...files].map(([id, url]): ZippedFile => [`${assetOf(id)}.${endingOf(url)}`, url]),
    ]),
};

const mappedAttachment = ({ id, name, size, mediaType }: Attachment): object => ({
  id: id === null ? name : assetOf(id),
  name,
  size,
  mime_type: mediaType,
});

/** Pictures are also included in the parts of a message. */
const mappedContent = (text: string, attachments: readonly Attachment[]): object => {
  const pictures = attachments
    .filter(isPicture)
    .flatMap(({ id, size }) =>
      id === null
        ? []
        : [{ content_type: 'image_asset_pointer', asset_pointer: `file-service://${assetOf(id)}`, size_bytes: size }],
    );
  return pictures.length === 0
    ? { content_type: 'text', parts: [text] }
    : { content_type: 'multimodal_text', parts: [...pictures, text] };
};

interface MappingNode {
  readonly id: string;
  readonly message: ReturnType<typeof mappedMessage> | null;
  readonly parent: string | null;
  readonly children: readonly string[];
}

const mappedMessage = (
  id: string,
  role: 'user' | 'assistant' | 'system',
  at: number,
  content: object,
  metadata: object = {},
) => ({
  id,
  author: { role, name: null, metadata: {} },
  create_time: at / 1000,
  update_time: null,
  content,
  status: 'finished_successfully',
  end_turn: role === 'assistant' ? true : null,
  weight: 1,
  metadata,
  recipient: 'all',
  channel: null,
});
