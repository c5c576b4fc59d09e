import { TokenCache } from '../../../engine/context/token-cache.ts';
import type { ChatModel } from '../../../engine/ports.ts';
import type { Question, QuestionedDialogue } from '../datasets/questioned-dialogue.ts';
import { SIZES, type Size } from '../needs/sizes.ts';
import type { ContextParts } from './contexts.ts';
import { ANSWER_METRICS, type AnswerRecord, answered, countAnswers } from './evidence-answers.ts';
import { type AskedQuestion, askedQuestions, countEvidence } from './evidence-contexts.ts';
import { hasAnswer, type QuestionSet } from './evidence-sets.ts';
import { add, type Counts } from './metric.ts';
import { placeDialogue } from './placements.ts';
import { REPLIES_BY } from './replies.ts';
import { type Row, rowsOf } from './rows.ts';
import type { Steps } from './runs.ts';
import type { byPlacing } from './subjects.ts';

export interface EvidenceParts extends ContextParts {
  readonly groups: ReturnType<typeof byPlacing>;
  readonly steps: Steps;
  readonly chat: ChatModel | null;
  readonly signal: AbortSignal;
}

/** The chat model that answers; null for the embedded one, which quotes and answers nothing. */
export const answering = (chat: ChatModel | undefined): ChatModel | null =>
  chat === undefined || chat.name === REPLIES_BY ? null : chat;

const MODE = 'free-running';

const answerable = (dialogues: readonly QuestionedDialogue[]): QuestionedDialogue[] =>
  dialogues.filter(({ questions }) => questions.some(hasAnswer));

/** Counts what `measureQuestions` will go through. */
export const expectQuestions = (
  { dialogues, questions }: QuestionSet,
  { groups, steps, chat }: EvidenceParts,
): void => {
  for (const _ of groups) {
    if (questions.length > 0) steps.expect(dialogues);
    if (chat !== null) steps.expect(answerable(dialogues));
  }
};

/** Asks the questions of a set under every policy: what their contexts have, and how a chat model answers from them. */
export const measureQuestions = async (
  { name, dialogues, questions }: QuestionSet,
  { groups, steps, chat, signal, vectorOf, tokens, embed }: EvidenceParts,
): Promise<Row[]> => {
  const eachQuestion = async <R>(
    what: string,
    of: readonly QuestionedDialogue[],
    wanted: (question: Question) => boolean,
    sizes: readonly Size[],
    parts: ContextParts & { readonly window?: number },
    look: (one: AskedQuestion) => R | Promise<R>,
  ): Promise<R[][]> => {
    const all = of.map((): R[] => []);
    for (const { placing, contexts } of groups) {
      const run = await steps.through(of, `${name}: ${what}`, async (dialogue) => {
        const found: R[] = [];
        const asked = dialogue.questions.filter(wanted);
        // Not kept for another time: the traces of a thousand turns are large.
        const placements = await placeDialogue(name, dialogue, placing, MODE, vectorOf);
        for await (const one of askedQuestions(dialogue, asked, placements, placing, contexts, sizes, parts)) {
          signal.throwIfAborted();
          found.push(await look(one));
        }
        return found;
      });
      for (const [at, found] of run.entries()) all[at]?.push(...found);
    }
    return all;
  };

  const rows: Row[] = [];
  if (questions.length > 0) {
    const counted = dialogues.map(() => new Map<string, Record<string, number>>());
    const look = (one: AskedQuestion): { readonly subject: string; readonly counts: Counts } => {
      const counts = {};
      countEvidence(counts, one);
      return { subject: one.subject, counts };
    };
    const found = await eachQuestion('evidence', dialogues, () => true, SIZES, { vectorOf, tokens, embed }, look);
    for (const [at, records] of found.entries()) {
      for (const { subject, counts } of records) {
        const own = counted[at]?.get(subject) ?? {};
        counted[at]?.set(subject, own);
        for (const [count, by] of Object.entries(counts)) add(own, count, by);
      }
    }
    const subjects = [...new Set(counted.flatMap((own) => [...own.keys()]))];
    for (const subject of subjects) {
      const own = counted.map((bySubject) => bySubject.get(subject) ?? {});
      rows.push(...rowsOf({ dataset: name, mode: MODE, subject }, own, questions));
    }
  }
  if (chat !== null) {
    const parts = {
      vectorOf,
      tokens: new TokenCache(chat.tokens),
      window: chat.window,
      embed,
    };
    const look = (one: AskedQuestion): Promise<AnswerRecord> => answered(one, chat, signal);
    const records = await eachQuestion('answers', answerable(dialogues), hasAnswer, [null], parts, look);
    rows.push(...answerRows(name, records));
  }
  return rows;
};

const answerRows = (dataset: string, dialogues: readonly (readonly AnswerRecord[])[]): Row[] => {
  const subjects = [...new Set(dialogues.flatMap((records) => records.map(({ subject }) => subject)))];
  return subjects.flatMap((subject) => {
    const own = dialogues.map((records) => countAnswers(records.filter((record) => record.subject === subject)));
    return rowsOf({ dataset, mode: MODE, subject }, own, ANSWER_METRICS);
  });
};
