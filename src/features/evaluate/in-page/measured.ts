import { PROVENANCE, provenanceWords } from '../../../app/provenance.ts';
import { BranchAction, TopicAction } from '../../../domain/decision.ts';
import { defaultParameters } from '../../../engine/parameters.ts';
import type { DataSets } from '../datasets/data-files.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { grouped } from '../datasets/dialogues.ts';
import { trainedFold } from '../held-out/held-out-deciders.ts';
import { LENGTH_METRICS } from '../measurement/context-metrics.ts';
import { curvesOf } from '../measurement/curves.ts';
import { datasetOf, datasetsIn, needSetsIn, questionSetsIn } from '../measurement/datasets.ts';
import { isDecisionMetric, RELATIONS, relationOf } from '../measurement/decision-metrics.ts';
import { conversationsIn, GROWING, type Measurement } from '../measurement/measure.ts';
import { splitSize } from '../measurement/need-metrics.ts';
import type { DecisionRecord } from '../measurement/placements.ts';
import { legendFor, paperTokens, READING, reportOf } from '../measurement/report.ts';
import { countTurns } from '../measurement/runs.ts';
import { type FigureRow, headedRowsFile } from '../measurement/tables.ts';
import type {
  DataSetSummary,
  EvaluatedDecision,
  EvaluatedDialogue,
  FigureTable,
  Matrix,
  Measurements,
  RunOf,
} from './evaluation-port.ts';

/** Version of the figures file format. */
const FORM_VERSION = 2;

/** The conditions of a measurement. */
interface MeasurementSetup {
  /** Names of the embedding model and of the token counter. */
  readonly embedder: string;
  readonly unit: string;
  readonly deciders: readonly string[];
  readonly policies: readonly string[];
  /** Names of sets that were found but not measured. */
  readonly skippedSets: ReadonlySet<string>;
  /** Paths of the given files. */
  readonly files: readonly string[];
}

/** The results of a measurement for the dialog. `notes`: problems that occurred. */
export const measuredOf = (
  measured: Measurement,
  data: DataSets,
  notes: readonly string[],
  userAgent: string,
  { skippedSets, ...made }: MeasurementSetup,
): Measurements => {
  const datasets = new Map(setsIn(data).map(({ name, dialogues }) => [name, dialogues]));
  const tables = figureTables(measured.rows);
  const curves = curvesOf(measured.rows);
  const runOf = decisionsByRun(measured, (dataset) => datasets.get(dataset) ?? []);
  const growing = measured.datasets.some(({ name }) => name === GROWING) && !datasets.has(GROWING);
  const sets = [
    ...summariesOf(data, skippedSets),
    ...(growing ? [{ name: GROWING, ...sizesOf(conversationsIn(data)), mixed: false }] : []),
  ];
  return {
    sets,
    modes: [...new Set(measured.rows.flatMap(({ mode }) => (mode === '' ? [] : [mode])))],
    deciders: [...new Set(measured.decisions.map(({ subject }) => subject))],
    tables: (dataset) => tables.filter((table) => datasetOf(table.dataset) === dataset),
    curves: (dataset) => curves.filter((curve) => curve.dataset === dataset),
    remark: (dataset) => (dataset === GROWING ? paperTokens(measured.rows) : null),
    matrices: (run) => matricesOf(runOf(run)),
    decisionsIn: (dialogue, run) =>
      runOf(run).flatMap(({ decision }) => (decision.dialogue === dialogue ? [decision] : [])),
    reading: READING,
    notes,
    rowsFile: () =>
      headedRowsFile(
        {
          form: FORM_VERSION,
          madeBy: PROVENANCE,
          date: new Date().toISOString(),
          browser: browserName(userAgent),
          ...made,
          // The user's own settings are not used, so that figures stay comparable.
          parameters: defaultParameters,
          learning: 'none: what a person taught the decider has no part in these figures',
          sets,
          notes,
        },
        measured.rows,
      ),
    report: () =>
      reportOf(
        measured,
        {
          command: 'Evaluate, in the page',
          date: new Date(),
          versions: [browserName(userAgent), `Coppice ${provenanceWords()}`, `embedder ${made.embedder}`],
        },
        { notes },
      ),
  };
};

interface NamedSet {
  readonly name: string;
  readonly dialogues: readonly LabelledDialogue[];
}

/** All sets without duplicates: some are measured for both decisions and needs, and some have questions. */
const setsIn = (data: DataSets): NamedSet[] => [
  ...new Map(
    [...datasetsIn(data), ...needSetsIn(data), ...questionSetsIn(data)].map((set): [string, NamedSet] => [
      set.name,
      set,
    ]),
  ).values(),
];

/** Summaries of the sets that are measured in `data`, without the skipped ones. */
export const summariesOf = (data: DataSets, skippedSets: ReadonlySet<string> = new Set()): DataSetSummary[] => {
  const sets = setsIn(data).filter(({ name }) => !skippedSets.has(name));
  return sets.map(({ name, dialogues }) => ({
    name,
    ...sizesOf(dialogues),
    // Composed from trees that are also measured on their own.
    mixed: sets.some((other) => name === `${other.name}-interleaved`),
  }));
};

const sizesOf = (dialogues: readonly LabelledDialogue[]): Pick<DataSetSummary, 'dialogues' | 'turns' | 'trained'> => ({
  dialogues: dialogues.length,
  turns: countTurns(dialogues),
  trained: dialogues.filter(trainedOn).length,
});

/** Whether the shipped decider was trained on a dialogue, or on part of it. */
const trainedOn = (dialogue: LabelledDialogue): boolean => trainedFold(dialogue) !== null;

/** The browser's name and version from its user agent, e.g. `Firefox 144`. */
const browserName = (userAgent: string): string => {
  const [, name, version] = /\b(Edg|Firefox|Chrome|Version)\/(\d+)/.exec(userAgent) ?? [];
  if (name === undefined) return 'a browser';
  const edge = /\bEdg\/(\d+)/.exec(userAgent)?.[1];
  if (edge !== undefined) return `Edge ${edge}`;
  return `${name === 'Version' ? 'Safari' : name} ${version}`;
};

const LENGTHS = new Set(LENGTH_METRICS.map(({ name }) => name));

/**
 * Rows as tables by set, mode and kind, with one metric per row and one subject per column. Budgets are excluded because
 * they are drawn as curves.
 */
const figureTables = (rows: readonly FigureRow[]): FigureTable[] => {
  const definitions = new Map(
    legendFor(new Set(rows.map(({ metric }) => metric))).map(({ name, definition }) => [name, definition]),
  );
  return [
    ...grouped(
      rows.filter(({ metric }) => splitSize(metric).size === null),
      (row) => `${row.dataset} ${row.mode} ${kindOf(row)}`,
    ).values(),
  ].map((own) => {
    const [{ dataset, mode }] = own as [FigureRow, ...FigureRow[]];
    const subjects = [...new Set(own.map(({ subject }) => subject))];
    return {
      dataset,
      mode,
      kind: kindOf(own[0] as FigureRow),
      subjects,
      metrics: [...grouped(own, ({ metric }) => metric)].map(([name, figures]) => ({
        name,
        definition: definitions.get(name) ?? '',
        unit: LENGTHS.has(name) ? 'tokens' : 'share',
        figures: subjects.map((subject) => figures.find((figure) => figure.subject === subject) ?? null),
      })),
    };
  });
};

/** Decision metrics belong to deciders, all others to policies. */
const kindOf = ({ metric }: FigureRow): 'decisions' | 'contexts' =>
  isDecisionMetric(metric) ? 'decisions' : 'contexts';

/** A decision in its measured and its displayed form. */
interface RunDecision {
  readonly record: DecisionRecord;
  readonly decision: EvaluatedDecision;
}

/** A turn that opened its own topic has no branch action. */
const NEW_TOPIC = 'new topic';

/** The confusion matrices of one run over one set; only those with labels. */
const matricesOf = (decisions: readonly RunDecision[]): Matrix[] => {
  const labelled = decisions.filter(({ record }) => record.labelled);
  const records = labelled.map(({ record }) => record);
  const related = labelled.filter(({ record }) => record.relation !== null);
  const withParents = records.some(({ labels }) => labels === 'parents');
  const withReturns = records.some(({ gold }) => gold.topic === 'switch-topic');
  const withShifts = records.some((record) => shiftOf(record.gold.topic) === 'shift');
  if (related.length > 0) return [matrix('relation', RELATIONS, related, (r) => [r.relation ?? '', relationOf(r)])];
  return [
    ...(withParents || withReturns
      ? [matrix('topic', TopicAction.options, labelled, (r) => [r.gold.topic, r.predicted.topic])]
      : []),
    ...(withShifts
      ? [matrix('shift', ['shift', 'no shift'], labelled, (r) => [shiftOf(r.gold.topic), shiftOf(r.predicted.topic)])]
      : []),
    ...(withParents
      ? [
          matrix(
            'branch',
            [...BranchAction.options, NEW_TOPIC],
            labelled.filter(({ record }) => record.gold.branch !== null),
            ({ gold, predicted }) => [gold.branch ?? '', predicted.branch ?? NEW_TOPIC],
          ),
        ]
      : []),
  ];
};

const shiftOf = (topic: TopicAction): string => (topic === 'continue-topic' ? 'no shift' : 'shift');

const matrix = (
  kind: Matrix['kind'],
  classes: readonly string[],
  decisions: readonly RunDecision[],
  pairOf: (record: DecisionRecord) => readonly [gold: string, predicted: string],
): Matrix => {
  const paired = decisions.map((one) => ({ ...one, pair: pairOf(one.record) }));
  const labelled = classes.filter((name) => paired.some(({ pair }) => pair[0] === name));
  const decided = classes.filter((name) => labelled.includes(name) || paired.some(({ pair }) => pair[1] === name));
  return {
    kind,
    labelled,
    decided,
    cells: labelled.map((gold) =>
      decided.map((answer) =>
        paired
          .filter(({ pair }) => pair[0] === gold && pair[1] === answer)
          .sort((a, b) => sureness(kind, a.record) - sureness(kind, b.record))
          .map(({ decision }) => decision),
      ),
    ),
  };
};

/** Decisions without a confidence come last. */
const sureness = (kind: Matrix['kind'], { confidence, branchConfidence }: DecisionRecord): number =>
  (kind === 'branch' || kind === 'relation' ? (branchConfidence ?? confidence) : confidence) ?? 2;

/**
 * Groups the decisions by run, with the dialogues they belong to. Dialogue names need not be unique, but a run goes through
 * a set's dialogues in order, and through the turns of each in order.
 */
const decisionsByRun = (
  { decisions }: Pick<Measurement, 'decisions'>,
  dialoguesOf: (dataset: string) => readonly LabelledDialogue[],
) => {
  const known = new Map<string, EvaluatedDialogue[]>();
  const shown = (dataset: string): EvaluatedDialogue[] => {
    const made =
      known.get(dataset) ??
      dialoguesOf(dataset)
        .filter(({ turns }) => turns.length > 1)
        .map((dialogue) => ({ ...dialogue, trained: trainedOn(dialogue) }));
    known.set(dataset, made);
    return made;
  };

  const kept = new Map<string, RunDecision[]>();
  return ({ dataset, mode, subject }: RunOf): readonly RunDecision[] => {
    const key = [dataset, mode, subject].join('\n');
    const run = kept.get(key) ?? [];
    if (kept.has(key)) return run;
    kept.set(key, run);
    let at = -1;
    for (const record of decisions) {
      if (record.dataset !== dataset || record.mode !== mode || record.subject !== subject) continue;
      if (record.turn === 1) at++;
      const dialogue = shown(dataset)[at];
      if (dialogue === undefined) throw new Error(`a decision of ${dataset} is in none of its dialogues`);
      run.push({ record, decision: decisionOf(record, dialogue) });
    }
    return run;
  };
};

const decisionOf = (record: DecisionRecord, dialogue: EvaluatedDialogue): EvaluatedDecision => {
  const { turn, gold, predicted, settled, labelled, confidence, branchConfidence, disputed } = record;
  const settledParent = settled.parent;
  return { dialogue, turn, gold, predicted, settledParent, labelled, confidence, branchConfidence, disputed };
};
