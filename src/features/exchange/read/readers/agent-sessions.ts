import {
  fieldsOf,
  firstText,
  has,
  messageContentOf,
  type Reader,
  type SourceMessage,
  speakerOf,
  textOf,
  timeOf,
} from '../source.ts';

/** Sessions of the pi agent: a tree of entries, some of which are messages. */
export const piSession: Reader = {
  tool: 'pi',
  wholeFile: true,
  recognises: (item) => fieldsOf(item).type === 'session' && has(item, 'version'),
  read: (item, others) => {
    const entries = others.map(fieldsOf).filter(({ id }) => textOf(id) !== null);
    const messages = entries.map((entry): SourceMessage => {
      const of = fieldsOf(entry.message);
      const { text, thinking, attachments } = messageContentOf(of.content);
      const isMessage = entry.type === 'message';
      return {
        id: textOf(entry.id) ?? '',
        parentId: textOf(entry.parentId),
        by: isMessage ? speakerOf(of.role) : 'aside',
        text: isMessage ? text : (firstText(entry.summary) ?? ''),
        thinking,
        attachments,
        at: timeOf(entry.timestamp),
        model: firstText(of.model) ?? undefined,
      };
    });
    const title = firstText(...entries.toReversed().map(({ type, name }) => (type === 'session_info' ? name : null)));
    return [
      { source: 'pi', id: firstText(fieldsOf(item).id), title, currentId: messages.at(-1)?.id ?? null, messages },
    ];
  },
};
