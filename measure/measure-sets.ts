import { availableParallelism } from 'node:os';
import { loadGlossaries } from '../src/engine/text/glossary.ts';
import type { DataSets } from '../src/features/evaluate/datasets/data-files.ts';
import { datasetsIn, needSetsIn, questionSetsIn } from '../src/features/evaluate/measurement/datasets.ts';
import { GROWING, type Measurement, measure, textsToEmbed } from '../src/features/evaluate/measurement/measure.ts';
import { countTurns, type ReportProgress } from '../src/features/evaluate/measurement/runs.ts';
import type { Subjects } from '../src/features/evaluate/measurement/subjects.ts';
import { encoderFromDisk } from '../src/models/embedded/testing/models-from-disk.ts';
import { cacheEmbeddings } from '../src/models/runtimes/embedding.ts';
import { onThreads } from './threads.ts';
import { embedAll } from './vectors.ts';

/** What to measure, and for which subjects, in a form that can be sent to a thread. */
export interface MeasuringOrder {
  readonly folder: string;
  /** Number of dialogues of each set, from the first on; null for all. */
  readonly most: number | null;
  readonly deciders: readonly string[];
  readonly policies: readonly string[];
  readonly needsOnly: boolean;
}

/** Measures the sets that are not skipped, with the shipped encoder. */
export const measureSets = async (
  data: DataSets,
  subjects: Subjects,
  needsOnly: boolean,
  skippedSets: ReadonlySet<string>,
  progress?: ReportProgress,
): Promise<Measurement> => {
  await loadGlossaries();
  const texts = textsToEmbed(data, skippedSets);
  const vectorOf = await embedAll(texts, () => undefined);
  const encoder = await encoderFromDisk();
  const tokens = { name: 'use-lite-en', count: async (texts: readonly string[]) => encoder.count(texts) };
  const embed = cacheEmbeddings(
    async (more) => encoder.embed(more),
    [...texts].map((text) => [text, vectorOf(text)]),
  );
  return measure(data, { vectorOf, tokens, embed, subjects, needsOnly, skippedSets, ...(progress && { progress }) });
};

/** A set to be measured separately, and its number of turns. */
interface SetToMeasure {
  readonly name: string;
  readonly turns: number;
}

/** Returns the sets to measure, in report order. */
export const setsIn = (data: DataSets, needsOnly: boolean): SetToMeasure[] => {
  const sets = new Map<string, number>();
  const add = (name: string, turns: number) => sets.set(name, (sets.get(name) ?? 0) + turns);
  const labelled = needsOnly ? [] : datasetsIn(data);
  for (const { name, dialogues } of [...needSetsIn(data), ...labelled, ...questionSetsIn(data)])
    add(name, countTurns(dialogues));
  if (!needsOnly && data.conversations.size > 0) add(GROWING, 0);
  return [...sets].map(([name, turns]) => ({ name, turns }));
};

/** Like measuring all sets at once, but each on one of several threads, the longest first. Texts must already be embedded. */
export const measureOnThreads = async (
  order: MeasuringOrder,
  sets: readonly SetToMeasure[],
  progress: (done: number, of: number, what: string) => void,
): Promise<Measurement> => {
  const waiting = sets.toSorted((a, b) => b.turns - a.turns);
  const measured = new Map<string, Measurement>();
  await onThreads<SetToMeasure, Measurement>({
    worker: 'measure-worker.ts',
    count: Math.min(availableParallelism(), sets.length),
    workerData: order,
    next: () => waiting.shift() ?? null,
    messageOf: (set) => sets.filter((other) => other !== set).map(({ name }) => name),
    got: ({ name }, measurement) => {
      measured.set(name, measurement);
      progress(measured.size, sets.length, name);
    },
  });
  const parts = sets.flatMap(({ name }) => measured.get(name) ?? []);
  return {
    rows: parts.flatMap(({ rows }) => rows),
    decisions: parts.flatMap(({ decisions }) => decisions),
    datasets: parts.flatMap(({ datasets }) => datasets),
    answeredBy: null,
  };
};
