import type { LabelledDialogue } from '../src/features/evaluate/datasets/dialogues.ts';
import type { VectorOf } from '../src/features/evaluate/measurement/embedded-texts.ts';
import type { Affinity } from '../src/models/embedded/affinity.ts';
import { withTurnAffinity } from '../src/models/embedded/branch-features.ts';
import { TextReader } from '../src/models/embedded/decider-texts.ts';
import type { DeciderWeights } from '../src/models/embedded/decider-weights.ts';
import { createEmbeddedDecider } from '../src/models/embedded/embedded-decider.ts';
import { shippedLexicon } from '../src/models/embedded/lexicon.ts';
import { withAffinity } from '../src/models/embedded/topic-features.ts';
import { type Boosting, boost } from './boost.ts';
import {
  type BranchExample,
  branchExamples,
  type ReadingOptions,
  type TopicExample,
  topicExamples,
} from './decision-examples.ts';
import { type AffinityExample, fitAffinity } from './fit-affinity.ts';
import { branchShare, teachesAffinity, topicShare, unansweredOf, unansweredShare } from './training-sets.ts';

/*
 * Directions for words that say outright what a message does: they may only raise or only lower a score. The labelled sets have
 * few such messages, and accidents of those few would outweigh the words.
 */
const DIRECTIONS: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>> = {
  'create-topic': {
    opens: 1,
    associates: 1,
    returns: -1,
    'goes on': -1,
    'refers back': -1,
    'short reference': -1,
    'no content': -1,
    'wraps up': -1,
    'active own overlap': -1,
    'tip similarity': -1,
  },
  'switch-topic': {
    opens: -1,
    returns: 1,
    'target title named': 1,
    'target similarity': 1,
    'target own overlap': 1,
    'target pointed at': 1,
    'active own overlap': -1,
    'tip similarity': -1,
  },
};

const TOPIC: Boosting = {
  rounds: 210,
  rate: 0.07,
  leaves: 8,
  leastRows: 20,
  leastCurvature: 4,
  l2: 3,
  columns: 0.25,
  sample: 0.8,
  seed: 1,
  directions: DIRECTIONS,
};

const BRANCH: Boosting = {
  ...TOPIC,
  rounds: 140,
  rate: 0.06,
  leaves: 6,
  leastCurvature: 3,
  columns: 0.4,
  directions: {},
};

interface Settings {
  readonly topic: Boosting;
  readonly branch: Boosting;
  /** Parts that dialogues are divided into, each read by an affinity fitted to the others. */
  readonly parts: number;
}

const FULL: Settings = { topic: TOPIC, branch: BRANCH, parts: 4 };

/** For deciders that only drive dialogues: takes half the time. */
const ROUGH: Settings = {
  topic: { ...TOPIC, rounds: 80, rate: 0.16 },
  branch: { ...BRANCH, rounds: 50, rate: 0.16 },
  parts: 2,
};

/** Sets whose dialogues return to earlier topics, so that one mistake leads to another. */
const COMES_BACK = /^(?:ntm|sgd|coppice|everyday(?!.*-recut))|-(?:digressions|interleaved)$/;

/** The questions in labelled dialogues. */
interface Training {
  readonly dialogues: readonly LabelledDialogue[];
  readonly reading: ReadingOptions;
  readonly topics: readonly TopicExample[];
  readonly branches: readonly BranchExample[];
}

/** Read once for any number of fits: the dialogues, and those without replies. */
interface Trainings {
  readonly answered: Training;
  readonly unanswered: Training;
}

export const prepareTraining = async (
  dialogues: readonly LabelledDialogue[],
  vectorOf: VectorOf,
  embedder: string,
): Promise<Trainings> => {
  const reading = { vectorOf, reader: new TextReader(await shippedLexicon()), embedder };
  return {
    answered: await readTraining(
      dialogues.filter(({ set }) => topicShare(set) > 0),
      reading,
    ),
    unanswered: await readTraining(unansweredOf(dialogues), reading),
  };
};

const readTraining = async (dialogues: readonly LabelledDialogue[], reading: ReadingOptions): Promise<Training> => {
  const topics: TopicExample[] = [];
  const branches: BranchExample[] = [];
  for (const dialogue of dialogues) {
    topics.push(...topicExamples(dialogue, reading));
    if (hasForks(dialogue)) branches.push(...(await branchExamples(dialogue, reading)));
  }
  return { dialogues, reading, topics, branches };
};

type DialogueFilter = (dialogue: LabelledDialogue) => boolean;

/** Trains the embedded decider on the dialogues that are kept. The same dialogues give the same weights. */
export const fitDecider = async (
  { answered, unanswered }: Trainings,
  kept: DialogueFilter = () => true,
): Promise<DeciderWeights> => {
  // For conversations without replies: fitted to dialogues that have none, and to ours with the replies removed.
  const { affinity, topic } = fit(unanswered, kept, unansweredShare, []);
  const astray = await branchesAstray(answered, kept);
  return { ...fit(answered, kept, topicShare, astray), unanswered: { affinity, topic } };
};

/** All weights except those for conversations without replies. */
type FittedWeights = Omit<DeciderWeights, 'unanswered'>;

/** How much a set weighs in the topic decision. */
type Share = (set: string) => number;

/**
 * Fits to the labelled courses, and the branch trees as much to what is met where turns went astray. The trees see the embeddings of
 * a dialogue as they will those of new ones: through an affinity that was not fitted to it.
 */
const fit = (
  { reading, topics, branches }: Training,
  kept: DialogueFilter,
  topicShare: Share,
  astray: readonly BranchExample[],
  settings: Settings = FULL,
): FittedWeights => {
  const of = <E extends TopicExample | BranchExample>(examples: readonly E[], share: Share) =>
    weighted(
      examples.filter(({ dialogue, right }) => right >= 0 && kept(dialogue)),
      share,
    );
  const asked = of(topics, topicShare);
  const affinityOf = (examples: readonly TopicExample[]): Affinity =>
    fitAffinity(examples.flatMap(affinityExample), reading.embedder, reading.vectorOf('').length);
  const partOf = partsOf(asked, settings.parts);
  const apart = Array.from({ length: settings.parts }, (_, part) =>
    affinityOf(asked.filter((one) => partOf(one) !== part)),
  );
  const affinityFor = (one: Pick<TopicExample, 'dialogue'>): Affinity => apart[partOf(one)] as Affinity;
  return {
    affinity: affinityOf(asked),
    topic: boost(
      asked.map((one) => withAffinity(one, affinityFor(one))),
      'continue-topic',
      settings.topic,
    ),
    branch: boost(
      [...of(branches, branchShare), ...of(astray, branchShare)].map((one) => withTurnAffinity(one, affinityFor(one))),
      'continue-branch',
      settings.branch,
    ),
  };
};

/**
 * Collects the branch questions that a decider meets on its own course. Each half of the dialogues is driven by a decider fitted to
 * the other half, which makes the mistakes that one makes on new dialogues.
 */
const branchesAstray = async (training: Training, kept: DialogueFilter): Promise<BranchExample[]> => {
  const { reading, dialogues } = training;
  const driven = dialogues.filter((dialogue) => kept(dialogue) && COMES_BACK.test(dialogue.set));
  const halves = new Map([...new Set(driven.map(({ group }) => group))].map((group, at) => [group, at % 2]));
  const branches: BranchExample[] = [];
  for (const half of [0, 1]) {
    const isOther = (dialogue: LabelledDialogue) => kept(dialogue) && halves.get(dialogue.group) !== half;
    const fitted = fit(training, isOther, topicShare, [], ROUGH);
    const driver = createEmbeddedDecider(async () => ({ ...fitted, unanswered: fitted }));
    for (const dialogue of driven) {
      if (halves.get(dialogue.group) !== half || !hasForks(dialogue)) continue;
      branches.push(...(await branchExamples(dialogue, reading, driver)));
    }
  }
  return branches;
};

/** Divides dialogues evenly, keeping groups together. */
const partsOf = (
  examples: readonly TopicExample[],
  parts: number,
): ((example: Pick<TopicExample, 'dialogue'>) => number) => {
  const groups = new Map(
    [...new Set(examples.map(({ dialogue }) => dialogue.group))].map((group, at) => [group, at % parts]),
  );
  return ({ dialogue }) => groups.get(dialogue.group) ?? 0;
};

const affinityExample = ({ material, right, weight, dialogue }: TopicExample): AffinityExample[] => {
  const { message, topics } = material;
  if (message === null || !teachesAffinity(dialogue.set)) return [];
  const listed = topics.filter((topic) => topic !== null);
  const chosen = topics[right];
  return [{ message: message.vector, topics: listed, right: chosen ? listed.indexOf(chosen) : -1, weight }];
};

const hasForks = ({ labels, set }: LabelledDialogue): boolean => labels === 'parents' && branchShare(set) > 0;

/** Weights the examples so that each set counts by its share, however many decisions it has. */
const weighted = <E extends TopicExample | BranchExample>(examples: readonly E[], share: Share): E[] => {
  const counts = new Map<string, number>();
  for (const { dialogue } of examples) counts.set(dialogue.set, (counts.get(dialogue.set) ?? 0) + 1);
  return examples.map((example) => ({
    ...example,
    weight: share(example.dialogue.set) / (counts.get(example.dialogue.set) ?? 1),
  }));
};
