import { parsedJson } from '../../../../domain/expectation.ts';
import {
  dataUrlOf,
  type Fields,
  fieldsOf,
  firstText,
  has,
  idListOf,
  joinNonEmpty,
  listOf,
  type Reader,
  type SourceAttachment,
  type SourceMessage,
  type Speaker,
  textOf,
  timeOf,
} from '../source.ts';

/** ChatGPT's data export: a `mapping` of nodes, many of which are not part of the conversation. */
export const chatGpt: Reader = {
  tool: 'ChatGPT',
  recognises: (item) => has(item, 'mapping'),
  read: (item) => {
    const of = fieldsOf(item);
    return [
      {
        source: 'chatgpt',
        id: firstText(of.conversation_id, of.id),
        title: firstText(of.title),
        currentId: textOf(of.current_node),
        messages: Object.entries(fieldsOf(of.mapping)).map(([key, node]) => messageOf(key, fieldsOf(node))),
      },
    ];
  },
};

/** DeepSeek's data export: the same `mapping`, whose messages are made of fragments. It does not say what was shown last. */
export const deepSeek: Reader = {
  tool: 'DeepSeek',
  recognises: (item) => has(item, 'mapping', 'inserted_at'),
  read: (item) => {
    const of = fieldsOf(item);
    return [
      {
        source: 'deepseek',
        id: firstText(of.id),
        title: firstText(of.title),
        currentId: null,
        messages: Object.entries(fieldsOf(of.mapping)).map(([key, node]) => fragmentsOf(key, fieldsOf(node))),
      },
    ];
  },
};

const fragmentsOf = (key: string, node: Fields): SourceMessage => {
  const message = fieldsOf(node.message);
  const texts: string[] = [];
  const thoughts: string[] = [];
  let by: Speaker = 'assistant';
  for (const fragment of listOf(message.fragments).map(fieldsOf)) {
    const type = textOf(fragment.type) ?? '';
    if (type === 'REQUEST') by = 'user';
    const isText = /RE(?:QUEST|SPONSE)$/.test(type);
    (isText ? texts : thoughts).push(firstText(fragment.content) ?? resultsIn(fragment));
  }
  return {
    ...placeOf(key, node),
    by,
    text: joinNonEmpty(texts),
    at: timeOf(message.inserted_at),
    model: textOf(message.model) ?? undefined,
    thinking: joinNonEmpty(thoughts),
    attachments: listOf(message.files).map((one): SourceAttachment => {
      const { file_name, name, id, content } = fieldsOf(one);
      return { name: firstText(file_name, name, id) ?? 'file', text: firstText(content) };
    }),
  };
};

/** What a search found. */
const resultsIn = ({ results }: Fields): string =>
  joinNonEmpty(listOf(results).map((one) => joinNonEmpty([textOf(fieldsOf(one).title), textOf(fieldsOf(one).url)])));

const placeOf = (key: string, { parent, children }: Fields): Pick<SourceMessage, 'id' | 'parentId' | 'childIds'> => ({
  id: key,
  parentId: parent === undefined ? undefined : textOf(parent),
  childIds: children === undefined ? undefined : idListOf(children),
});

const messageOf = (key: string, node: Fields): SourceMessage => {
  const message = fieldsOf(node.message);
  const metadata = fieldsOf(message.metadata);
  const content = contentOf(message);
  const { attachments } = content;
  const by = speaker(message, metadata, attachments.length > 0);
  // What a tool says of a picture that it made is for the model.
  const { text, thinking } =
    by === 'assistant' && roleOf(message) === 'tool' ? { text: '', thinking: content.text } : content;
  const given = listOf(metadata.attachments).flatMap((one): SourceAttachment[] => {
    const asset = firstText(fieldsOf(one).id) ?? undefined;
    const name = firstText(fieldsOf(one).name, asset);
    return name === null ? [] : [{ name, text: null, asset }];
  });
  // A picture is identified by id among the parts, and by name among the attachments.
  const named = attachments.map((one) => ({ ...one, ...given.find(({ asset }) => one.asset === asset) }));
  const others = given.filter(({ name, asset }) => !named.some((one) => one.name === name || one.asset === asset));
  return {
    ...placeOf(key, node),
    by,
    text: by === 'assistant' ? withoutMarks(text, metadata) : text,
    at: timeOf(message.create_time),
    model: textOf(metadata.model_slug) ?? undefined,
    thinking,
    // As Coppice writes it, a thought lists the files of its answer too.
    attachments: by === 'aside' || content.thinking !== '' ? named : [...named, ...others],
  };
};

const roleOf = (message: Fields): string | null => textOf(fieldsOf(message.author).role);

/** Only messages that are addressed to everybody and not hidden are part of the conversation. */
const speaker = (message: Fields, metadata: Fields, hasFiles: boolean): Speaker => {
  const role = roleOf(message);
  const type = textOf(fieldsOf(message.content).content_type) ?? 'text';
  const recipient = textOf(message.recipient) ?? 'all';
  // What the user or the model has stored for all conversations.
  if (metadata.is_visually_hidden_from_conversation === true || type.endsWith('_editable_context')) return 'aside';
  if (role === 'user') return 'user';
  if (role === 'assistant' && recipient === 'all' && type !== 'code') return 'assistant';
  // A picture generated by a tool is the answer; a document, with pictures of its pages, was only read by it.
  return role === 'tool' && hasFiles && metadata.command !== 'context_stuff' ? 'assistant' : 'aside';
};

const contentOf = (message: Fields): { text: string; thinking: string; attachments: SourceAttachment[] } => {
  const content = fieldsOf(message.content);
  const type = textOf(content.content_type) ?? 'text';
  const name = firstText(fieldsOf(message.author).name, message.recipient === 'all' ? null : message.recipient);
  switch (type) {
    case 'thoughts':
      return {
        text: '',
        thinking: joinNonEmpty(
          listOf(content.thoughts).map((one) =>
            joinNonEmpty([textOf(fieldsOf(one).summary), textOf(fieldsOf(one).content)]),
          ),
        ),
        attachments: [],
      };
    case 'reasoning_recap':
      return { text: '', thinking: firstText(content.content) ?? '', attachments: [] };
    case 'user_editable_context':
    case 'model_editable_context':
      return {
        text: joinNonEmpty([
          textOf(content.user_profile),
          textOf(content.user_instructions),
          textOf(content.model_set_context),
        ]),
        thinking: '',
        attachments: [],
      };
    case 'tether_quote':
      return {
        text: joinNonEmpty([joinNonEmpty([textOf(content.title), textOf(content.url)]), textOf(content.text)]),
        thinking: '',
        attachments: [],
      };
    case 'text':
    case 'multimodal_text':
      return partsOf(content);
    default: {
      // Executed code, its output with what it drew, and pages that were read.
      const said = joinNonEmpty([
        firstText(content.text),
        firstText(content.result),
        firstText(content.content),
        content.parts === undefined ? null : partsOf(content).text,
      ]);
      return { text: said === '' ? '' : `[${name ?? type}]\n${said}`, thinking: '', attachments: drawnIn(message) };
    }
  }
};

/** Parts in order: texts, and pictures and sounds by name. */
const partsOf = (content: Fields): { text: string; thinking: string; attachments: SourceAttachment[] } => {
  const attachments: SourceAttachment[] = [];
  const texts = listOf(content.parts).map((part) => {
    if (typeof part === 'string') return part;
    const of = fieldsOf(part);
    const type = textOf(of.content_type) ?? '';
    if (type === 'audio_transcription') return textOf(of.text);
    const pointer = firstText(of.asset_pointer, fieldsOf(of.audio_asset_pointer).asset_pointer);
    if (pointer !== null) attachments.push(assetAt(pointer, type.split('_')[0] || 'file'));
    return textOf(of.text);
  });
  const text = joinNonEmpty(texts);
  return {
    text: text === '' && content.parts === undefined ? (firstText(content.text) ?? '') : text,
    thinking: '',
    attachments,
  };
};

/** Charts and other pictures that a program drew. */
const drawnIn = ({ metadata }: Fields): SourceAttachment[] =>
  listOf(fieldsOf(fieldsOf(metadata).aggregate_result).messages).flatMap((one) => {
    const { message_type, image_url } = fieldsOf(one);
    const url = message_type === 'image' ? firstText(image_url) : null;
    if (url === null) return [];
    const data = dataUrlOf(url);
    return [data === undefined ? assetAt(url, 'image') : { name: 'image', text: null, data }];
  });

/** A file in the archive, by a pointer to it. */
const assetAt = (pointer: string, kind: string): SourceAttachment => ({
  name: `${kind} ${assetName(pointer)}`,
  text: null,
  asset: assetName(pointer),
});

const assetName = (pointer: string): string => pointer.replace(/^[a-z-]+:\/\//, '').replace(/[#?].*$/, '');

/** Private-use characters around marks, between their parts U+E202: `cite turn0search0`, `entity ["city","Paris"]`. */
const NEW_MARKS = /\uE200[^\uE201]*\uE201|[\uE200-\uE206]/g;
/** `【12†source】`, in older exports. */
const OLD_MARKS = /【\d+(?::\d+)?†[^】]*】/g;

/** What ChatGPT's page shows as words in place of a mark: names and links. */
const wordsOf = (mark: string): string => {
  const [kind, first = '', second = ''] = mark.slice(1, -1).split('\uE202');
  if (kind === 'url') return /^https?:\/\/\S+$/.test(second) ? linkTo(second, first) : first;
  if (kind !== 'entity') return '';
  const [, name] = listOf(parsedJson(first));
  return textOf(name) ?? '';
};

const linkTo = (url: string, title: string): string => `[${title.replaceAll(/[[\]]/g, '')}](${url})`;

/** Removes the citation marks that only ChatGPT's page can resolve, and appends the sources. */
const withoutMarks = (text: string, metadata: Fields): string => {
  const shown = text.replace(NEW_MARKS, wordsOf).replace(OLD_MARKS, '');
  const sources = new Map<string, string>();
  const add = (of: Fields): void => {
    const url = firstText(of.url);
    if (url !== null && !sources.has(url)) sources.set(url, firstText(of.title) ?? url);
  };
  for (const citation of listOf(metadata.citations)) add(fieldsOf(fieldsOf(citation).metadata));
  for (const reference of listOf(metadata.content_references)) {
    const of = fieldsOf(reference);
    for (const one of [of, ...listOf(of.items).map(fieldsOf), ...listOf(of.sources).map(fieldsOf)]) add(one);
  }
  if (sources.size === 0) return shown;
  return `${shown.trimEnd()}\n\nSources:\n${[...sources].map(([url, title]) => `- ${linkTo(url, title)}`).join('\n')}`;
};
