import type { Policy } from '../../src/engine/context/policy.ts';
import type { Decider, Models } from '../../src/engine/ports.ts';
import type { LabelledDialogue } from '../../src/features/evaluate/datasets/labelled-dialogue.ts';
import {
  COMPLETION_METRICS,
  countAgreement,
  countCompletion,
  JUDGES_METRICS,
  type Verdict,
} from '../../src/features/evaluate/measurement/completion-metrics.ts';
import { TOKENS_RATIO } from '../../src/features/evaluate/measurement/context-metrics.ts';
import type { ContextRecord } from '../../src/features/evaluate/measurement/contexts.ts';
import type { Counts } from '../../src/features/evaluate/measurement/metric.ts';
import { contextRows, type Row, rowsOf } from '../../src/features/evaluate/measurement/rows.ts';
import { chatModel } from '../../src/models/prompted/chat-model.ts';
import type { TextGenerator } from '../../src/models/runtimes/runtime.ts';
import { Unusable } from '../server-model.ts';
import type { Judge } from './judge.ts';
import { playTask } from './play-task.ts';
import type { Task } from './tasks.ts';

export interface CompletionParts {
  readonly policies: readonly Policy[];
  /** Answers every turn. */
  readonly chat: TextGenerator;
  /** One or two. */
  readonly judges: readonly Judge[];
  /** Places the turns of a dialogue. */
  readonly deciderFor: (dialogue: LabelledDialogue) => Decider;
  readonly models: Pick<Models, 'embed' | 'summarise'>;
  /** Told after each turn, and after each dialogue that was judged. */
  readonly progress?: (done: number, of: number, what: string) => void;
}

export interface Completion {
  readonly rows: readonly Row[];
  /** A sentence a policy, and one a judge: what could not be answered or judged. */
  readonly told: readonly string[];
}

const OF = { dataset: 'ntm', mode: 'free-running' } as const;

/** Has a chat model do every task under every policy, and judges say which goals its last answers reach. */
export const measureCompletion = async (tasks: readonly Task[], parts: CompletionParts): Promise<Completion> => {
  const { policies, judges, progress } = parts;
  const chat = chatModel(parts.chat);
  // Judging a dialogue counts as much as a turn.
  const of = policies.length * tasks.reduce((sum, { messages }) => sum + messages.length + 1, 0);
  const rows: Row[] = [];
  const told: string[] = [];
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
    told.push(...policyTold(policy.name, { failed, unanswered, cut, verdicts, judges }));
  }
  return { rows, told: [...told, ...judges.map((judge) => judge.told())] };
};

const policyRows = (subject: string, judges: readonly Judge[], verdicts: readonly Verdict[][][]): Row[] => {
  const own = judges.flatMap(({ name }, at) =>
    rowsOf({ ...OF, subject, judge: name }, (verdicts[at] ?? []).map(countCompletion), COMPLETION_METRICS),
  );
  if (judges.length < 2) return own;
  const judge = judges.map(({ name }) => name).join(' and ');
  return [...own, ...rowsOf({ ...OF, subject, judge }, agreementOf(verdicts), JUDGES_METRICS)];
};

const agreementOf = ([first = [], second = []]: readonly Verdict[][][]): Counts[] =>
  first.map((own, at) => countAgreement(own, second[at] ?? []));

interface Lost {
  readonly failed: Unusable;
  readonly unanswered: number;
  readonly cut: number;
  readonly verdicts: readonly Verdict[][][];
  readonly judges: readonly Judge[];
}

/** What the figures of a policy leave out. */
const policyTold = (policy: string, { failed, unanswered, cut, verdicts, judges }: Lost): string[] => {
  const noneFailed = failed.count === 0 && cut === 0;
  const parts = [
    ...(noneFailed ? ['every turn was answered in full'] : []),
    ...(failed.count > 0 ? [`${failed.count} turns have no answer (${failed.told})`] : []),
    ...(cut > 0 ? [`${cut} answers ended at the limit of their tokens`] : []),
    ...(unanswered > 0 ? [`${unanswered} dialogues have no last answer, and their goals are left out`] : []),
  ];
  const kappa = JUDGES_METRICS.slice(0, 1);
  const agreed = agreementOf(verdicts);
  const both = agreed.reduce((sum, counts) => sum + Object.values(counts).reduce((a, b) => a + b, 0), 0);
  const undefinedKappa =
    judges.length === 2 && both > 0 && rowsOf({ ...OF, subject: policy }, agreed, kappa).length === 0
      ? ['Cohen’s κ of the judges is undefined, for both said the same of every goal']
      : [];
  return [`**${policy}**: ${[...parts, ...undefinedKappa].join('; ')}.`];
};

/** As the learned decider knows those that it was trained on. */
const dialogueOf = ({ id, messages }: Task): LabelledDialogue => ({
  set: OF.dataset,
  id,
  group: id,
  labels: 'topics',
  turns: messages.map((message) => ({ message, reply: null, parent: null, disputed: false })),
});
