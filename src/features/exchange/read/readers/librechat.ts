import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  joinNonEmpty,
  listOf,
  messageContentOf,
  type Reader,
  type SourceMessage,
  textOf,
  timeOf,
} from '../source.ts';

/** Represents the absence of a parent. */
const ROOT = '00000000-0000-0000-0000-000000000000';

/** LibreChat's JSON: sequential messages, or nested in `children`. */
export const libreChat: Reader = {
  tool: 'LibreChat',
  recognises: (item) => has(item, 'conversationId') && (has(item, 'messages') || has(item, 'messagesTree')),
  read: (item) => {
    const of = fieldsOf(item);
    const system = firstText(fieldsOf(of.options).promptPrefix);
    const messages = flatten(listOf(of.messagesTree ?? of.messages).map(fieldsOf));
    const ids = new Set(messages.map(({ messageId }) => textOf(messageId)));
    const read = messages.map((message, at) => messageOf(message, at, ids));
    return [
      {
        source: 'librechat',
        id: firstText(of.conversationId),
        title: firstText(of.title),
        currentId: null,
        messages: system === null ? read : [{ id: 'system', parentId: null, by: 'aside', text: system }, ...read],
      },
    ];
  },
};

/** Flattens nested messages in pre-order; a nested message that names no parent gets the enclosing one. */
const flatten = (roots: readonly Fields[]): Fields[] => {
  const flat: Fields[] = [];
  const stack = roots.toReversed();
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    const { children, ...message } = one;
    flat.push(message);
    const inside = listOf(children).map(fieldsOf);
    for (const child of inside.toReversed())
      stack.push('parentMessageId' in child ? child : { ...child, parentMessageId: message.messageId });
  }
  return flat;
};

const messageOf = (of: Fields, at: number, ids: ReadonlySet<string | null>): SourceMessage => {
  const content = messageContentOf(of.content);
  const parent = textOf(of.parentMessageId);
  // Temporary ids end in "_".
  const known = parent === null || ids.has(parent) ? parent : parent.replace(/_+$/, '');
  return {
    id: firstText(of.messageId) ?? `message ${at + 1}`,
    parentId: of.parentMessageId === undefined ? undefined : known === ROOT ? null : known,
    by: of.isCreatedByUser === true || of.sender === 'User' ? 'user' : 'assistant',
    text: firstText(of.text, content.text) ?? '',
    at: timeOf(of.createdAt),
    model: firstText(of.model) ?? undefined,
    thinking: joinNonEmpty([content.thinking]),
    attachments: [
      ...content.attachments,
      ...[...listOf(of.files), ...listOf(of.attachments)].map((file) => ({
        name: firstText(fieldsOf(file).filename, fieldsOf(file).name, fieldsOf(file).file_id) ?? 'file',
        text: null,
      })),
    ],
  };
};
