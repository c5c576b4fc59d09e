import type { Reader } from '../reader.ts';
import {
  type Attachment,
  type Fields,
  fieldsOf,
  firstText,
  has,
  idsOf,
  joined,
  listOf,
  type SourceMessage,
  type Speaker,
  textOf,
  timeOf,
} from '../source.ts';

/** The data export of ChatGPT: a `mapping` of nodes, of which many are no part of the talk. */
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

const messageOf = (key: string, node: Fields): SourceMessage => {
  const message = fieldsOf(node.message);
  const metadata = fieldsOf(message.metadata);
  const { text, thinking, attachments } = contentOf(message);
  const by = speaker(message, metadata);
  const given = listOf(metadata.attachments).flatMap((one): Attachment[] => {
    const asset = firstText(fieldsOf(one).id) ?? undefined;
    const name = firstText(fieldsOf(one).name, asset);
    return name === null ? [] : [{ name, text: null, asset }];
  });
  // A picture stands among the parts by its id, and among the attachments by its name.
  const named = attachments.map((one) => ({ ...one, ...given.find(({ asset }) => one.asset === asset) }));
  const others = given.filter(({ name, asset }) => !named.some((one) => one.name === name || one.asset === asset));
  return {
    id: key,
    parentId: node.parent === undefined ? undefined : textOf(node.parent),
    childIds: node.children === undefined ? undefined : idsOf(node.children),
    by,
    text: by === 'assistant' ? withoutMarks(text, metadata) : text,
    at: timeOf(message.create_time),
    model: textOf(metadata.model_slug) ?? undefined,
    thinking,
    attachments: by === 'user' ? [...named, ...others] : named,
  };
};

/** Only what is addressed to everybody and not hidden was part of the talk. */
const speaker = (message: Fields, metadata: Fields): Speaker => {
  const role = textOf(fieldsOf(message.author).role);
  const type = textOf(fieldsOf(message.content).content_type) ?? 'text';
  const recipient = textOf(message.recipient) ?? 'all';
  if (role === 'user') {
    return metadata.is_visually_hidden_from_conversation === true || type.endsWith('_editable_context')
      ? 'aside'
      : 'user';
  }
  if (metadata.is_visually_hidden_from_conversation === true) return 'aside';
  if (role === 'assistant' && recipient === 'all' && type !== 'code') return 'assistant';
  // A picture that a tool drew is the answer.
  return role === 'tool' && type === 'multimodal_text' ? 'assistant' : 'aside';
};

const contentOf = (message: Fields): { text: string; thinking: string; attachments: Attachment[] } => {
  const content = fieldsOf(message.content);
  const type = textOf(content.content_type) ?? 'text';
  const name = firstText(fieldsOf(message.author).name, message.recipient === 'all' ? null : message.recipient);
  switch (type) {
    case 'thoughts':
      return {
        text: '',
        thinking: joined(
          listOf(content.thoughts).map((one) => joined([textOf(fieldsOf(one).summary), textOf(fieldsOf(one).content)])),
        ),
        attachments: [],
      };
    case 'reasoning_recap':
      return { text: '', thinking: firstText(content.content) ?? '', attachments: [] };
    case 'user_editable_context':
    case 'model_editable_context':
      return {
        text: joined([
          textOf(content.user_profile),
          textOf(content.user_instructions),
          textOf(content.model_set_context),
        ]),
        thinking: '',
        attachments: [],
      };
    case 'tether_quote':
      return {
        text: joined([joined([textOf(content.title), textOf(content.url)]), textOf(content.text)]),
        thinking: '',
        attachments: [],
      };
    case 'text':
    case 'multimodal_text':
      return partsOf(content);
    default: {
      // Code that was run, what came of it, pages that were read.
      const said = joined([
        firstText(content.text),
        firstText(content.result),
        firstText(content.content),
        partsOf(content).text,
      ]);
      return { text: said === '' ? '' : `[${name ?? type}]\n${said}`, thinking: '', attachments: [] };
    }
  }
};

/** Parts in their order: texts, and pictures and sounds by their names. */
const partsOf = (content: Fields): { text: string; thinking: string; attachments: Attachment[] } => {
  const attachments: Attachment[] = [];
  const texts = listOf(content.parts).map((part) => {
    if (typeof part === 'string') return part;
    const of = fieldsOf(part);
    const type = textOf(of.content_type) ?? '';
    if (type === 'audio_transcription') return textOf(of.text);
    const pointer = firstText(of.asset_pointer, fieldsOf(of.audio_asset_pointer).asset_pointer);
    if (pointer !== null)
      attachments.push({
        name: `${type.split('_')[0] || 'file'} ${assetName(pointer)}`,
        text: null,
        asset: assetName(pointer),
      });
    return textOf(of.text);
  });
  const text = joined(texts);
  return {
    text: text === '' && content.parts === undefined ? (firstText(content.text) ?? '') : text,
    thinking: '',
    attachments,
  };
};

const assetName = (pointer: string): string => pointer.replace(/^[a-z-]+:\/\//, '').replace(/[#?].*$/, '');

/** Private-use characters around the marks of sources: `cite turn0search0`. */
const NEW_MARKS = /\uE200[^\uE201]*\uE201|[\uE200-\uE206]/g;
/** `【12†source】`, as older exports have it. */
const OLD_MARKS = /【\d+(?::\d+)?†[^】]*】/g;

/** An answer without the marks that only ChatGPT's page can resolve, and its sources below it. */
const withoutMarks = (text: string, metadata: Fields): string => {
  const shown = text.replace(NEW_MARKS, '').replace(OLD_MARKS, '');
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
  return `${shown.trimEnd()}\n\nSources:\n${[...sources].map(([url, title]) => `- [${title.replaceAll(/[[\]]/g, '')}](${url})`).join('\n')}`;
};
