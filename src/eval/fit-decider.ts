import type { DeciderWeights } from '../adapters/models/decider-weights.ts';
import { createEmbeddedDecider } from '../adapters/models/embedded-decider.ts';
import { TextReader } from '../adapters/models/embedded-decider-texts.ts';
import { USE_LITE_THETA } from '../adapters/models/theta.ts';
import { type Boosting, boost } from './boost.ts';
import { type BranchExample, branchExamples } from './branch-examples.ts';
import { DIRECTIONS } from './directions.ts';
import { fitAxes } from './fit-axes.ts';
import type { LabelledDialogue } from './labelled-dialogue.ts';
import { type Reading, type TopicExample, topicExamples } from './topic-examples.ts';
import { branchShare, topicShare } from './training-sets.ts';
import type { VectorOf } from './vectors.ts';

const TOPIC: Boosting = {
  rounds: 180,
  rate: 0.12,
  leaves: 16,
  leastRows: 10,
  leastCurvature: 2,
  l2: 3,
  columns: 0.25,
  sample: 0.8,
  seed: 1,
  directions: DIRECTIONS,
};

const BRANCH: Boosting = {
  ...TOPIC,
  rounds: 100,
  rate: 0.08,
  leaves: 8,
  leastCurvature: 1,
  columns: 0.4,
  directions: {},
};

/** Sets whose dialogues come back to earlier topics, so that one mistake leads to another. */
const COMES_BACK = /^(?:ntm|sgd|coppice)|-(?:digressions|interleaved)$/;

/** Labelled dialogues and the questions in them, read once for any number of fittings. */
export interface Training {
  readonly dialogues: readonly LabelledDialogue[];
  readonly reading: Reading;
  readonly topics: readonly TopicExample[];
  readonly branches: readonly BranchExample[];
}

export const prepareTraining = async (
  dialogues: readonly LabelledDialogue[],
  vectorOf: VectorOf,
  embedder: string,
): Promise<Training> => {
  const reading: Reading = { vectorOf, reader: new TextReader(), axes: fitAxes(dialogues, vectorOf, embedder) };
  const topics: TopicExample[] = [];
  const branches: BranchExample[] = [];
  for (const dialogue of dialogues) {
    topics.push(...(await topicExamples(dialogue, reading)));
    if (hasForks(dialogue)) branches.push(...(await branchExamples(dialogue, vectorOf, reading.reader)));
  }
  return { dialogues, reading, topics, branches };
};

type Kept = (dialogue: LabelledDialogue) => boolean;

/** Trains the embedded decider on the dialogues that are kept. The same dialogues give the same weights. */
export const fitDecider = async (training: Training, kept: Kept = () => true): Promise<DeciderWeights> =>
  fitOnce(training, kept, await ownCourses(training, kept));

type Courses = Pick<Training, 'topics' | 'branches'>;

/** What was met on a decider's own course (`own`) counts as much as the labelled course. */
const fitOnce = ({ reading, topics, branches }: Training, kept: Kept, own: Courses): DeciderWeights => {
  const of = <E extends TopicExample | BranchExample>(examples: readonly E[], share: (set: string) => number) =>
    weighted(
      examples.filter(({ dialogue, right }) => right >= 0 && kept(dialogue)),
      share,
    );
  return {
    axes: reading.axes,
    topic: boost([...of(topics, topicShare), ...of(own.topics, topicShare)], 'continue-topic', TOPIC),
    branch: boost([...of(branches, branchShare), ...of(own.branches, branchShare)], 'continue-branch', BRANCH),
  };
};

/**
 * What a decider meets on its own course. Each half of the dialogues is driven by one that was fitted to the
 * other half, which makes the mistakes that a decider makes on new dialogues.
 */
const ownCourses = async (training: Training, kept: Kept): Promise<Courses> => {
  const { reading, dialogues } = training;
  const driven = dialogues.filter((dialogue) => kept(dialogue) && COMES_BACK.test(dialogue.set));
  const halves = new Map([...new Set(driven.map(({ group }) => group))].map((group, at) => [group, at % 2]));
  const topics: TopicExample[] = [];
  const branches: BranchExample[] = [];
  for (const half of [0, 1]) {
    const isOther = (dialogue: LabelledDialogue) => kept(dialogue) && halves.get(dialogue.group) !== half;
    const weights = fitOnce(training, isOther, { topics: [], branches: [] });
    const driver = { decider: createEmbeddedDecider(async () => weights), theta: USE_LITE_THETA };
    for (const dialogue of driven) {
      if (halves.get(dialogue.group) !== half) continue;
      topics.push(...(await topicExamples(dialogue, reading, driver)));
      if (hasForks(dialogue))
        branches.push(...(await branchExamples(dialogue, reading.vectorOf, reading.reader, driver)));
    }
  }
  return { topics, branches };
};

const hasForks = ({ labels, set }: LabelledDialogue): boolean => labels === 'parents' && branchShare(set) > 0;

/** Each set weighs what it is given, however many decisions it has. */
const weighted = <E extends TopicExample | BranchExample>(
  examples: readonly E[],
  share: (set: string) => number,
): E[] => {
  const counts = new Map<string, number>();
  for (const { dialogue } of examples) counts.set(dialogue.set, (counts.get(dialogue.set) ?? 0) + 1);
  return examples.map((example) => ({
    ...example,
    weight: share(example.dialogue.set) / (counts.get(example.dialogue.set) ?? 1),
  }));
};
