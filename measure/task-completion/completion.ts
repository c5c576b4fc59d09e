import type { Counts } from '../../src/app/figures/estimate.ts';
import type { Node } from '../../src/domain/forest.ts';
import { sum } from '../../src/domain/numbers.ts';
import { fallbacksOf, replyOf } from '../../src/domain/queries.ts';
import { answerOf } from '../../src/domain/reply.ts';
import type { Policy } from '../../src/engine/context/policy.ts';
import { kindNamed, ModelFailure, type ModelFailureKind } from '../../src/engine/model-failure.ts';
import type { Decider, Models } from '../../src/engine/ports.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/dialogues.ts';
import { COMPLETION_METRICS, JUDGES_METRICS } from '../../src/features/evaluate/measurement/completion-metrics.ts';
import { TOKENS_RATIO } from '../../src/features/evaluate/measurement/context-metrics.ts';
import type { ContextRecord } from '../../src/features/evaluate/measurement/contexts.ts';
import { replayDialogue } from '../../src/features/evaluate/measurement/replay.ts';
import { introOf, legendFor, type RunInfo } from '../../src/features/evaluate/measurement/report.ts';
import { isUnusable, Unusable } from '../../src/features/evaluate/measurement/subjects.ts';
import {
  contextRows,
  type FigureRow,
  figureRows,
  resultTables,
  tableText,
} from '../../src/features/evaluate/measurement/tables.ts';
import { chatModel } from '../../src/models/prompted/chat-model.ts';
import type { TextGenerator } from '../../src/models/runtimes/runtime.ts';
import { JUDGE_PROMPT, type Judge, type Verdict } from './judges.ts';
import type { CompletionTask } from './tasks.ts';

interface CompletionParts {
  readonly policies: readonly Policy[];
  /** Answers every turn. */
  readonly chat: TextGenerator;
  /** One or two. */
  readonly judges: readonly Judge[];
  /** Places the turns of a dialogue. */
  readonly deciderFor: (dialogue: LabelledDialogue) => Decider;
  readonly models: Pick<Models, 'embed' | 'summarise'>;
  /** Called after each turn, and after each judged dialogue. */
  readonly progress?: (done: number, of: number, what: string) => void;
}

interface Completion {
  readonly rows: readonly FigureRow[];
  /** One sentence per policy and per judge: what could not be answered or judged. */
  readonly remarks: readonly string[];
}

const OF = { dataset: 'ntm', mode: 'free-running' } as const;

/** Has a chat model do every task under every policy, and judges say which goals its last answers reach. */
export const measureCompletion = async (
  tasks: readonly CompletionTask[],
  parts: CompletionParts,
): Promise<Completion> => {
  const { policies, judges, progress } = parts;
  const chat = chatModel(parts.chat);
  // Judging a dialogue counts as much as a turn.
  const of = policies.length * tasks.reduce((sum, { messages }) => sum + messages.length + 1, 0);
  const rows: FigureRow[] = [];
  const remarks: string[] = [];
  let done = 0;
  for (const policy of policies) {
    const step = (): void => {
      progress?.(++done, of, `ntm: ${policy.name}, answers and judgements`);
    };
    const failed = new Unusable();
    const verdicts = judges.map((): Verdict[][] => []);
    const contexts: ContextRecord[][] = [];
    let unanswered = 0;
    let cut = 0;
    for (const task of tasks) {
      const models = { ...parts.models, chat, decide: parts.deciderFor(dialogueOf(task)) };
      const played = await playTask(task, models, policy, step);
      for (const kind of played.failed) failed.add(kind);
      if (played.answer === null) unanswered++;
      cut += played.cut;
      contexts.push([...played.contexts]);
      for (const [at, judge] of judges.entries()) {
        verdicts[at]?.push(
          played.answer === null ? task.goals.map(() => null) : await judge.judge(task, played.answer),
        );
      }
      step();
    }
    rows.push(...policyRows(policy.name, judges, verdicts), ...contextRows(OF, contexts, [TOKENS_RATIO]));
    remarks.push(...policyRemarks(policy.name, { failed, unanswered, cut, verdicts, judges }));
  }
  return { rows, remarks: [...remarks, ...judges.map((judge) => judge.summary())] };
};

const policyRows = (subject: string, judges: readonly Judge[], verdicts: readonly Verdict[][][]): FigureRow[] => {
  const own = judges.flatMap(({ name }, at) =>
    figureRows({ ...OF, subject, judge: name }, (verdicts[at] ?? []).map(countCompletion), COMPLETION_METRICS),
  );
  if (judges.length < 2) return own;
  const judge = judges.map(({ name }) => name).join(' and ');
  return [...own, ...figureRows({ ...OF, subject, judge }, agreementOf(verdicts), JUDGES_METRICS)];
};

const agreementOf = ([first = [], second = []]: readonly Verdict[][][]): Counts[] =>
  first.map((own, at) => countAgreement(own, second[at] ?? []));

/** Counts for one dialogue, from a judge's verdict on each of its goals. */
export const countCompletion = (verdicts: readonly Verdict[]): Counts => {
  const judged = verdicts.filter((verdict) => verdict !== null);
  if (judged.length === 0) return {};
  const reached = judged.filter((verdict) => verdict).length;
  return {
    'goals judged': judged.length,
    'goals reached': reached,
    'dialogues judged': 1,
    completion: reached / judged.length,
  };
};

/** Counts for one dialogue, from two judges' verdicts on the same goals, in order. */
export const countAgreement = (first: readonly Verdict[], second: readonly Verdict[]): Counts => {
  const pairs = first.map((verdict, at) => [verdict, second[at] ?? null] as const);
  const count = (one: boolean, other: boolean) => pairs.filter(([a, b]) => a === one && b === other).length;
  return {
    'both yes': count(true, true),
    'both no': count(false, false),
    'only first': count(true, false),
    'only second': count(false, true),
  };
};

interface Omissions {
  readonly failed: Unusable;
  readonly unanswered: number;
  readonly cut: number;
  readonly verdicts: readonly Verdict[][][];
  readonly judges: readonly Judge[];
}

/** What the figures of a policy leave out. */
const policyRemarks = (policy: string, { failed, unanswered, cut, verdicts, judges }: Omissions): string[] => {
  const noneFailed = failed.count === 0 && cut === 0;
  const parts = [
    ...(noneFailed ? ['every turn was answered in full'] : []),
    ...(failed.count > 0 ? [`${failed.count} turns have no answer (${failed.breakdown})`] : []),
    ...(cut > 0 ? [`${cut} answers ended at the limit of their tokens`] : []),
    ...(unanswered > 0 ? [`${unanswered} dialogues have no last answer, and their goals are left out`] : []),
  ];
  const kappa = JUDGES_METRICS.slice(0, 1);
  const agreed = agreementOf(verdicts);
  const both = sum(agreed.flatMap((counts) => Object.values(counts)));
  const undefinedKappa =
    judges.length === 2 && both > 0 && figureRows({ ...OF, subject: policy }, agreed, kappa).length === 0
      ? ['Cohen’s κ of the judges is undefined, for both said the same of every goal']
      : [];
  return [`**${policy}**: ${[...parts, ...undefinedKappa].join('; ')}.`];
};

/** In the form in which the learned decider knows the dialogues it was trained on. */
const dialogueOf = ({ id, messages }: CompletionTask): LabelledDialogue => ({
  set: OF.dataset,
  id,
  group: id,
  labels: 'topics',
  turns: messages.map((message) => ({ message, reply: null, parent: null, disputed: false })),
});

/** Who did what. */
interface Participants {
  readonly chat: string;
  readonly decider: string;
  readonly judges: readonly string[];
  /** Whether the model that answered is the only judge. */
  readonly itself: boolean;
}

/** Task completion as Markdown: who answered and who judged, the tables, what they leave out, and what they mean. */
export const completionReport = (
  tasks: readonly CompletionTask[],
  { rows, remarks }: Completion,
  { chat, decider, judges, itself }: Participants,
  circumstances: RunInfo,
): string => {
  const turns = tasks.reduce((sum, { messages }) => sum + messages.length, 0);
  const goals = tasks.reduce((sum, task) => sum + task.goals.length, 0);
  const by = `Judged by ${judges.join(' and ')}${itself ? ', the model that answered: it judges itself' : ''} (${JUDGE_PROMPT}).`;
  return [
    introOf(circumstances),
    '## ntm, task completion',
    `${tasks.length} dialogues, ${turns} turns, ${goals} goals. Answered by ${chat}, at its own temperature. ${by} Turns placed by ${decider}.`,
    ...resultTables(rows).map((table) => `### ${table.title}\n\n${tableText(table)}`),
    remarks.map((line) => `- ${line}`).join('\n'),
    '## What the figures mean',
    [
      'The chat model answers every turn from the context that the policy builds, of its own earlier answers, cut to fit its window as in the app. A judge sees the last message, the last answer and the checkpoint question, nothing else, and is asked about one goal at a time.',
      'In brackets: 95 % bootstrap interval (1000 rounds, dialogues drawn with replacement, the same draws for every subject).',
      ...legendFor(new Set(rows.map(({ metric }) => metric))).map(
        ({ name, definition }) => `\`${name}\`: ${definition}.`,
      ),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
};

/** A task played by a chat model turn by turn, each from the context that a policy built from the turns before. */
interface PlayedTask {
  /** Its last answer, without its reasoning; null if it gave none. */
  readonly answer: string | null;
  /** Why replies failed, one per turn without a reply. The conversation went on without them, as in the app. */
  readonly failed: readonly ModelFailureKind[];
  /** Replies cut off at the token limit. */
  readonly cut: number;
  /** What was sent; the first turn, which has no history, is left out. */
  readonly contexts: readonly ContextRecord[];
}

/**
 * Plays a task through the engine itself. Rejects with a ModelFailure if the server fails, or if a model stood in for another:
 * that would be measured as if it were the other.
 */
const playTask = async (
  { id, messages }: CompletionTask,
  models: Models,
  policy: Policy,
  turnDone: () => void,
): Promise<PlayedTask> => {
  const failed: ModelFailureKind[] = [];
  const contexts: ContextRecord[] = [];
  let last: Node | null = null;
  let cut = 0;
  const after = (node: Node): void => {
    const where = `${policy.name}, turn ${node.number} of ${id}`;
    const [fallback] = fallbacksOf(node);
    if (fallback !== undefined) throw new ModelFailure('unknown', `${where}: ${fallback.from} failed. ${fallback.why}`);
    const reply = replyOf(node);
    if (reply === null || reply.state !== 'done') {
      const kind = kindNamed(reply?.failureKind);
      if (!isUnusable(kind)) throw new ModelFailure(kind ?? 'unknown', `${where}: ${reply?.failure ?? 'no reply'}`);
      failed.push(kind);
    }
    if (reply?.usage?.cut === true) cut++;
    if (reply?.context && node.number > 1) {
      const { tokens, fullHistoryTokens } = reply.context;
      const none = { needed: 0, found: 0, goldTokens: 0, disputed: false };
      contexts.push({ subject: policy.name, turn: node.number - 1, tokens, fullHistoryTokens, ...none });
    }
    last = node;
    turnDone();
  };
  const turns = messages.map((message) => ({ message, reply: null }));
  await replayDialogue({ title: id, turns }, models, policy, after);
  return { answer: answerIn(last), failed, cut, contexts };
};

/** The full answer of a turn; null if the reply failed or contained only reasoning. */
const answerIn = (node: Node | null): string | null => {
  const reply = node === null ? null : replyOf(node);
  const answer = reply?.state === 'done' ? answerOf(reply.text).trim() : '';
  return answer === '' ? null : answer;
};
