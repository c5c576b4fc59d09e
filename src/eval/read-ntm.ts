import * as z from 'zod/mini';
import type { LabelledDialogue } from './labelled-dialogue.ts';

const Line = z.object({ conversation_id: z.string(), user_turns: z.array(z.object({ content: z.string() })) });
const Labels = z.array(
  z.object({ conversation_id: z.string(), parent: z.array(z.number()), disputed: z.array(z.number()) }),
);

/** The labelled dialogues of the NTM benchmark (Context-Agent §4): user turns only. */
export const readNtm = (lines: string, labels: unknown): LabelledDialogue[] => {
  const dialogues = new Map(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => Line.parse(JSON.parse(line)))
      .map((dialogue) => [dialogue.conversation_id, dialogue.user_turns]),
  );
  return Labels.parse(labels).map(({ conversation_id: id, parent: parents, disputed }) => {
    const turns = (dialogues.get(id) ?? []).slice(0, parents.length).map(({ content: message }, at) => ({
      message,
      reply: null,
      parent: parents[at] === 0 ? null : (parents[at] ?? 0) - 1,
      disputed: disputed.includes(at + 1),
    }));
    return { set: 'ntm', id, group: id, labels: 'parents', turns };
  });
};
