import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  listOf,
  messageContentOf,
  type Reader,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

/** Chatbox: a session's sequential messages, its earlier threads, and alternative tails after forked messages. */
export const chatbox: Reader = {
  tool: 'Chatbox',
  recognises: (item) =>
    has(item, 'messageForksHash') || listOf(fieldsOf(item).messages).some((message) => has(message, 'contentParts')),
  read: (item) => {
    const of = fieldsOf(item);
    const messages: SourceMessage[] = [];
    const addRow = (row: unknown, parent: string | null): void => {
      let before = parent;
      for (const [at, message] of listOf(row).map(fieldsOf).entries()) {
        const id = firstText(message.id) ?? `${parent ?? 'message'} ${at + 1}`;
        messages.push(messageOf(message, id, before));
        before = id;
      }
    };
    addRow(of.messages, null);
    const current = messages.at(-1)?.id ?? null;
    for (const thread of listOf(of.threads).map(fieldsOf)) addRow(thread.messages, null);
    for (const [after, fork] of Object.entries(fieldsOf(of.messageForksHash))) {
      const { position, lists } = fieldsOf(fork);
      // The list at `position` is the tail that is already in the sequence.
      for (const [at, list] of listOf(lists).map(fieldsOf).entries()) if (at !== position) addRow(list.messages, after);
    }
    return [{ source: 'chatbox', id: firstText(of.id), title: firstText(of.name), currentId: current, messages }];
  },
};

const messageOf = (of: Fields, id: string, parentId: string | null): SourceMessage => {
  const { text, thinking, attachments } = messageContentOf(of.contentParts ?? of.content);
  return {
    id,
    parentId,
    by: speakerOf(of.role),
    text,
    thinking,
    attachments,
    at: timeOf(of.timestamp),
    model: textOf(of.model) ?? undefined,
  };
};
