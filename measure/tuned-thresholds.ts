import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import type { Decider } from '../src/engine/ports.ts';
import type { DataSets } from '../src/features/evaluate/datasets/data-files.ts';
import { type Dataset, datasetsIn } from '../src/features/evaluate/measurement/datasets.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { macroF1, type Pair } from '../src/features/evaluate/measurement/metrics.ts';
import { placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import {
  alwaysContinue,
  byThresholds,
  type Similarities,
  similaritiesIn,
  type TopicThresholds,
} from '../src/models/embedded/what-if-deciders.ts';

/** Cosines that are tried. */
const GRID = Array.from({ length: 45 }, (_, at) => at * 0.02);
/** Trees of one topic each have no topic to be decided; everyday talk is only ever measured on. */
const NOT_TUNED_ON = ['cast2022', 'everyday'];

interface Asked extends Similarities {
  readonly right: string;
}

export interface Tuned extends TopicThresholds {
  /** Mean topic-macro-f1 over the sets. */
  readonly score: number;
}

/**
 * The thresholds that are best over the sets with the labelled history, each set counting the same: two of
 * them, and one for both. Of equally good ones the lowest.
 */
export const tunedThresholds = async (
  data: DataSets,
  vectorOf: VectorOf,
): Promise<{ readonly calibrated: Tuned; readonly threshold: Tuned }> => {
  const sets: Asked[][] = [];
  for (const dataset of datasetsIn(data))
    if (!NOT_TUNED_ON.includes(dataset.name)) sets.push(await askedIn(dataset, vectorOf));
  const scored = (thresholds: TopicThresholds): Tuned => {
    const scores = sets.map((set) => macroF1(set.map((asked): Pair => [asked.right, byThresholds(asked, thresholds)])));
    return { ...thresholds, score: scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length) };
  };
  return {
    calibrated: best(GRID.flatMap((stay) => GRID.map((back) => scored({ stay, back })))),
    threshold: best(GRID.map((both) => scored({ stay: both, back: both }))),
  };
};

const best = (tuned: readonly Tuned[]): Tuned =>
  tuned.reduce((found, next) => (next.score > found.score ? next : found), { stay: 0, back: 0, score: -1 });

/** The similarities at every topic decision of a set. */
const askedIn = async ({ name, dialogues }: Dataset, vectorOf: VectorOf): Promise<Asked[]> => {
  const asked: Asked[] = [];
  for (const dialogue of dialogues) {
    const seen: Similarities[] = [];
    const decider: Decider = {
      ...alwaysContinue,
      topic: (question) => {
        seen.push(similaritiesIn(question));
        return alwaysContinue.topic(question);
      },
    };
    const placing = { subject: decider.name, deciderFor: () => decider, policy: contextAgent };
    const { records } = await placeDialogue(name, dialogue, placing, 'teacher-forced', vectorOf);
    for (const [at, { gold }] of records.entries()) asked.push({ ...(seen[at] as Similarities), right: gold.topic });
  }
  return asked;
};
