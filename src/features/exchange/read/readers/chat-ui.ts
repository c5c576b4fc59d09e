import { fieldsOf, firstText, has, idListOf, listOf, type Reader, speakerOf, textOf, timeOf } from '../source.ts';

/** Hugging Face's chat-ui: messages that list their ancestors; older versions are sequential. */
export const chatUi: Reader = {
  tool: 'chat-ui',
  recognises: (item) =>
    has(item, 'rootMessageId') || listOf(fieldsOf(item).messages).some((message) => has(message, 'from', 'content')),
  read: (item) => {
    const of = fieldsOf(item);
    const isTree = textOf(of.rootMessageId) !== null;
    const system = firstText(of.preprompt);
    const messages = listOf(of.messages)
      .map(fieldsOf)
      .map((message, at) => ({
        id: firstText(message.id) ?? `message ${at + 1}`,
        parentId: isTree ? (idListOf(message.ancestors).at(-1) ?? null) : undefined,
        childIds: isTree ? idListOf(message.children) : undefined,
        by: speakerOf(message.from),
        text: textOf(message.content) ?? '',
        at: timeOf(message.createdAt),
        model: firstText(of.model) ?? undefined,
        thinking: firstText(message.reasoning) ?? undefined,
      }));
    return [
      {
        source: 'chat-ui',
        id: firstText(of._id, of.id),
        title: firstText(of.title),
        currentId: null,
        messages:
          system === null
            ? messages
            : [{ id: 'system', parentId: isTree ? null : undefined, by: 'aside', text: system }, ...messages],
      },
    ];
  },
};
