import { mean } from '../src/domain/numbers.ts';
import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import type { Decider } from '../src/engine/ports.ts';
import type { DataSets } from '../src/features/evaluate/datasets/data-files.ts';
import { type Dataset, datasetsIn } from '../src/features/evaluate/measurement/datasets.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import { macroF1, type Pair } from '../src/features/evaluate/measurement/metric.ts';
import { placeDialogue } from '../src/features/evaluate/measurement/placements.ts';
import {
  alwaysContinue,
  byThresholds,
  type Similarities,
  similaritiesIn,
  type TopicThresholds,
} from '../src/models/embedded/what-if-deciders.ts';

/** Cosines to try. */
const GRID = Array.from({ length: 45 }, (_, at) => at * 0.02);
/** Trees of one topic each have no topic decision; everyday conversations are only ever measured on. */
const NOT_TUNED_ON = ['cast2022', 'everyday'];

interface LabelledSimilarities extends Similarities {
  readonly right: string;
}

interface TunedThresholds extends TopicThresholds {
  /** Mean topic-macro-f1 over the sets. */
  readonly score: number;
}

/**
 * Finds the best thresholds over the sets with the labelled history, each set counting the same: a pair of them, and one for both.
 * The lowest wins a tie.
 */
export const tunedThresholds = async (
  data: DataSets,
  vectorOf: VectorOf,
): Promise<{ readonly calibrated: TunedThresholds; readonly threshold: TunedThresholds }> => {
  const sets: LabelledSimilarities[][] = [];
  for (const dataset of datasetsIn(data))
    if (!NOT_TUNED_ON.includes(dataset.name)) sets.push(await similaritiesOf(dataset, vectorOf));
  const scored = (thresholds: TopicThresholds): TunedThresholds => {
    const scores = sets.map((set) => macroF1(set.map((asked): Pair => [asked.right, byThresholds(asked, thresholds)])));
    return { ...thresholds, score: mean(scores) };
  };
  return {
    calibrated: best(GRID.flatMap((stay) => GRID.map((back) => scored({ stay, back })))),
    threshold: best(GRID.map((both) => scored({ stay: both, back: both }))),
  };
};

const best = (tuned: readonly TunedThresholds[]): TunedThresholds =>
  tuned.reduce((found, next) => (next.score > found.score ? next : found), { stay: 0, back: 0, score: -1 });

/** The similarities at every topic decision of a set. */
const similaritiesOf = async ({ name, dialogues }: Dataset, vectorOf: VectorOf): Promise<LabelledSimilarities[]> => {
  const asked: LabelledSimilarities[] = [];
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
