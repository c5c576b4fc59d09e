import { ModelFailure } from '../../src/engine/model-failure.ts';
import { isUnusable, Unusable } from '../../src/features/evaluate/measurement/subjects.ts';
import { CHOICE_TOKENS, wholeAnswer } from '../../src/models/prompted/choice.ts';
import { YES_OR_NO_SCHEMA, yesIn } from '../../src/models/prompted/prompted-decider.ts';
import { instructionsFor } from '../../src/models/prompted/prompts.ts';
import type { TextGenerator } from '../../src/models/runtimes/runtime.ts';
import { baseUrlOf } from '../../src/models/runtimes/server/base-url.ts';
import { UsageError } from '../command-line.ts';
import type { CompletionTask } from './tasks.ts';

/** Named in a report: figures from different wordings are not comparable. */
export const JUDGE_PROMPT = 'judge prompt 1';

/** The paper says that its checkpoints are answered yes or no, but not how it asks; this wording is our own. */
const INSTRUCTIONS = `You check whether an answer reaches a goal.
You get what the user asked last, the answer, a question that lists every goal, and the one goal to check.
- "yes": the answer reaches this goal wholly. A goal that something is not there is reached where it is not there.
- "no": the answer reaches it in part, leaves it open, or says something else.
Go by the answer alone: not by what you know, not by how well it is written, and not by the other goals.
Answer with JSON only: {"answer":"yes"} or {"answer":"no"}`;

/** A judge's verdict on a goal; null if it gave none that can be used. */
export type Verdict = boolean | null;

/** A language model that judges for each goal of a task whether an answer reaches it. */
export interface Judge {
  readonly name: string;
  /** Its verdict on each goal, in order; an unusable one is null, and counted. Rejects if its server fails. */
  judge(task: CompletionTask, answer: string): Promise<Verdict[]>;
  /** One sentence: how many goals it was asked about, and how many answers were unusable. */
  summary(): string;
}

/** Asks about each goal separately, the goal last: what precedes it need not be read again. */
export const judgeBy = (generator: TextGenerator): Judge => {
  const unusable = new Unusable();
  let asked = 0;
  const reaches = async (
    { messages, question, goals }: CompletionTask,
    at: number,
    answer: string,
  ): Promise<Verdict> => {
    asked++;
    const text = [
      `The user asked last: ${JSON.stringify(messages.at(-1))}`,
      `The answer, between the lines:\n-----\n${answer}\n-----`,
      `Every goal: ${JSON.stringify(question)}`,
      `The goal to check, number ${at + 1} of ${goals.length}: ${JSON.stringify(goals[at])}`,
      'Does the answer reach this goal?',
    ].join('\n\n');
    const prompt = [
      { role: 'system' as const, content: instructionsFor(generator.name, INSTRUCTIONS) },
      { role: 'user' as const, content: text },
    ];
    try {
      const said = { messages: prompt, schema: YES_OR_NO_SCHEMA, maxTokens: CHOICE_TOKENS };
      return yesIn((await wholeAnswer(generator, said)).answer);
    } catch (error) {
      if (!(error instanceof ModelFailure && isUnusable(error.kind))) throw error;
      unusable.add(error.kind);
      return null;
    }
  };
  return {
    name: generator.name,
    judge: async (task, answer) => {
      const verdicts: Verdict[] = [];
      for (const at of task.goals.keys()) verdicts.push(await reaches(task, at, answer));
      return verdicts;
    },
    summary: () => {
      const rest =
        unusable.count === 0
          ? 'every answer was of use'
          : `${unusable.count} answers of no use (${unusable.breakdown}), whose goals are left out`;
      return `**${generator.name}** judged: asked about ${asked} goals, ${rest}.`;
    },
  };
};

/** A language model on a server. */
export interface ModelAt {
  readonly model: string;
  /** Its base URL. */
  readonly address: string;
  /** Empty where there is none. */
  readonly key: string;
}

/** Maximum judges: two are enough to know how far a verdict can be trusted. */
const MOST = 2;

/** An address after the last @: some model names contain an @ themselves (`small@q4_k_m`). */
const AT_ADDRESS = /^(.+)@((?:https?:\/\/|localhost\b|[^\s/@]+:\d)\S*)$/i;

/**
 * Parses the judges of `--judge NAME[@ADDRESS]`; if none is named, the chat model judges itself. A judge on another server does
 * not get the key of the first but its own, COPPICE_JUDGE_KEY_1 or _2, in the order in which judges are named.
 */
export const judgesNamed = (
  names: readonly string[],
  chat: ModelAt,
  keys: Readonly<Record<string, string | undefined>>,
): readonly ModelAt[] => {
  if (names.length === 0) return [chat];
  if (names.length > MOST) throw new UsageError(`--judge takes at most ${MOST} judges, not ${names.length}.`);
  const judges = names.map((name, at): ModelAt => {
    const [, model = name, own] = name.match(AT_ADDRESS) ?? [];
    const address = own === undefined ? chat.address : baseUrlOf(own);
    const key = address === chat.address ? chat.key : (keys[`COPPICE_JUDGE_KEY_${at + 1}`] ?? '');
    return { model, address, key };
  });
  const [first, second] = judges;
  if (second !== undefined && sameModel(first, second)) {
    throw new UsageError(`Both judges are ${second.model}: how far a judge agrees with itself says nothing.`);
  }
  return judges;
};

export const sameModel = (one: ModelAt | undefined, other: ModelAt): boolean =>
  one?.model === other.model && one.address === other.address;
