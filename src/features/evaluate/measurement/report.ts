import { plural } from '../../../domain/numbers.ts';
import { grouped } from '../datasets/dialogues.ts';
import { COMPLETION_METRICS, JUDGES_METRICS } from './completion-metrics.ts';
import { ACT_TURNS, LENGTH_METRICS, PATH_AND_REFERENCE_METRICS, PATH_METRICS } from './context-metrics.ts';
import { curvesOf, curveTables } from './curves.ts';
import { datasetOf } from './datasets.ts';
import { DECISION_METRICS } from './decision-metrics.ts';
import { ANSWER_METRICS } from './evidence.ts';
import type { MeasuredSet, Measurement } from './measure.ts';
import type { Metric } from './metric.ts';
import { ALL_NEED_METRICS } from './need-metrics.ts';
import { REPLIES_BY } from './replay.ts';
import { confusionTables, type FigureRow, inShort, resultTables, type TextTable, tableText } from './tables.ts';

/** Where and how a measurement was made. */
export interface RunInfo {
  readonly command: string;
  readonly date: Date;
  /** Names and versions, e.g. `Node 20.20.2`. */
  readonly versions: readonly string[];
}

/** All sets in one Markdown table, with notes on how to read it; empty if the shipped decider was not measured. */
export const inShortOf = ({ rows }: Pick<Measurement, 'rows'>): string => {
  const table = inShort(rows);
  return table === null ? '' : `${tableText(table)}\n\n${READING_IN_SHORT}`;
};

const READING_IN_SHORT =
  'Figures of the learned decider with their 95 % intervals, each beside the best of `calibrated`, `threshold` and `always-continue`. ' +
  'Teacher-forced, every earlier turn stands where its label says; free-running, where the engine put it.';

/**
 * A measurement as Markdown: tables by data set, the legend and the most common confusions. It starts with a summary of all
 * sets and ends with needs by size, unless these appear elsewhere. `notes`: problems that occurred.
 */
export const reportOf = (
  measured: Measurement,
  circumstances: RunInfo,
  {
    short = inShortOf(measured),
    needed = needReport(measured.rows),
    notes = [],
  }: { readonly short?: string; readonly needed?: string; readonly notes?: readonly string[] } = {},
): string =>
  [
    introOf(circumstances),
    ...(notes.length === 0 ? [] : ['## Notes', listOf(notes)]),
    ...(short === '' ? [] : [`## In short\n\n${short}`]),
    ...measured.datasets.flatMap(({ name, dialogues, turns, questions }) => [
      `## ${name}`,
      `${dialogues} ${plural(dialogues, 'dialogue')}, ${turns} ${plural(turns, 'turn')}.${asked(questions, measured)}${NOTES[name] ?? ''}`,
      ...titled(resultTables(measured.rows.filter(({ dataset }) => datasetOf(dataset) === name))),
    ]),
    ...(needed === '' ? [] : [`## What is needed, by size\n\n${needed}`]),
    '## What the figures mean',
    listOf([
      ...READING,
      ...legendFor(new Set(measured.rows.map(({ metric }) => metric))).map(
        ({ name, definition }) => `\`${name}\`: ${definition}.`,
      ),
    ]),
    '## Commonest confusions',
    ...titled(confusions(measured)),
  ].join('\n\n');

/** Each question is asked independently after the whole conversation. */
const asked = (questions: MeasuredSet['questions'], { answeredBy }: Measurement): string =>
  questions === undefined || questions === 0
    ? ''
    : ` ${questions} ${plural(questions, 'question')}, each asked after the whole conversation. Answers (\`answer-em\`, \`answer-f1\`): ${answeredBy === null ? 'no chat model chosen' : `by ${answeredBy}`}.`;

/** Notes on a set that are needed to read its figures. */
const NOTES: Readonly<Record<string, string>> = {
  coppice:
    ' Conversations of Coppice. Measured are the turns that their person confirmed, corrected or placed beforehand; the others are the history before them.',
  everyday:
    ' Written and labelled for Coppice by language models, not by people. Nothing was trained or tuned on them. `everyday-en` is what is in English, `everyday-other` the rest.',
  ntm: ` Its dialogues have no replies: those in the contexts are by \`${REPLIES_BY}\`, the embedded chat role, which only quotes, so that a short line stands in their place. \`act-…\` are of all dialogues of the set, labelled or not. Labels by language models (two annotators and an adjudicator), not by people.`,
  rewrites:
    ' Messages as people rewrote them to stand alone. Their parents are not labelled: a turn goes on from the one before.',
  'rewrites-interleaved':
    ' Three conversations mixed into one, by the rule by which trees are interleaved; up to two that are left over are not in it.',
  tiage:
    ' A shift is labelled as a new topic, and returns not at all: for `calibration-error` and `errors-flagged` a turn that was decided as a return is wrong.',
  'oasst-interleaved':
    ' Contexts: the weights by which turns off the path are sent were fitted to these very conversations, so `focused`, which uses them, is measured in-sample here.',
  msc: ' Nobody labelled which earlier turns an utterance or an answer needs, so only the length of the contexts is measured.',
  'msc-e':
    ' No copy was found in public: read in the form that the paper’s prompts ask for. Nobody labelled which turns an answer is in.',
  realtalk: ' Read in the form that programs of others read, for no copy was at hand.',
  'multihop-rag':
    ' News articles in place of a conversation, told one after the other. Evidence is found by its words: see `n` for how many questions have all of theirs.',
  implexconv:
    ' Whole sessions are labelled as evidence. They are found by their text, in a form of the set that no copy confirmed: see `n` for how many were.',
};

const listOf = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

export const introOf = ({ command, date, versions }: RunInfo): string =>
  `Made on ${DATE.format(date)} by \`${command}\` with ${versions.join(', ')}.`;

/** For the first subject: the shipped decider, unless others were requested. */
const confusions = ({ decisions }: Measurement): TextTable[] => {
  const own = decisions.filter(({ subject, labelled }) => subject === decisions[0]?.subject && labelled);
  return [...grouped(own, ({ dataset, mode }) => `${dataset} ${mode}`).values()].flatMap(confusionTables);
};

const titled = (tables: readonly TextTable[]): string[] =>
  tables.map((table) => `### ${table.title}\n\n${tableText(table)}`);

const METRICS: readonly Metric[] = [
  ...DECISION_METRICS,
  ...PATH_METRICS,
  ...PATH_AND_REFERENCE_METRICS,
  ...ALL_NEED_METRICS,
  ...ANSWER_METRICS,
  ...COMPLETION_METRICS,
  ...JUDGES_METRICS,
  ...LENGTH_METRICS,
];

/** The definitions of the named metrics, in their defined order. */
export const legendFor = (names: ReadonlySet<string>): { readonly name: string; readonly definition: string }[] => {
  const wanted = new Map(METRICS.filter(({ name }) => names.has(name)).map((metric) => [metric.name, metric]));
  return [...wanted.values()].map(({ name, definition }) => ({ name, definition }));
};

/** Notes that apply to every figure. */
export const READING: readonly string[] = [
  'A dialogue’s first turn is no decision. `n` is what a figure is taken over: decisions, or the turns, forks or dialogues that its definition counts.',
  'In brackets: 95 % bootstrap interval (1000 rounds, dialogues drawn with replacement, the same draws for every subject). Interleaved conversations share trees, so theirs are a little too narrow.',
  '**teacher-forced**: every earlier turn stands where its label says. **free-running**: where the engine itself put it. Contexts are always built with the turn where the learned decider put it.',
  '**learned** is measured with weights that were not fitted to the dialogue. **calibrated** is the paper’s rule by similarity alone, **threshold** one cosine threshold for topics and no branches; their thresholds were tuned on these sets, but for everyday talk.',
  '**…-at-5**: the same, with the policy held to 5 % of the tokens of the full history (`contextBudget`; instructions and message come on top). Without it a policy sends what it does of its own accord. Except under `focused`, a line that counts what is left out is sent even where it does not fit: see `history-tokens-share-at-…`.',
  '**…-equal-tokens** has for its history, at each turn, the tokens that context-agent spent there on turns and overview.',
];

const percent = (share: number): string => `${share < 0 ? '+' : '−'}${Math.round(100 * Math.abs(share))} %`;

/**
 * Compares the savings reported in the paper (Context-Agent §6.1, table 4: average context tokens, ACT) with the savings
 * here on the same benchmark, and explains the difference. null unless both context-agent and the full history were measured
 * on it.
 */
export const paperTokens = (rows: readonly FigureRow[]): string | null => {
  const value = (subject: string, metric: string): number | undefined =>
    rows.find((row) => row.dataset === 'ntm' && row.subject === subject && row.metric === metric)?.value;
  const saved = ACT_TURNS.flatMap((turns) => {
    const [own, full] = [value('context-agent', `act-${turns}-turns`), value('full-history', `act-${turns}-turns`)];
    return own === undefined || full === undefined ? [] : [`${percent(1 - own / full)} over ${turns} turns`];
  });
  if (saved.length === 0) return null;
  const oracle = value('context-agent', 'path-and-reference-oracle-tokens-ratio');
  const price =
    oracle === undefined
      ? ''
      : ` By the labels here an oracle that sends exactly the path and what it refers to, and nothing else, pays ${oracle.toFixed(2)} of the full history already: what is saved beyond that leaves ancestors out.`;
  return (
    `The paper has average context tokens 45 to 52 % below the full history's (NTM); here \`context-agent\` has ${saved.join(', ')}. ` +
    'The dialogues are the same, the rest is not: the paper’s replies are by large language models and grow to twelve thousand tokens in 25 turns, here one short line stands ' +
    'for each, beside which instructions, message and overview weigh more; its places are decided by a 12B language model, which may open more topics and branches than our labels have, and a shorter path costs less; ' +
    `and it does not say how much a summary may take.${price}`
  );
};

const READING_BY_SIZE =
  'Each policy at the size that it has of its own accord (the mean share of the full history’s tokens), then held to budgets in per cent of the full history’s tokens. ' +
  'Except under `focused`, a line that counts what is left out is sent even where a budget has no room for it, so that the smallest budgets of short conversations are overspent.';

/** The cost of a policy at its own size, regardless of what it finds. */
const COSTS = [
  'context-tokens-ratio',
  'history-tokens-share',
  'over-full',
  'tokens-read-ratio',
  'tokens-read-ratio-8',
  'prefix-kept',
] as const;

/** Coverage of needs by context size, as Markdown; empty if not measured. `picture`: where its curves are drawn. */
export const needReport = (rows: readonly FigureRow[], picture: string | null = null): string => {
  const curves = curvesOf(rows);
  if (curves.length === 0) return '';
  return [
    READING_BY_SIZE,
    ...(picture === null ? [] : [`![What contexts have of what is needed, by their size](${picture})`]),
    ...[...curveTables(curves), costTable(rows)].map((table) => `### ${table.title}\n\n${tableText(table)}`),
  ].join('\n\n');
};

/** One row per policy and set, one column per cost. */
const costTable = (rows: readonly FigureRow[]): TextTable => {
  const read = rows.filter(({ metric, mode }) => metric === 'tokens-read-ratio' && mode === 'free-running');
  const own = rows.filter(({ mode }) => mode === 'free-running');
  const byMetric = grouped(own, ({ dataset, subject, metric }) => `${dataset} ${subject} ${metric}`);
  return {
    title: 'What it costs, at the policy’s own size',
    rows: [
      ['set, policy', ...COSTS],
      ...read.map(({ dataset, subject }) => [
        `${dataset}, ${subject}`,
        ...COSTS.map((metric) => byMetric.get(`${dataset} ${subject} ${metric}`)?.[0]?.value.toFixed(2) ?? '–'),
      ]),
    ],
  };
};
