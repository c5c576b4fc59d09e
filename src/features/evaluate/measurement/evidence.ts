import { add, type Counts } from '../../../app/figures/estimate.ts';
import type { ChatMessage } from '../../../domain/context.ts';
import type { Forest, NodeId } from '../../../domain/forest.ts';
import { defaultReplySettings } from '../../../domain/reply.ts';
import { sizeOf, withRecord } from '../../../domain/table.ts';
import { contextMessages } from '../../../engine/context/context-text.ts';
import type { BuiltContext, Policy } from '../../../engine/context/policy.ts';
import type { ChatModel } from '../../../engine/ports.ts';
import { TokenCache } from '../../../engine/text/token-cache.ts';
import { USE_LITE_THETA } from '../../../models/runtimes/embedding.ts';
import type { Question, QuestionedDialogue } from '../datasets/dialogues.ts';
import { type ContextParts, contextBuilder, inFull, tokensOnHistory, type UnansweredTurn } from './contexts.ts';
import { hasAnswer, type QuestionSet } from './datasets.ts';
import { type Metric, shareMetric } from './metric.ts';
import { countSize, historyTokensOf, isSent, sentTexts } from './need-counts.ts';
import { budgetOf, type PolicySize, SIZES, suffixOf } from './need-metrics.ts';
import { type PlacementSubject, type Placements, placeDialogue, placeIn } from './placements.ts';
import { REPLIES_BY, Replay } from './replay.ts';
import type { ProgressCounter } from './runs.ts';
import type { byPlacing, ContextSubject } from './subjects.ts';
import { type FigureRow, figureRows } from './tables.ts';

export interface EvidenceParts extends ContextParts {
  readonly groups: ReturnType<typeof byPlacing>;
  readonly steps: ProgressCounter;
  readonly chat: ChatModel | null;
  readonly signal: AbortSignal;
}

/** The chat model that answers; null for the embedded one, which quotes and answers nothing. */
export const answering = (chat: ChatModel | undefined): ChatModel | null =>
  chat === undefined || chat.name === REPLIES_BY ? null : chat;

const MODE = 'free-running';

const answerable = (dialogues: readonly QuestionedDialogue[]): QuestionedDialogue[] =>
  dialogues.filter(({ questions }) => questions.some(hasAnswer));

/** Adds the work of `measureQuestions` to the expected total. */
export const expectQuestions = (
  { dialogues, questions }: QuestionSet,
  { groups, steps, chat }: EvidenceParts,
): void => {
  for (const _ of groups) {
    if (questions.length > 0) steps.expect(dialogues);
    if (chat !== null) steps.expect(answerable(dialogues));
  }
};

/** Asks a set's questions under every policy: measures what the contexts contain, and how well a chat model answers from them. */
export const measureQuestions = async (
  { name, dialogues, questions }: QuestionSet,
  { groups, steps, chat, signal, vectorOf, tokens, embed }: EvidenceParts,
): Promise<FigureRow[]> => {
  const eachQuestion = async <R>(
    what: string,
    of: readonly QuestionedDialogue[],
    wanted: (question: Question) => boolean,
    sizes: readonly PolicySize[],
    parts: ContextParts & { readonly window?: number },
    look: (one: QuestionContext) => R | Promise<R>,
  ): Promise<R[][]> => {
    const all = of.map((): R[] => []);
    for (const { placing, contexts } of groups) {
      const run = await steps.through(of, `${name}: ${what}`, async (dialogue) => {
        const found: R[] = [];
        const asked = dialogue.questions.filter(wanted);
        // Not cached: the traces of a thousand turns are large.
        const placements = await placeDialogue(name, dialogue, placing, MODE, vectorOf);
        for await (const one of questionContexts(dialogue, asked, placements, placing, contexts, sizes, parts)) {
          signal.throwIfAborted();
          found.push(await look(one));
        }
        return found;
      });
      for (const [at, found] of run.entries()) all[at]?.push(...found);
    }
    return all;
  };

  const rows: FigureRow[] = [];
  if (questions.length > 0) {
    const counted = dialogues.map(() => new Map<string, Record<string, number>>());
    const look = (one: QuestionContext): { readonly subject: string; readonly counts: Counts } => {
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
      rows.push(...figureRows({ dataset: name, mode: MODE, subject }, own, questions));
    }
  }
  if (chat !== null) {
    const parts = {
      vectorOf,
      tokens: new TokenCache(chat.tokens),
      window: chat.window,
      embed,
    };
    const look = (one: QuestionContext): Promise<AnswerRecord> => answerFrom(one, chat, signal);
    const records = await eachQuestion('answers', answerable(dialogues), hasAnswer, [null], parts, look);
    rows.push(...answerRows(name, records));
  }
  return rows;
};

const answerRows = (dataset: string, dialogues: readonly (readonly AnswerRecord[])[]): FigureRow[] => {
  const subjects = [...new Set(dialogues.flatMap((records) => records.map(({ subject }) => subject)))];
  return subjects.flatMap((subject) => {
    const own = dialogues.map((records) => countAnswers(records.filter((record) => record.subject === subject)));
    return figureRows({ dataset, mode: MODE, subject }, own, ANSWER_METRICS);
  });
};

/** In tokens. Wider than any conversation of these sets, as this compares what a policy wants to send. */
const WINDOW = 4_000_000;

/** A question with the context that one policy builds for it. */
interface QuestionContext {
  readonly question: Question;
  readonly subject: string;
  readonly size: PolicySize;
  /** The conversation with the question at its place. */
  readonly forest: Forest;
  readonly nodeId: NodeId;
  readonly built: BuiltContext;
}

/**
 * Asks each question as the next message after all turns of a conversation, independently of the other questions. The engine
 * itself placed the turns, and it also places the question.
 */
async function* questionContexts(
  dialogue: QuestionedDialogue,
  questions: readonly Question[],
  { placed, settled }: Pick<Placements, 'placed' | 'settled'>,
  placing: PlacementSubject,
  subjects: readonly ContextSubject[],
  sizes: readonly PolicySize[],
  parts: ContextParts & { readonly window?: number },
): AsyncGenerator<QuestionContext> {
  const { vectorOf, window = WINDOW } = parts;
  const { subject: placedBy, policy: routing, theta = USE_LITE_THETA } = placing;
  const decider = placing.deciderFor(dialogue);
  const replay = new Replay(vectorOf, routing);
  const buildWith = contextBuilder(parts, window);
  const buildIn = (message: string, place: UnansweredTurn) => {
    const near = replay.nearness(message);
    return (policy: Policy, contextBudget: number | null) => buildWith(policy, place, near, contextBudget);
  };

  for (const [turn, labelled] of dialogue.turns.entries()) {
    const place = replay.preview(labelled.message, ...placeIn(placed, turn));
    const [parentId] = placeIn(settled, turn);
    replay.place(labelled, parentId, await buildIn(labelled.message, place)(routing, null));
  }
  for (const question of questions) {
    const { parentId, decision } = await replay.route(question.text, decider, theta);
    const [failed] = decision.trace?.fallbacks ?? [];
    if (failed !== undefined) throw new Error(`${placedBy} failed at a question of ${dialogue.id}: ${failed.why}`);
    const place = replay.preview(question.text, parentId, decision);
    takeBack(replay.forest);
    const build = buildIn(question.text, place);
    const own = await build(routing, null);
    for (const { subject, policy, equalTokens } of subjects) {
      for (const size of equalTokens ? [null] : sizes) {
        const budget = equalTokens ? tokensOnHistory(own.context) : budgetOf(size, historyTokensOf(own.context));
        const built = policy === routing && size === null ? own : await build(policy, budget);
        yield { question, subject, size, ...place, built };
      }
    }
  }
}

/** Removes the pending message as if it had never been sent. */
const takeBack = (forest: Forest): void => {
  forest.turnCount -= sizeOf(forest.pending);
  forest.pending = {};
};

/** Counts how much of a question's evidence its context contains: utterances word for word, or whole turns. */
const countEvidence = (
  counts: Record<string, number>,
  { question, size, forest, built: { context, overview } }: QuestionContext,
): void => {
  const known =
    overview === null ? forest : { ...forest, overviews: withRecord(forest.overviews, overview.id, overview) };
  const sent = sentTexts(known, context);
  countSize(counts, sent, context, size);
  const { evidence, evidenceTexts } = question;
  if (evidence.length === 0) return;
  const full = inFull(context);
  const found =
    evidenceTexts === undefined
      ? evidence.filter((turn) => full.has(turn)).length / evidence.length
      : evidenceTexts.filter((text) => isSent(text, sent)).length / evidenceTexts.length;
  add(counts, `questions${suffixOf(size)}`);
  add(counts, `evidence recall${suffixOf(size)}`, found);
};

/** How close an answer came to the right one, from 0 to 1. */
interface AnswerRecord {
  readonly subject: string;
  readonly exact: number;
  readonly f1: number;
}

/** Right answers are a few words long, so the answers compared with them should be too. */
const BRIEFLY = 'Answer in as few words as you can, with words of the conversation where it has them.';

/** Lets a chat model answer from a context. Rejects if the model fails: a missing answer is not a wrong one. */
const answerFrom = async (
  { question, subject, forest, built: { context, overview } }: QuestionContext,
  chat: ChatModel,
  signal: AbortSignal,
): Promise<AnswerRecord> => {
  const known =
    overview === null ? forest : { ...forest, overviews: withRecord(forest.overviews, overview.id, overview) };
  const [system, ...rest] = contextMessages(known, context);
  const messages: ChatMessage[] = [{ role: 'system', content: `${system?.content ?? ''}\n\n${BRIEFLY}` }, ...rest];
  let text = '';
  const request = { messages, begun: '', settings: defaultReplySettings, quotable: () => ({ path: [], nearest: [] }) };
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

/** Counts for the answers of one dialogue. */
const countAnswers = (records: readonly AnswerRecord[]): Counts => {
  const counts: Record<string, number> = {};
  for (const { exact, f1 } of records) {
    add(counts, 'answers');
    add(counts, 'answers exact', exact);
    add(counts, 'answers f1', f1);
  }
  return counts;
};

/*
 * Closeness of an answer to the right one, measured as in SQuAD (Rajpurkar et al. 2016, the official evaluation script):
 * exact match and word F1, each the best over the right answers.
 */

const ARTICLES = /\b(?:a|an|the)\b/g;
/** The characters that SQuAD removes: ASCII punctuation. */
const MARKS = /[!-/:-@[-`{-~]/g;

/** Removes capitals, punctuation, articles and redundant spaces. */
export const normalisedAnswer = (text: string): string =>
  text.toLowerCase().replace(MARKS, '').replace(ARTICLES, ' ').split(/\s+/).filter(Boolean).join(' ');

/** 1 or 0. */
export const exactMatch = (given: string, right: readonly string[]): number =>
  right.some((answer) => normalisedAnswer(answer) === normalisedAnswer(given)) ? 1 : 0;

/** 0 to 1. */
export const answerF1 = (given: string, right: readonly string[]): number =>
  Math.max(0, ...right.map((answer) => wordF1(words(given), words(answer))));

const words = (text: string): string[] => normalisedAnswer(text).split(' ').filter(Boolean);

const wordF1 = (given: readonly string[], right: readonly string[]): number => {
  // An empty answer is right only if the expected answer is empty.
  if (given.length === 0 || right.length === 0) return given.length === right.length ? 1 : 0;
  const left = [...right];
  let common = 0;
  for (const word of given) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return (2 * common) / (given.length + right.length);
};
