import { fieldsOf, firstText, has, messageContentOf, type Reader, type SourceMessage, speakerOf } from '../source.ts';

/** Pairs of answers with a human preference (TRL, LLaMA-Factory): the answers are alternatives, and the chosen one is shown. */
export const preferences: Reader = {
  tool: 'preference pairs',
  recognises: (item) => has(item, 'chosen', 'rejected') || has(item, 'chosen_messages', 'rejected_messages'),
  read: (item) => {
    const of = fieldsOf(item);
    const before = rowOf(of.prompt ?? of.conversations ?? of.messages);
    // Either may repeat the prompt, or be only the answer.
    const chosen = withoutStart(answersOf(of.chosen ?? of.chosen_messages), before);
    const rejected = withoutStart(answersOf(of.rejected ?? of.rejected_messages), before);
    const common = chosen.findIndex((one, at) => !isSame(one, rejected[at]));
    const shared = before.length > 0 || common < 0 ? [] : chosen.slice(0, common);
    const messages: SourceMessage[] = [];
    const addRow = (
      row: readonly ChatTurnText[],
      name: string,
      parent: string | null,
      shown?: boolean,
    ): string | null => {
      let last = parent;
      for (const [at, said] of row.entries()) {
        const id = `${name} ${at + 1}`;
        messages.push({ ...said, id, parentId: last, shown });
        last = id;
      }
      return last;
    };
    const last = addRow([...before, ...shared], 'prompt', null);
    const current = addRow(chosen.slice(shared.length), 'chosen', last, true);
    addRow(rejected.slice(shared.length), 'rejected', last, false);
    return [{ source: 'preferences', id: null, title: null, currentId: current, messages }];
  },
};

type ChatTurnText = Pick<SourceMessage, 'by' | 'text' | 'thinking'>;

const isSame = (one: ChatTurnText, other: ChatTurnText | undefined): boolean =>
  one.by === other?.by && one.text === other.text;

const withoutStart = (row: ChatTurnText[], start: readonly ChatTurnText[]): ChatTurnText[] =>
  start.every((one, at) => isSame(one, row[at])) ? row.slice(start.length) : row;

const answersOf = (value: unknown): ChatTurnText[] =>
  typeof value === 'string' ? [{ by: 'assistant', text: value }] : rowOf(value);

const rowOf = (value: unknown): ChatTurnText[] => {
  if (typeof value === 'string') return [{ by: 'user', text: value }];
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(fieldsOf).map((of) => {
    const { text, thinking } = messageContentOf(of.content ?? of.value);
    return { by: speakerOf(of.role ?? of.from), text: firstText(text) ?? '', thinking };
  });
};
