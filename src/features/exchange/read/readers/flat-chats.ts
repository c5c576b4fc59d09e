import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  joinNonEmpty,
  jsonOf,
  listOf,
  messageContentOf,
  type Reader,
  type SourceConversation,
  type SourceMessage,
  speakerOf,
  timeOf,
  toolCallsOf,
} from '../source.ts';

/*
 * Tools whose chats are sequential messages: `{role, content}` with various field names. Some backups contain server keys,
 * which are not read.
 */

const chatOf = (source: string, of: Fields, messages: unknown, system: unknown = of.system): SourceConversation => {
  const model = firstText(of.model, fieldsOf(of.model).id, fieldsOf(of.config).model);
  return {
    source,
    id: firstText(of.id, of.chatID, of.chatId),
    title: firstText(of.name, of.title, of.topic, of.chatTitle, of.userTitle, of.autoTitle),
    currentId: null,
    messages: withInstructions(
      system,
      of.tools,
      listOf(messages)
        .map(fieldsOf)
        .map((message, at) => {
          const { text, thinking, attachments } = messageContentOf(
            message.content ?? fragmentsOf(message.fragments) ?? message.text ?? message.value,
          );
          return {
            id: firstText(message.id, message.uuid) ?? `message ${at + 1}`,
            by: speakerOf(message.role ?? message.from ?? message.sender),
            text,
            thinking: joinNonEmpty([
              firstText(message.reasoning_content, message.reasoning),
              thinking,
              ...toolCallsOf(message.tool_calls),
            ]),
            attachments,
            at: timeOf(message.createdAt ?? message.created_at ?? message.created ?? message.timestamp ?? message.date),
            model: firstText(message.model, model) ?? undefined,
          };
        }),
    ),
  };
};

/** Instructions and tools of the whole chat, as one message at its head together with the one that is there. */
const withInstructions = (system: unknown, tools: unknown, messages: SourceMessage[]): SourceMessage[] => {
  const [first] = messages;
  const head = first?.by === 'aside' ? first : null;
  const named = firstText(tools) ?? (listOf(tools).length === 0 ? null : jsonOf(tools));
  const text = joinNonEmpty([
    firstText(system) === head?.text ? null : firstText(system),
    head?.text,
    named === null || named === '[]' ? null : `[tools]\n${named}`,
  ]);
  if (text === '') return messages;
  return head === null
    ? [{ id: 'system', by: 'aside', text, ownText: null }, ...messages]
    : [{ ...head, text, ownText: head.text }, ...messages.slice(1)];
};

/** The fragments of a big-AGI message. */
const fragmentsOf = (fragments: unknown): unknown =>
  fragments === undefined ? undefined : listOf(fragments).map((fragment) => fieldsOf(fieldsOf(fragment).part));

const isList = (value: unknown): boolean => Array.isArray(value);

export const chatbotUi: Reader = {
  tool: 'chatbot-ui',
  recognises: (item) => has(item, 'version', 'history') && isList(fieldsOf(item).history),
  read: (item) =>
    listOf(fieldsOf(item).history)
      .map(fieldsOf)
      .map((of) => chatOf('chatbot-ui', of, of.messages, of.prompt)),
};

export const nextChat: Reader = {
  tool: 'NextChat',
  recognises: (item) => has(item, 'chat-next-web-store'),
  read: (item) =>
    listOf(fieldsOf(fieldsOf(item)['chat-next-web-store']).sessions)
      .map(fieldsOf)
      .map((of) => chatOf('nextchat', of, of.messages)),
};

export const betterChatGpt: Reader = {
  tool: 'BetterChatGPT',
  recognises: (item) => has(item, 'version', 'chats') && isList(fieldsOf(item).chats),
  read: (item) =>
    listOf(fieldsOf(item).chats)
      .map(fieldsOf)
      .map((of) => chatOf('betterchatgpt', of, of.messages)),
};

export const typingMind: Reader = {
  tool: 'TypingMind',
  recognises: (item) => isList(fieldsOf(fieldsOf(item).data).chats),
  read: (item) =>
    listOf(fieldsOf(fieldsOf(item).data).chats)
      .map(fieldsOf)
      .map((of) => chatOf('typingmind', of, of.messages)),
};

export const bigAgi: Reader = {
  tool: 'big-AGI',
  recognises: (item) => listOf(fieldsOf(item).conversations).some((one) => has(one, 'messages')),
  read: (item) =>
    listOf(fieldsOf(item).conversations)
      .map(fieldsOf)
      .map((of) => chatOf('big-agi', of, of.messages)),
};

/** ShareGPT: `{conversations: [{from, value}]}`. */
export const shareGpt: Reader = {
  tool: 'ShareGPT',
  recognises: (item) => listOf(fieldsOf(item).conversations).some((one) => has(one, 'from', 'value')),
  read: (item) => [chatOf('sharegpt', fieldsOf(item), fieldsOf(item).conversations)],
};

/** `{messages: [{role, content}]}`, the form of OpenAI's API and fine-tuning files. */
export const roleMessages: Reader = {
  tool: 'messages',
  recognises: (item) => listOf(fieldsOf(item).messages).some((message) => has(message, 'role')),
  read: (item) => [chatOf('messages', fieldsOf(item), fieldsOf(item).messages)],
};

/** Several such lists, one conversation each. */
export const messageLists: Reader = {
  tool: 'messages',
  recognises: (item) => Array.isArray(item) && isMessage(item[0]),
  read: (item) => [chatOf('messages', {}, item)],
};

/** Sequential messages, one per line or element, that form one conversation. */
export const messageRow: Reader = {
  tool: 'messages',
  wholeFile: true,
  recognises: (item) => isMessage(item) && (has(item, 'content') || has(item, 'text')),
  read: (item, others) => {
    const items = [item, ...others];
    // If an item is not a message, or there is no user message, it is something else.
    return items.every(isMessage) && items.some((one) => speakerOf(fieldsOf(one).role) === 'user')
      ? [chatOf('messages', {}, items)]
      : [];
  },
};

const isMessage = (value: unknown): boolean => {
  const { role, content = null, text } = fieldsOf(value);
  return (
    typeof role === 'string' &&
    (content === null || typeof content === 'string' || Array.isArray(content) || typeof text === 'string')
  );
};
