import {
  fieldsOf,
  firstText,
  has,
  joinNonEmpty,
  listOf,
  type Reader,
  type SourceMessage,
  textOf,
  timeOf,
} from '../source.ts';

/** Prompts of Google's AI Studio: sequential chunks, some of which name the chunk that they branch from. */
export const aiStudio: Reader = {
  tool: 'AI Studio',
  recognises: (item) => has(fieldsOf(fieldsOf(item).chunkedPrompt), 'chunks'),
  read: (item) => {
    const of = fieldsOf(item);
    const messages: SourceMessage[] = [];
    let before: string | null = null;
    for (const [at, chunk] of listOf(fieldsOf(of.chunkedPrompt).chunks).map(fieldsOf).entries()) {
      const id = firstText(chunk.id) ?? `chunk ${at + 1}`;
      const isUser = chunk.role === 'user';
      const isThought = chunk.isThought === true;
      const text =
        firstText(chunk.text) ?? joinNonEmpty(listOf(chunk.parts).map((part) => textOf(fieldsOf(part).text)));
      const file = firstText(
        fieldsOf(chunk.driveDocument).id,
        fieldsOf(chunk.driveImage).id,
        fieldsOf(chunk.inlineFile).mimeType,
      );
      messages.push({
        id,
        parentId: firstText(fieldsOf(chunk.branchParent).id) ?? before,
        by: isUser ? 'user' : 'assistant',
        text: isThought ? '' : text,
        at: timeOf(chunk.createTime),
        model: firstText(fieldsOf(of.runSettings).model) ?? undefined,
        thinking: isThought ? text : undefined,
        attachments: file === null ? [] : [{ name: file, text: null }],
      });
      // An empty chunk cannot be continued from.
      if (text !== '' || file !== null) before = id;
    }
    const system = firstText(
      fieldsOf(of.systemInstruction).text,
      ...listOf(fieldsOf(of.systemInstruction).parts).map((part) => fieldsOf(part).text),
    );
    return [
      {
        source: 'ai-studio',
        id: firstText(of.id),
        title: firstText(of.displayName, of.title),
        currentId: before,
        messages:
          system === null ? messages : [{ id: 'system', parentId: null, by: 'aside', text: system }, ...messages],
      },
    ];
  },
};
