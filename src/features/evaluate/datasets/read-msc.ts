import * as z from 'zod/mini';
import { grouped } from '../measurement/metrics.ts';
import { itemsOf } from './labelled-items.ts';
import type { Question, QuestionedDialogue } from './questioned-dialogue.ts';
import { pairUp, type Utterance } from './two-speakers.ts';

const Session = z.array(z.object({ text: z.string() }));
const Item = z.object({
  metadata: z.object({ initial_data_id: z.string() }),
  previous_dialogs: z.array(z.object({ dialog: Session })),
  dialog: Session,
  /** Only in MSC-Self-Instruct: B asks, A is the answer. */
  self_instruct: z.optional(z.object({ A: z.string(), B: z.string() })),
});

/**
 * Multi-Session Chat (Xu et al. 2022), in the form of ParlAI's `msc_dialogue/session_N/{train,valid,test}.txt`: JSON
 * lines of a session with those before it; and MSC-Self-Instruct (Packer et al. 2023), the same lines with
 * a question and its answer. The two speakers alternate. Neither form says which earlier turn an utterance or
 * an answer needs (`msc_personasummary` says which utterances tell of a persona, not where one is needed), so
 * there is no evidence to look for.
 */
export const readMsc = (text: string): QuestionedDialogue[] =>
  itemsOf(text, Item).map(({ metadata: { initial_data_id: id }, previous_dialogs, dialog, self_instruct: asked }) => {
    const sessions = [...previous_dialogs, { dialog }].map((session) =>
      session.dialog.map((said, at): Utterance => ({ speaker: `Speaker ${1 + (at % 2)}`, text: said.text })),
    );
    const questions: Question[] = asked === undefined ? [] : [{ text: asked.B, answers: [asked.A], evidence: [] }];
    return { set: 'msc', id, group: id, labels: 'topics', turns: pairUp(sessions).turns, questions };
  });

/** A file of a later session has those before it, too: of each chat the longest is kept, with a question if one has it. */
export const longestChats = (chats: readonly QuestionedDialogue[]): QuestionedDialogue[] => {
  const better = (a: QuestionedDialogue, b: QuestionedDialogue) =>
    b.turns.length - a.turns.length || b.questions.length - a.questions.length;
  return [...grouped(chats, ({ id }) => id).values()].flatMap((same) => same.toSorted(better).slice(0, 1));
};
