import type { ChatMessage } from '../../../domain/context.ts';
import { modelsOwn } from '../../../domain/reply.ts';
import { contextMessages } from '../../../engine/context/context-text.ts';
import type { ChatModel } from '../../../engine/ports.ts';
import { answerF1, exactMatch } from './answer-metrics.ts';
import type { AskedQuestion } from './evidence-contexts.ts';
import { add, type Counts, type Metric, shareMetric } from './metric.ts';

/** How near an answer came to the right one, from 0 to 1. */
export interface AnswerRecord {
  readonly subject: string;
  readonly exact: number;
  readonly f1: number;
}

/** Right answers are a few words long, and so are those that are compared with them. */
const BRIEFLY = 'Answer in as few words as you can, with words of the conversation where it has them.';

/** Lets a chat model answer from a context. Rejects where the model fails: no answer is not a wrong one. */
export const answered = async (
  { question, subject, forest, built: { context, overview } }: AskedQuestion,
  chat: ChatModel,
  signal: AbortSignal,
): Promise<AnswerRecord> => {
  const known = overview === null ? forest : { ...forest, overviews: { ...forest.overviews, [overview.id]: overview } };
  const [system, ...rest] = contextMessages(known, context);
  const messages: ChatMessage[] = [{ role: 'system', content: `${system?.content ?? ''}\n\n${BRIEFLY}` }, ...rest];
  let text = '';
  const request = { messages, begun: '', settings: modelsOwn, quotable: { path: [], nearest: [] } };
  for await (const piece of chat.reply(request, signal)) text += piece;
  signal.throwIfAborted();
  return { subject, exact: exactMatch(text, question.answers), f1: answerF1(text, question.answers) };
};

export const ANSWER_METRICS: readonly Metric[] = [
  shareMetric(
    'answer-em',
    'share of the answers by the chat model, from the context of each question, that are the right one word for word, by the normalisation of SQuAD',
    'answers exact',
    'answers',
  ),
  shareMetric(
    'answer-f1',
    'F1 of the words of such an answer and of the right one, the best of several right ones, averaged over the questions that have any',
    'answers f1',
    'answers',
  ),
];

/** Counts of the answers of one dialogue. */
export const countAnswers = (records: readonly AnswerRecord[]): Counts => {
  const counts: Record<string, number> = {};
  for (const { exact, f1 } of records) {
    add(counts, 'answers');
    add(counts, 'answers exact', exact);
    add(counts, 'answers f1', f1);
  }
  return counts;
};
