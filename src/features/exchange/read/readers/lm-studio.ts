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
  speakerOf,
  timeOf,
} from '../source.ts';

/** LM Studio's `.conversation.json`: sequential messages, each with versions; the conversation continues from the selected one. */
export const lmStudio: Reader = {
  tool: 'LM Studio',
  recognises: (item) => listOf(fieldsOf(item).messages).some((message) => has(message, 'versions')),
  read: (item) => {
    const of = fieldsOf(item);
    const messages: SourceMessage[] = [];
    const created = timeOf(of.createdAt);
    let parent: string | null = null;
    for (const [at, message] of listOf(of.messages).map(fieldsOf).entries()) {
      const versions = listOf(message.versions).map(fieldsOf);
      const selected = typeof message.currentlySelected === 'number' ? message.currentlySelected : versions.length - 1;
      for (const [version, one] of versions.entries()) {
        messages.push({
          ...versionOf(one),
          id: `${at + 1}.${version}`,
          parentId: parent,
          at: at === 0 ? created : null,
          shown: version === selected,
        });
      }
      if (versions[selected] !== undefined) parent = `${at + 1}.${selected}`;
    }
    const setting = listOf(fieldsOf(of.perChatPredictionConfig).fields).find(
      (one) => fieldsOf(one).key === 'llm.prediction.systemPrompt',
    );
    const system = firstText(of.systemPrompt, fieldsOf(setting).value);
    return [
      {
        source: 'lm-studio',
        id: created === null ? null : String(created),
        title: firstText(of.name),
        currentId: parent,
        messages:
          system === null ? messages : [{ id: 'system', parentId: null, by: 'aside', text: system }, ...messages],
      },
    ];
  },
};

const versionOf = (of: Fields): Pick<SourceMessage, 'by' | 'text' | 'thinking' | 'attachments' | 'model'> => {
  if (of.type !== 'multiStep') {
    const { text, thinking, attachments } = messageContentOf(of.content);
    return { by: speakerOf(of.role), text, thinking, attachments };
  }
  const steps = listOf(of.steps)
    .map(fieldsOf)
    .filter(({ type }) => type === 'contentBlock');
  const parts = steps.map((step) => ({
    ...messageContentOf(step.content),
    isThought: fieldsOf(step.style).type === 'thinking',
  }));
  return {
    by: 'assistant',
    text: joinNonEmpty(parts.map(({ text, isThought }) => (isThought ? null : text))),
    thinking: joinNonEmpty(parts.map(({ text, thinking, isThought }) => (isThought ? text : thinking))),
    attachments: parts.flatMap(({ attachments }) => attachments),
    model:
      firstText(...steps.map((step) => fieldsOf(fieldsOf(step.genInfo).indexedModelIdentifier))) ??
      firstText(...steps.map((step) => fieldsOf(step.genInfo).identifier)) ??
      undefined,
  };
};
