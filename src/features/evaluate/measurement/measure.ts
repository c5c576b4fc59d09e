import { contextAgent } from '../../../engine/context/policies/context-agent.ts';
import type { ChatModel, TokenCounter } from '../../../engine/ports.ts';
import { TokenCache } from '../../../engine/text/token-cache.ts';
import type { EmbedTexts } from '../../../models/runtimes/embedding.ts';
import type { DataSets } from '../datasets/data-files.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import { LENGTH_METRICS } from './context-metrics.ts';
import { type ContextRecord, contextsOf } from './contexts.ts';
import { type Dataset, datasetsIn, needSetsIn, questionSetsIn } from './datasets.ts';
import { countDecisions, countPartition } from './decision-metrics.ts';
import { textsInDialogue, textsInQuestionedDialogue, type VectorOf } from './embedded-texts.ts';
import { answering, expectQuestions, measureQuestions } from './evidence.ts';
import { expectNeeds, measureNeeds } from './need-runs.ts';
import { type DecisionRecord, EVALUATION_MODES, type EvaluationMode, type PlacementSubject } from './placements.ts';
import { createReplies } from './replay.ts';
import { countTurns, createPlace, ProgressCounter, type ReportProgress } from './runs.ts';
import { byPlacing, type Subjects } from './subjects.ts';
import { contextRows, type FigureRow, figureRows } from './tables.ts';

export interface Measurement {
  readonly rows: readonly FigureRow[];
  /** Every decision of every subject, for confusion matrices and examples. */
  readonly decisions: readonly DecisionRecord[];
  readonly datasets: readonly MeasuredSet[];
  /** The chat model that answered the questions; null if none was chosen. */
  readonly answeredBy: string | null;
}

export interface MeasuredSet {
  readonly name: string;
  readonly dialogues: number;
  readonly turns: number;
  readonly questions?: number;
}

interface MeasureParts {
  /** Vectors of the texts that `textsToEmbed` lists. */
  readonly vectorOf: VectorOf;
  readonly tokens: TokenCounter;
  /** Embeds other text, for policies that generate their own. */
  readonly embed: EmbedTexts;
  readonly subjects: Subjects;
  /** Answers questions of the sets that have them; if omitted, or if it is the embedded one, no answers are measured. */
  readonly chat?: ChatModel;
  /** Measures only how much of what messages need is in their contexts. */
  readonly needsOnly?: boolean;
  /** Names of sets that are not measured. */
  readonly skippedSets?: ReadonlySet<string>;
  readonly progress?: ReportProgress;
  readonly signal?: AbortSignal;
}

/** The set whose dialogues, labelled or not, show how contexts grow. */
export const GROWING = 'ntm';

/** Every message to embed, and the replies whose similarity contexts ask for. */
export const textsToEmbed = (data: DataSets, skipped: ReadonlySet<string> = new Set()): Set<string> =>
  new Set([
    ...measuredIn(datasetsIn(data), skipped).flatMap(({ dialogues }) => dialogues.flatMap(textsInDialogue)),
    ...measuredIn(needSetsIn(data), skipped).flatMap(({ dialogues }) => dialogues.flatMap(textsInDialogue)),
    ...(skipped.has(GROWING) ? [] : conversationsIn(data)).flatMap(textsInDialogue),
    ...measuredIn(questionSetsIn(data), skipped).flatMap(({ dialogues }) =>
      dialogues.flatMap(textsInQuestionedDialogue),
    ),
  ]);

const measuredIn = <S extends { readonly name: string }>(sets: readonly S[], skipped: ReadonlySet<string>): S[] =>
  sets.filter(({ name }) => !skipped.has(name));

/** Runs the engine over labelled dialogues and computes every figure. Rejects if the signal is aborted. */
export const measure = async (data: DataSets, parts: MeasureParts): Promise<Measurement> => {
  const { subjects, skippedSets = new Set<string>(), vectorOf, tokens, embed, progress, signal } = parts;
  const datasets = parts.needsOnly ? [] : measuredIn(datasetsIn(data), skippedSets);
  const conversations = parts.needsOnly || skippedSets.has(GROWING) ? [] : conversationsIn(data);
  const needSets = measuredIn(needSetsIn(data), skippedSets);
  const steps = new ProgressCounter(progress, signal);
  const place = createPlace(vectorOf);
  const withReplies = createReplies(vectorOf, tokens, embed);
  const cache = new TokenCache(tokens);
  const contextParts = { vectorOf, tokens: cache, embed };
  const groups = byPlacing(subjects.contexts);
  const questionSets = measuredIn(questionSetsIn(data), skippedSets).filter(
    ({ questions }) => !parts.needsOnly || questions.length > 0,
  );
  const chat = answering(parts.chat);
  const never = new AbortController().signal;
  const questionParts = { groups, steps, chat, signal: signal ?? never, ...contextParts };
  const needParts = { groups, steps, place, withReplies, ...contextParts };

  const decide = async (
    { name, dialogues, views }: Dataset,
    mode: EvaluationMode,
    decisions: DecisionRecord[],
  ): Promise<FigureRow[]> => {
    const rows: FigureRow[] = [];
    for (const placing of placingsOf(dialogues, subjects)) {
      const run = await steps.through(dialogues, `${name}: ${placing.subject}, ${mode}`, (dialogue) =>
        place(name, dialogue, placing, mode),
      );
      for (const { records } of run) decisions.push(...records);
      for (const { dataset, takes, keeps, decisions: metrics, partition } of views) {
        const counts = dialogues.flatMap((dialogue, at) => {
          const placements = run[at];
          if (placements === undefined || takes?.(dialogue) === false) return [];
          const { records, settled } = placements;
          const parents = (turns: readonly { readonly parent: number | null }[]) => turns.map(({ parent }) => parent);
          const partition = countPartition(parents(dialogue.turns), parents(settled));
          return [{ ...countDecisions(records.filter(keeps)), ...partition }];
        });
        const own = mode === 'free-running' ? [...metrics, ...partition] : metrics;
        rows.push(...figureRows({ dataset, mode, subject: placing.subject }, counts, own));
      }
    }
    return rows;
  };

  /** Builds the contexts of every policy, dialogue by dialogue. */
  const build = async (
    name: string,
    dialogues: readonly LabelledDialogue[],
    mode: EvaluationMode,
  ): Promise<ContextRecord[][]> => {
    const all = dialogues.map((): ContextRecord[] => []);
    for (const { placing, contexts } of groups) {
      const run = await steps.through(dialogues, `${name}: contexts, ${mode}`, async (dialogue) => {
        const placements = await place(name, dialogue, placing, mode);
        const replied = await withReplies(dialogue);
        return contextsOf(replied, placements, mode, placing.policy, contexts, contextParts);
      });
      for (const [at, records] of run.entries()) all[at]?.push(...records);
    }
    return all;
  };

  for (const { dialogues, views } of datasets) {
    const runs =
      placingsOf(dialogues, subjects).length + (views.some(({ contexts }) => contexts.length > 0) ? groups.length : 0);
    for (let run = 0; run < runs * EVALUATION_MODES.length; run++) steps.expect(dialogues);
  }
  for (const _ of groups) steps.expect(conversations);
  for (const set of needSets) expectNeeds(set, needParts);
  for (const set of questionSets) {
    if (set.turns.length > 0) for (const _ of groups) steps.expect(set.dialogues);
    expectQuestions(set, questionParts);
  }

  const rows: FigureRow[] = [];
  const decisions: DecisionRecord[] = [];
  for (const dataset of datasets) {
    const contextViews = dataset.views.filter(({ contexts }) => contexts.length > 0);
    for (const mode of EVALUATION_MODES) {
      rows.push(...(await decide(dataset, mode, decisions)));
      if (contextViews.length === 0) continue;
      const built = await build(dataset.name, dataset.dialogues, mode);
      for (const { dataset: name, takes, keeps, contexts: metrics } of contextViews) {
        const taken = built.filter((_, at) => takes?.(dataset.dialogues[at] as LabelledDialogue) !== false);
        const kept = taken.map((records) =>
          records.filter(({ disputed }) => keeps({ disputed, labelled: true, relation: null })),
        );
        rows.push(...contextRows({ dataset: name, mode }, kept, metrics));
      }
    }
  }
  const growing = await build(GROWING, conversations, 'free-running');
  rows.push(...contextRows({ dataset: GROWING, mode: '' }, growing, LENGTH_METRICS));
  for (const set of needSets) rows.push(...(await measureNeeds(set, needParts)));
  for (const set of questionSets) {
    if (set.turns.length > 0) {
      const built = await build(set.name, set.dialogues, 'free-running');
      rows.push(...contextRows({ dataset: set.name, mode: 'free-running' }, built, set.turns));
    }
    rows.push(...(await measureQuestions(set, questionParts)));
  }

  const isNtmLabelled = conversations.length === 0 || datasets.some(({ name }) => name === GROWING);
  return {
    rows,
    decisions,
    datasets: [
      ...setsOf([...datasets, ...needSets, ...(isNtmLabelled ? [] : [{ name: GROWING, dialogues: conversations }])]),
      ...questionSets.map(({ name, dialogues }) => ({
        name,
        dialogues: dialogues.length,
        turns: countTurns(dialogues),
        questions: dialogues.reduce((sum, { questions }) => sum + questions.length, 0),
      })),
    ],
    answeredBy: chat?.name ?? null,
  };
};

/** The sets without duplicates, in order of first appearance. */
const setsOf = (sets: readonly { readonly name: string; readonly dialogues: readonly LabelledDialogue[] }[]) =>
  [...new Map(sets.map(({ name, dialogues }) => [name, dialogues]))].map(
    ([name, dialogues]): MeasuredSet => ({ name, dialogues: dialogues.length, turns: countTurns(dialogues) }),
  );

/** The way fork points are found hardly affects topics, so it is measured only where parents are labelled. */
const placingsOf = (dialogues: readonly LabelledDialogue[], { placings }: Subjects): readonly PlacementSubject[] =>
  dialogues.some(({ labels }) => labels === 'parents')
    ? placings
    : placings.filter(
        ({ policy }) => policy.retrieval === contextAgent.retrieval || policy.topicBy !== contextAgent.topicBy,
      );

/** Every dialogue of the set as it came, without labels. */
export const conversationsIn = ({ conversations }: DataSets): LabelledDialogue[] =>
  [...conversations].map(([id, messages]) => ({
    set: GROWING,
    id,
    group: id,
    labels: 'topics',
    turns: messages.map((message) => ({ message, reply: null, parent: null, disputed: false })),
  }));
