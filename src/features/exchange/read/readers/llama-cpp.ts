import {
  dataUrlOf,
  type Fields,
  fieldsOf,
  firstText,
  has,
  idListOf,
  joinNonEmpty,
  listOf,
  messageContentOf,
  type Reader,
  type SourceAttachment,
  type SourceConversation,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
  toolCallsOf,
} from '../source.ts';

const SOURCE = 'llama.cpp';

/** The web interface of llama.cpp's server: one line for the session and one per message, sessions one after another. */
export const llamaCppLines: Reader = {
  tool: 'llama.cpp',
  wholeFile: true,
  recognises: (item) => fieldsOf(item).type === 'session' && has(item, 'harness'),
  read: (item, others) => {
    const sessions: { conversation: Fields; messages: Fields[] }[] = [];
    for (const line of [item, ...others].map(fieldsOf)) {
      if (line.type === 'session') sessions.push({ conversation: line, messages: [] });
      else if (line.type === 'message') {
        const message = fieldsOf(line.message);
        const own = sessions.findLast(({ conversation }) => conversation.id === message.convId) ?? sessions.at(-1);
        own?.messages.push(message);
      }
    }
    return sessions.map(({ conversation, messages }) => conversationOf(conversation, messages));
  },
};

/** The format of older versions: `{conv, messages}`. */
export const llamaCppJson: Reader = {
  tool: 'llama.cpp',
  recognises: (item) => has(item, 'conv', 'messages'),
  read: (item) => {
    const { conv, messages } = fieldsOf(item);
    return [conversationOf(fieldsOf(conv), listOf(messages).map(fieldsOf))];
  },
};

const conversationOf = (of: Fields, messages: readonly Fields[]): SourceConversation => ({
  source: SOURCE,
  id: firstText(of.id),
  title: firstText(of.name),
  currentId: firstText(of.currNode),
  messages: messages.map(messageOf),
});

const messageOf = (of: Fields, at: number): SourceMessage => {
  const content = messageContentOf(of.content);
  const isRoot = of.type === 'root';
  return {
    id: firstText(of.id) ?? `message ${at + 1}`,
    parentId: of.parent === undefined ? undefined : textOf(of.parent),
    childIds: of.children === undefined ? undefined : idListOf(of.children),
    by: isRoot ? 'aside' : speakerOf(of.role),
    text: content.text,
    at: timeOf(of.timestamp),
    model: firstText(of.model) ?? undefined,
    thinking: joinNonEmpty([
      firstText(of.reasoningContent, of.thinking),
      content.thinking,
      ...toolCallsOf(of.toolCalls),
    ]),
    attachments: listOf(of.extra).map((one): SourceAttachment => {
      const { name, type, content: text, base64Url, base64Data, mimeType } = fieldsOf(one);
      const bytes = firstText(base64Data);
      const data =
        dataUrlOf(base64Url) ?? (bytes === null ? undefined : `data:${firstText(mimeType) ?? ''};base64,${bytes}`);
      return { name: firstText(name, type) ?? 'file', text: firstText(text), data };
    }),
  };
};
