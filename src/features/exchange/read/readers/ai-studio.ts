import {
  type Fields,
  fieldsOf,
  firstText,
  has,
  joinNonEmpty,
  listOf,
  type Reader,
  type SourceAttachment,
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
      const attachments = filesOf(chunk);
      messages.push({
        id,
        parentId: firstText(fieldsOf(chunk.branchParent).id) ?? before,
        by: isUser ? 'user' : 'assistant',
        text: isThought ? '' : text,
        at: timeOf(chunk.createTime),
        model: firstText(fieldsOf(of.runSettings).model) ?? undefined,
        thinking: isThought ? text : undefined,
        attachments,
      });
      // An empty chunk cannot be continued from.
      if (text !== '' || attachments.length > 0) before = id;
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

/** Files in a chunk, and those of Drive and YouTube, of which only the ids are in it. */
const filesOf = (chunk: Fields): SourceAttachment[] => {
  const named = [
    chunk.driveDocument,
    chunk.driveImage,
    chunk.driveVideo,
    chunk.driveAudio,
    chunk.driveFile,
    chunk.youtubeVideo,
  ].flatMap((one) => firstText(fieldsOf(one).id) ?? []);
  const own = inlineFiles([chunk]);
  // The parts repeat them.
  const inline = own.length > 0 ? own : inlineFiles(listOf(chunk.parts).map(fieldsOf));
  return [...named.map((name) => ({ name, text: null })), ...inline];
};

const inlineFiles = (places: readonly Fields[]): SourceAttachment[] =>
  places
    .flatMap(({ inlineFile, inlineImage, inlineData }) => [inlineFile, inlineImage, inlineData])
    .map(fieldsOf)
    .flatMap(({ mimeType, data }) => {
      const [type, bytes] = [firstText(mimeType), firstText(data)];
      if (type === null && bytes === null) return [];
      const url = bytes === null ? undefined : `data:${type ?? 'application/octet-stream'};base64,${bytes}`;
      return [{ name: type?.replace('/', '.') ?? 'file', text: null, data: url }];
    });
