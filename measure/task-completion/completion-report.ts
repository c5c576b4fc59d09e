import { legendFor } from '../../src/features/evaluate/measurement/legend.ts';
import type { Circumstances } from '../../src/features/evaluate/measurement/report.ts';
import { introOf } from '../../src/features/evaluate/measurement/report.ts';
import { resultTables } from '../../src/features/evaluate/measurement/result-tables.ts';
import { tableText } from '../../src/features/evaluate/measurement/table.ts';
import type { Completion } from './completion.ts';
import { JUDGE_PROMPT } from './judge.ts';
import type { Task } from './tasks.ts';

/** Who did what. */
export interface Cast {
  readonly chat: string;
  readonly decider: string;
  readonly judges: readonly string[];
  /** No other model than the one that answered judges. */
  readonly itself: boolean;
}

/** Task completion as Markdown: who answered and who judged, the tables, what they leave out, and what they mean. */
export const completionReport = (
  tasks: readonly Task[],
  { rows, told }: Completion,
  { chat, decider, judges, itself }: Cast,
  circumstances: Circumstances,
): string => {
  const turns = tasks.reduce((sum, { messages }) => sum + messages.length, 0);
  const goals = tasks.reduce((sum, task) => sum + task.goals.length, 0);
  const by = `Judged by ${judges.join(' and ')}${itself ? ', the model that answered: it judges itself' : ''} (${JUDGE_PROMPT}).`;
  return [
    introOf(circumstances),
    '## ntm, task completion',
    `${tasks.length} dialogues, ${turns} turns, ${goals} goals. Answered by ${chat}, at its own temperature. ${by} Turns placed by ${decider}.`,
    ...resultTables(rows).map((table) => `### ${table.title}\n\n${tableText(table)}`),
    told.map((line) => `- ${line}`).join('\n'),
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
