import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  listOf,
  type Reader,
  type SourceConversation,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

/* Multi-party threads in which somebody annotated what each message answers. Every message is a turn, with its speaker's name. */

const REPLY_KEYS = ['reply-to', 'reply_to'] as const;

/** ConvoKit's `utterances.jsonl`, from newer and older corpora. */
export const convoKit: Reader = {
  tool: 'ConvoKit',
  wholeFile: true,
  recognises: (item) =>
    REPLY_KEYS.some((key) => has(item, key)) && (has(item, 'speaker') || has(item, 'user')) && has(item, 'text'),
  read: (item, others) => {
    const conversations = new Map<string, SourceMessage[]>();
    for (const [at, of] of [item, ...others].map(fieldsOf).entries()) {
      const id = firstText(of.conversation_id, of.root) ?? '';
      const messages = conversations.get(id) ?? [];
      conversations.set(id, messages);
      messages.push({
        id: firstText(of.id) ?? `message ${at + 1}`,
        parentId: textOf(of['reply-to'] ?? of.reply_to),
        by: 'user',
        name: nameOf(of.speaker ?? of.user),
        text: textOf(of.text) ?? '',
        at: timeOf(of.timestamp),
      });
    }
    return [...conversations].map(([id, said]) => {
      const messages = isTalk(said) ? said.map(({ name, ...message }) => ({ ...message, by: speakerOf(name) })) : said;
      return { source: 'convokit', id: id || null, title: null, currentId: lastAnswered(messages), messages };
    });
  },
};

/** Whether it is a chat between a user and a model: these are the only speaker names. */
const isTalk = (messages: readonly SourceMessage[]): boolean =>
  messages.every(({ name }) => name === 'user' || name === 'assistant') &&
  messages.some(({ name }) => name === 'assistant');

/** The last active position of a chat: the answer to the user's last message, since a reply to an earlier one may be newer. null in a thread. */
const lastAnswered = (messages: readonly SourceMessage[]): string | null => {
  if (!messages.some(({ by }) => by === 'assistant')) return null;
  const last = messages
    .filter(({ by }) => by === 'user')
    .reduce<SourceMessage | null>((newest, one) => {
      return newest !== null && Number(newest.at) > Number(one.at) ? newest : one;
    }, null);
  return messages.findLast(({ parentId }) => parentId === last?.id)?.id ?? last?.id ?? null;
};

const nameOf = (speaker: unknown): string | undefined =>
  firstText(speaker, fieldsOf(speaker).id, fieldsOf(speaker).name) ?? undefined;

/** Molweni and STAC: discourse units and their relations; the nearest earlier related unit is the parent. */
export const molweni: Reader = {
  tool: 'Molweni',
  recognises: (item) => has(item, 'edus', 'relations'),
  read: (item) => {
    const of = fieldsOf(item);
    const from = new Map<number, number[]>();
    for (const { x, y } of listOf(of.relations).map(fieldsOf)) {
      if (typeof x !== 'number' || typeof y !== 'number' || x >= y) continue;
      from.set(
        y,
        [...(from.get(y) ?? []), x].sort((a, b) => b - a),
      );
    }
    const messages = listOf(of.edus)
      .map(fieldsOf)
      .map(({ text, speaker }, at): SourceMessage => {
        const [parent, ...also] = from.get(at) ?? [];
        return {
          id: `${at}`,
          parentId: parent === undefined ? null : `${parent}`,
          alsoFrom: also.map(String),
          by: 'user',
          name: nameOf(speaker),
          text: textOf(text) ?? '',
        };
      });
    return [{ source: 'molweni', id: firstText(of.id), title: null, currentId: null, messages }];
  },
};

/** Potato's dialogues, and any `{id, parent, text}`: as a list, lines, or under `thread` or `messages`. */
export const genericThread: Reader = {
  tool: 'threads',
  wholeFile: true,
  recognises: (item) =>
    isMessage(item) || listOf(fieldsOf(item).thread).some(isMessage) || listOf(fieldsOf(item).messages).some(isMessage),
  read: (item, others) => {
    if (isMessage(item)) return [threadOf({}, [item, ...others])];
    return [item, ...others].map((one) =>
      threadOf(fieldsOf(one), listOf(fieldsOf(one).thread ?? fieldsOf(one).messages)),
    );
  },
};

const PARENT_KEYS = ['parent', 'parent_id', 'parentId', 'reply_to', 'reply-to', 'replyTo'] as const;
const TEXT_KEYS = ['text', 'content', 'message', 'body'] as const;

const parentKeyOf = (of: Fields) => PARENT_KEYS.find((key) => key in of);

const isMessage = (value: unknown): boolean => {
  const of = fieldsOf(value);
  return has(value, 'id') && parentKeyOf(of) !== undefined && TEXT_KEYS.some((key) => typeof of[key] === 'string');
};

const threadOf = (of: Fields, messages: readonly unknown[]): SourceConversation => ({
  source: 'thread',
  id: firstText(of.id),
  title: firstText(of.title),
  currentId: null,
  messages: messages.map(fieldsOf).map((message, at) => {
    const role = textOf(message.role);
    const key = parentKeyOf(message);
    const isTalk = role !== null && /^(user|assistant|system|human|model)$/i.test(role);
    return {
      id: firstText(message.id) ?? `message ${at + 1}`,
      parentId: key === undefined ? null : firstText(message[key]),
      by: isTalk
        ? /^(assistant|model)$/i.test(role)
          ? 'assistant'
          : /^system$/i.test(role)
            ? 'aside'
            : 'user'
        : 'user',
      name: isTalk ? undefined : nameOf(message.speaker ?? message.author ?? message.user),
      text: firstText(...TEXT_KEYS.map((name) => message[name])) ?? '',
      at: timeOf(message.timestamp ?? message.created_utc ?? message.at),
    };
  }),
});
