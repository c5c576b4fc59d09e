import { needReport } from '../needs/need-report.ts';
import { confusionTables } from './confusions.ts';
import { datasetOf } from './datasets.ts';
import { inShort } from './in-short.ts';
import { legendFor, READING } from './legend.ts';
import type { MeasuredSet, Measurement } from './measure.ts';
import { grouped } from './metrics.ts';
import { REPLIES_BY } from './replies.ts';
import { resultTables } from './result-tables.ts';
import { type Table, tableText } from './table.ts';

/** Where and how a measurement was made. */
export interface Circumstances {
  readonly command: string;
  readonly date: Date;
  /** Names and versions, e.g. `Node 20.20.2`. */
  readonly versions: readonly string[];
}

/** All sets in one table, as Markdown, with how to read it; empty where the decider that ships was not measured. */
export const inShortOf = ({ rows }: Pick<Measurement, 'rows'>): string => {
  const table = inShort(rows);
  return table === null ? '' : `${tableText(table)}\n\n${READING_IN_SHORT}`;
};

const READING_IN_SHORT =
  'Figures of the learned decider with their 95 % intervals, each beside the best of `calibrated`, `threshold` and `always-continue`. ' +
  'Teacher-forced, every earlier turn stands where its label says; free-running, where the engine put it.';

/**
 * A measurement as Markdown: tables by data set, the legend, the commonest confusions. It begins with all sets in short,
 * and at its end what is needed by size, unless these stand elsewhere.
 */
export const reportOf = (
  measured: Measurement,
  circumstances: Circumstances,
  {
    short = inShortOf(measured),
    needed = needReport(measured.rows),
  }: { readonly short?: string; readonly needed?: string } = {},
): string =>
  [
    introOf(circumstances),
    ...(short === '' ? [] : [`## In short\n\n${short}`]),
    ...measured.datasets.flatMap(({ name, dialogues, turns, questions }) => [
      `## ${name}`,
      `${dialogues} dialogues, ${turns} turns.${asked(questions, measured)}${NOTES[name] ?? ''}`,
      ...titled(resultTables(measured.rows.filter(({ dataset }) => datasetOf(dataset) === name))),
    ]),
    ...(needed === '' ? [] : [`## What is needed, by size\n\n${needed}`]),
    '## What the figures mean',
    [
      ...READING,
      ...legendFor(new Set(measured.rows.map(({ metric }) => metric))).map(
        ({ name, definition }) => `\`${name}\`: ${definition}.`,
      ),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    '## Commonest confusions',
    ...titled(confusions(measured)),
  ].join('\n\n');

/** Questions are asked after the whole conversation, each by itself. */
const asked = (questions: MeasuredSet['questions'], { answeredBy }: Measurement): string =>
  questions === undefined || questions === 0
    ? ''
    : ` ${questions} questions, each asked after the whole conversation. Answers (\`answer-em\`, \`answer-f1\`): ${answeredBy === null ? 'no chat model chosen' : `by ${answeredBy}`}.`;

/** What has to be known of a set to read its figures. */
const NOTES: Readonly<Record<string, string>> = {
  everyday:
    ' Written and labelled for Coppice by language models, not by people. Nothing was trained or tuned on them. `everyday-en` is what is in English, `everyday-other` the rest.',
  ntm: ` Its dialogues have no replies: those in the contexts are by \`${REPLIES_BY}\`, the embedded chat role. \`context-tokens-at-…\` are of all dialogues of the set, labelled or not. Labels by language models (two annotators and an adjudicator), not by people.`,
  rewrites:
    ' Messages as people rewrote them to stand alone. Their parents are not labelled: a turn goes on from the one before.',
  'rewrites-interleaved': ' Three conversations mixed into one, by the rule by which trees are interleaved.',
  tiage:
    ' A shift is labelled as a new topic, and returns not at all: for `calibration-error` and `errors-flagged` a turn that was decided as a return is wrong.',
  'oasst-interleaved':
    ' Contexts: the weights by which turns off the path are sent were fitted to these very conversations, so `context-agent` is measured in-sample here.',
  msc: ' Nobody labelled which earlier turns an utterance or an answer needs, so only the length of the contexts is measured.',
  'msc-e':
    ' No copy was found in public: read in the form that the paper’s prompts ask for. Nobody labelled which turns an answer is in.',
  realtalk: ' Read in the form that programs of others read, for no copy was at hand.',
  'multihop-rag':
    ' News articles in place of a conversation, told one after the other. Evidence is found by its words: see `n` for how many questions have all of theirs.',
  implexconv:
    ' Whole sessions are labelled as evidence. They are found by their text, in a form of the set that no copy confirmed: see `n` for how many were.',
};

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

export const introOf = ({ command, date, versions }: Circumstances): string =>
  `Made on ${DATE.format(date)} by \`${command}\` with ${versions.join(', ')}.`;

/** Of the first subject: the decider that ships, unless others were asked for. */
const confusions = ({ decisions }: Measurement): Table[] => {
  const own = decisions.filter(({ subject }) => subject === decisions[0]?.subject);
  return [...grouped(own, ({ dataset, mode }) => `${dataset} ${mode}`).values()].flatMap(confusionTables);
};

const titled = (tables: readonly Table[]): string[] =>
  tables.map((table) => `### ${table.title}\n\n${tableText(table)}`);
