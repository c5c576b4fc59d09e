import { version } from '../../../../package.json';
import type { Decider, TokenCounter } from '../../../engine/ports.ts';
import { loadGlossaries } from '../../../engine/text/glossary.ts';
import type { DataSets } from '../datasets/data-files.ts';
import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import { datasetOf, datasetsIn } from '../measurement/datasets.ts';
import { questionSetsIn } from '../measurement/evidence-sets.ts';
import { READING } from '../measurement/legend.ts';
import { type Measurement, measure, textsIn } from '../measurement/measure.ts';
import { remembering } from '../measurement/remembering.ts';
import { reportOf } from '../measurement/report.ts';
import { rowsFile } from '../measurement/rows.ts';
import { turnsIn } from '../measurement/runs.ts';
import { curvesOf } from '../needs/curves.ts';
import { needSetsIn } from '../needs/need-sets.ts';
import { paperTokens } from '../needs/paper-tokens.ts';
import { createBreather } from './breather.ts';
import { browserName } from './browser-name.ts';
import { figureTables } from './figure-tables.ts';
import { KINDS } from './file-kinds.ts';
import { matricesOf } from './matrices.ts';
import { BrokenFile, type ReadGiven, readGiven } from './read-given.ts';
import { type KeptDecision, keptRuns } from './runs-kept.ts';
import { deciderChoices, policyChoices, subjectsOf } from './subject-choices.ts';
import { trainedOn } from './trained.ts';
import { embedTexts, type VectorParts } from './vectors-in-page.ts';

export interface EvaluationParts extends VectorParts {
  readonly tokens: TokenCounter;
  readonly userAgent: string;
  /** The decider chosen in Models; null where it is the embedded one. */
  chosenDecider(): Decider | null;
}

interface Going {
  progress(done: number, of: number, what: string): void;
  readonly signal: AbortSignal;
}

interface RunOf {
  readonly dataset: string;
  readonly mode: string;
  readonly subject: string;
}

/** `npm run eval` in a page: on files that a person gives, with the page's own embedder and cache. */
export const createEvaluation = (parts: EvaluationParts) => ({
  kinds: KINDS.map(({ name, about, files }) => ({ name, about, files })),
  deciders: () => deciderChoices(parts.chosenDecider()),
  policies: policyChoices,
  read: async (...[files, told, going]: Parameters<typeof readGiven>) => {
    try {
      return { ok: true as const, data: dataOf(await readGiven(files, told, going), parts) };
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      const { path, line, message } = error;
      return { ok: false as const, failure: { path, line, message } };
    }
  },
});

const dataOf = ({ data, leftOut, unknown }: ReadGiven, parts: EvaluationParts) => {
  const sets = summariesOf(setsIn(data));
  const labelled = new Set(data.ntm.map(({ id }) => id));
  return {
    sets,
    unlabelled: [...data.conversations.keys()].filter((id) => !labelled.has(id)).length,
    leftOut,
    unknown,
    measure: async (
      names: { readonly deciders: readonly string[]; readonly policies: readonly string[] },
      { progress, signal }: Going,
    ) => {
      await loadGlossaries();
      const { vectorOf, unkept } = await embedTexts(textsIn(data), parts, { progress, signal });
      const breathe = createBreather(signal);
      const embed = remembering(async (texts) => {
        const more = await embedTexts(texts, parts, { progress: () => undefined, signal });
        return texts.map(more.vectorOf);
      });
      const measured = await measure(data, {
        vectorOf,
        embed,
        tokens: {
          name: parts.tokens.name,
          count: async (texts) => {
            await breathe();
            return parts.tokens.count(texts);
          },
        },
        subjects: subjectsOf(names, parts.chosenDecider(), signal, breathe),
        signal,
        progress: (done, of, what) => {
          progress(done, of, what);
          return breathe();
        },
      });
      return measuredOf(measured, data, unkept === null ? [] : [unkeptWords(unkept)], parts.userAgent);
    },
  };
};

const measuredOf = (measured: Measurement, data: DataSets, notes: readonly string[], userAgent: string) => {
  const datasets = new Map(setsIn(data).map(({ name, dialogues }) => [name, dialogues]));
  const tables = figureTables(measured.rows);
  const curves = curvesOf(measured.rows);
  const runOf = keptRuns(measured, (dataset) => datasets.get(dataset) ?? [], trainedOn);
  const unlabelled = tables.some(({ dataset }) => dataset === 'ntm') && !datasets.has('ntm');
  return {
    sets: [
      ...summariesOf(setsIn(data)),
      ...(unlabelled ? [{ name: 'ntm', dialogues: data.conversations.size, turns: 0, trained: 0, mixed: false }] : []),
    ],
    modes: [...new Set(measured.rows.flatMap(({ mode }) => (mode === '' ? [] : [mode])))],
    deciders: [...new Set(measured.decisions.map(({ subject }) => subject))],
    tables: (dataset: string) => tables.filter((table) => datasetOf(table.dataset) === dataset),
    curves: (dataset: string) => curves.filter((curve) => curve.dataset === dataset),
    remark: (dataset: string) => (dataset === 'ntm' ? paperTokens(measured.rows) : null),
    matrices: (run: RunOf) => matricesOf(runOf(run)),
    decisionsIn: (dialogue: KeptDecision['dialogue'], run: RunOf) =>
      runOf(run).flatMap(({ item }) => (item.dialogue === dialogue ? [item] : [])),
    reading: READING,
    notes,
    rowsFile: () => rowsFile(measured.rows),
    report: () =>
      reportOf(measured, {
        command: 'Evaluate, in the page',
        date: new Date(),
        versions: [browserName(userAgent), `Coppice ${version}`, 'embedder use-lite-en int8'],
      }),
  };
};

/** Each once: some are measured for decisions and for needs; and those that questions are asked after. */
const setsIn = (
  data: DataSets,
): readonly { readonly name: string; readonly dialogues: readonly LabelledDialogue[] }[] => [
  ...new Map(
    [...datasetsIn(data), ...needSetsIn(data), ...questionSetsIn(data)].map((set) => [set.name, set]),
  ).values(),
];

const summariesOf = (sets: readonly { readonly name: string; readonly dialogues: readonly LabelledDialogue[] }[]) =>
  sets.map(({ name, dialogues }) => ({
    name,
    dialogues: dialogues.length,
    turns: turnsIn(dialogues),
    trained: dialogues.filter(trainedOn).length,
    // Of trees that are measured by themselves, too.
    mixed: sets.some((other) => name === `${other.name}-interleaved`),
  }));

const unkeptWords = (why: string): string =>
  `The embeddings could not be kept for the next run (${why}). The figures are not affected.`;
