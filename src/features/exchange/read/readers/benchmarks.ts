import { fieldsOf, firstText, has, listOf, type Reader, type SourceMessage, speakerOf, textOf } from '../source.ts';

/* Benchmark dialogues: sequential messages, with field names specific to each benchmark. */

/** Schema-Guided Dialogue: `{dialogue_id, turns: [{speaker, utterance}]}`. */
export const speakerTurns: Reader = {
  tool: 'Schema-Guided Dialogue',
  recognises: (item) => has(item, 'dialogue_id', 'turns'),
  read: (item) => {
    const of = fieldsOf(item);
    const messages = listOf(of.turns)
      .map(fieldsOf)
      .map(({ speaker, utterance }, at): SourceMessage => {
        return {
          id: `${at + 1}`,
          by: speaker === 'SYSTEM' ? 'assistant' : speakerOf(speaker),
          text: textOf(utterance) ?? '',
        };
      });
    return [
      { source: 'sgd', id: firstText(of.dialogue_id), title: firstText(of.dialogue_id), currentId: null, messages },
    ];
  },
};

/** StructFlowBench: `{whole_conv: [{"user prompt", "assistant answer"}]}`. */
export const benchmarkDialogues: Reader = {
  tool: 'StructFlowBench',
  recognises: (item) => has(item, 'whole_conv'),
  read: (item) => {
    const messages = listOf(fieldsOf(item).whole_conv)
      .map(fieldsOf)
      .flatMap((round, at): SourceMessage[] => [
        { id: `${at + 1} user`, by: 'user', text: textOf(round['user prompt']) ?? '' },
        { id: `${at + 1} assistant`, by: 'assistant', text: textOf(round['assistant answer']) ?? '' },
      ]);
    return [{ source: 'structflow', id: null, title: null, currentId: null, messages }];
  },
};

/** NTM: `{conversation_id, user_turns: [{content}]}`, messages without replies. */
export const userTurns: Reader = {
  tool: 'NTM',
  recognises: (item) => has(item, 'user_turns'),
  read: (item) => {
    const of = fieldsOf(item);
    const messages = listOf(of.user_turns)
      .map(fieldsOf)
      .map(({ content }, at): SourceMessage => ({ id: `${at + 1}`, by: 'user', text: textOf(content) ?? '' }));
    return [
      {
        source: 'ntm',
        id: firstText(of.conversation_id),
        title: firstText(of.conversation_id),
        currentId: null,
        messages,
      },
    ];
  },
};
