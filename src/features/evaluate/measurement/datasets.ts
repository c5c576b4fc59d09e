import { randomFrom } from '../../../domain/numbers.ts';
import { type DataSets, ofEachSet } from '../datasets/data-files.ts';
import type { LabelledDialogue, LabelledTurn, Question, QuestionedDialogue } from '../datasets/dialogues.ts';
import { PATH_AND_REFERENCE_METRICS, PATH_METRICS, TOKENS_RATIO } from './context-metrics.ts';
import {
  BRANCH_METRICS,
  CERTAINTY_METRICS,
  EDGE_METRICS,
  ONE_TOPIC_METRICS,
  PARENT_METRICS,
  PARTITION_METRICS,
  SETTLED_METRICS,
  SHIFT_METRICS,
  TOPIC_METRICS,
} from './decision-metrics.ts';
import type { Metric } from './metric.ts';
import { OF_EVERYDAY, OF_EVIDENCE, OF_READING, OF_REWRITES } from './need-metrics.ts';
import type { DecisionRecord } from './placements.ts';

/** A subset of a data set's turns, and what is measured on it. */
interface View {
  readonly dataset: string;
  /** Selects the dialogues; omitted for all of them. */
  readonly takes?: (dialogue: LabelledDialogue) => boolean;
  readonly keeps: (turn: Pick<DecisionRecord, 'disputed' | 'labelled' | 'relation'>) => boolean;
  readonly decisions: readonly Metric[];
  /** Metrics of the history that the engine built itself, over all turns. */
  readonly partition: readonly Metric[];
  /** Metrics of the contexts; empty if none are built. */
  readonly contexts: readonly Metric[];
}

/** Dialogues that are run once, and their views. */
export interface Dataset {
  readonly name: string;
  readonly dialogues: readonly LabelledDialogue[];
  readonly views: readonly View[];
}

const everything = () => true;
/** Sets with more or other metrics than follow from their labels; rewrites are measured by need. */
const PARTICULAR: readonly string[] = [
  'coppice',
  'everyday',
  'tiage',
  'cast2022',
  'structflow',
  'oasst',
  'rewrites',
  'study',
];

const CONVERSATION = [...TOPIC_METRICS, ...PARENT_METRICS, ...BRANCH_METRICS, ...CERTAINTY_METRICS, ...SETTLED_METRICS];

/** The data sets to measure; sets without dialogues are omitted. */
export const datasetsIn = (data: DataSets): Dataset[] => {
  const { coppice, everyday, tiage, cast2022, structflow, oasst, ntm, study, topiocqa = [] } = data;
  const one = (name: string, dialogues: readonly LabelledDialogue[], view: Partial<View>): Dataset => ({
    name,
    dialogues,
    views: [{ dataset: name, keeps: everything, decisions: [], partition: [], contexts: [], ...view }],
  });
  const mixed = (name: string, trees: readonly LabelledDialogue[]): Dataset =>
    one(name, interleavedConversations(trees, name), {
      decisions: CONVERSATION,
      partition: PARTITION_METRICS,
      contexts: PATH_METRICS,
    });
  const built = { decisions: CONVERSATION, contexts: PATH_AND_REFERENCE_METRICS };
  /** Metrics that follow from the labels. */
  const labelled = (name: string, dialogues: readonly LabelledDialogue[]): Dataset =>
    dialogues.every(({ labels }) => labels === 'topics')
      ? one(name, dialogues, { decisions: [...TOPIC_METRICS, ...CERTAINTY_METRICS], partition: PARTITION_METRICS })
      : one(name, dialogues, { ...built, partition: PARTITION_METRICS });
  const others = Object.values(ofEachSet((name) => name)).filter((name) => !PARTICULAR.includes(name));
  return [
    one('coppice', coppice, {
      decisions: CONVERSATION,
      keeps: ({ labelled }) => labelled,
      contexts: [TOKENS_RATIO],
    }),
    {
      name: 'everyday',
      dialogues: everyday,
      views: [
        { dataset: 'everyday', takes: () => true },
        { dataset: 'everyday-en', takes: ({ language }: LabelledDialogue) => language === 'en' },
        { dataset: 'everyday-other', takes: ({ language }: LabelledDialogue) => language !== 'en' },
      ].map((view) => ({
        ...view,
        keeps: everything,
        decisions: CONVERSATION,
        partition: PARTITION_METRICS,
        contexts: [],
      })),
    },
    {
      name: 'ntm',
      dialogues: ntm,
      views: [
        { dataset: 'ntm', keeps: everything, partition: PARTITION_METRICS, ...built },
        {
          dataset: 'ntm-undisputed',
          keeps: ({ disputed }: { disputed: boolean }) => !disputed,
          partition: [],
          ...built,
        },
      ],
    },
    {
      name: 'study',
      dialogues: study,
      views: [
        { dataset: 'study', keeps: everything, partition: PARTITION_METRICS, ...built },
        {
          dataset: 'study-undisputed',
          keeps: ({ disputed }: { disputed: boolean }) => !disputed,
          partition: [],
          ...built,
        },
      ],
    },
    ...others.map((name) => labelled(name, data[name])),
    one('topiocqa', topiocqa, {
      decisions: [...TOPIC_METRICS, ...CERTAINTY_METRICS],
      partition: PARTITION_METRICS,
      contexts: [TOKENS_RATIO],
    }),
    one('tiage', tiage, { decisions: [...SHIFT_METRICS, ...CERTAINTY_METRICS] }),
    one('cast2022', cast2022, {
      decisions: [...PARENT_METRICS, ...ONE_TOPIC_METRICS, ...CERTAINTY_METRICS],
      contexts: PATH_METRICS,
    }),
    mixed('cast2022-interleaved', cast2022),
    one('structflow', structflow, {
      decisions: [...EDGE_METRICS, ...PARENT_METRICS, ...CERTAINTY_METRICS],
      keeps: ({ relation }) => relation !== null,
    }),
    mixed('oasst-interleaved', oasst),
  ].filter(({ dialogues }) => dialogues.length > 0);
};

/** The data set of a view: `ntm` for `ntm-undisputed`. */
export const datasetOf = (view: string): string => view.replace(/-(?:undisputed|en|other)$/, '');

/** Conversations without topic labels that have questions. */
export interface QuestionSet {
  readonly name: string;
  readonly dialogues: readonly QuestionedDialogue[];
  /** Metrics of the turns' contexts; empty if none are built. */
  readonly turns: readonly Metric[];
  /** Metrics of the questions' contexts; empty if no evidence is labelled. */
  readonly questions: readonly Metric[];
}

/** The sets to measure with questions; sets without dialogues are omitted. */
export const questionSetsIn = (data: DataSets): QuestionSet[] =>
  [
    { name: 'msc' as const, turns: [TOKENS_RATIO], questions: [] },
    { name: 'msc-e' as const, turns: [TOKENS_RATIO], questions: [] },
    { name: 'locomo' as const, turns: [], questions: OF_EVIDENCE },
    { name: 'realtalk' as const, turns: [], questions: OF_EVIDENCE },
    { name: 'multihop-rag' as const, turns: [], questions: OF_EVIDENCE },
    { name: 'implexconv' as const, turns: [], questions: OF_EVIDENCE },
  ]
    .map((set) => ({ ...set, dialogues: data[set.name] ?? [] }))
    .filter(({ dialogues }) => dialogues.length > 0);

/** Whether there is an answer to compare with. */
export const hasAnswer = ({ answers }: Question): boolean => answers.length > 0;

/** Dialogues whose needs are measured once, and their views. */
export interface NeedSet {
  readonly name: string;
  readonly dialogues: readonly LabelledDialogue[];
  readonly views: readonly NeedView[];
}

interface NeedView {
  readonly dataset: string;
  readonly takes: (dialogue: LabelledDialogue) => boolean;
  readonly metrics: readonly Metric[];
}

/** Number of conversations mixed into one. */
const THREADS = 3;

const all = (dataset: string, metrics: readonly Metric[]): NeedView => ({ dataset, takes: () => true, metrics });

/** The sets to measure; sets without dialogues are omitted. */
export const needSetsIn = ({ rewrites, everyday, ntm }: DataSets): NeedSet[] => {
  const isEnglish = ({ language }: LabelledDialogue) => language === 'en';
  return [
    { name: 'rewrites', dialogues: rewrites, views: [all('rewrites', OF_REWRITES)] },
    {
      name: 'rewrites-interleaved',
      dialogues: threadsOf(rewrites),
      views: [all('rewrites-interleaved', OF_REWRITES)],
    },
    {
      name: 'everyday',
      dialogues: everyday,
      views: [
        all('everyday', OF_EVERYDAY),
        { dataset: 'everyday-en', takes: isEnglish, metrics: OF_EVERYDAY },
        {
          dataset: 'everyday-other',
          takes: (dialogue: LabelledDialogue) => !isEnglish(dialogue),
          metrics: OF_EVERYDAY,
        },
      ],
    },
    { name: 'ntm', dialogues: ntm, views: [all('ntm', OF_READING)] },
  ].filter(({ dialogues }) => dialogues.length > 0);
};

/**
 * Conversations of three threads each, mixed by the rule of the interleaved trees. Each thread is used once; any remainder
 * at the end is dropped.
 */
const threadsOf = (dialogues: readonly LabelledDialogue[]): LabelledDialogue[] =>
  Array.from({ length: Math.floor(dialogues.length / THREADS) }, (_, at) => ({
    ...interleaveTrees(dialogues.slice(THREADS * at, THREADS * (at + 1)), 'rewrites-interleaved', at),
    language: 'en',
  }));

/** Minimum number of turns in an interleaved conversation, given enough to mix. */
const LEAST_TURNS = 20;
/** Longest run on one branch before the user switches, in turns. */
const LONGEST_RUN = 4;
/** Probability that the user then moves to another branch of the same tree, if one can be continued. */
const SAME_TREE_RATE = 0.5;

/** A branch of one of the trees: consecutive turns, each the child of the previous one; the first is a child of a turn on another branch. */
interface Thread {
  readonly tree: number;
  /** Indices in the tree, in order. */
  readonly turns: readonly number[];
  said: number;
}

/**
 * Conversations of a user who switches between several trees, and between the branches of a tree: they follow a path for
 * some turns, leave it for another branch or tree, and come back to where they left. Every turn keeps its labelled parent,
 * so leaving and coming back yields topic and branch switches with a known right answer. One conversation starts with each
 * tree; the trees after it (in the given order, wrapping around) are added until there are two trees and twenty turns.
 */
export const interleavedConversations = (trees: readonly LabelledDialogue[], dataset: string): LabelledDialogue[] =>
  trees.flatMap((_, first) => {
    const joined: LabelledDialogue[] = [];
    let turns = 0;
    for (let at = 0; at < trees.length && (joined.length < 2 || turns < LEAST_TURNS); at++) {
      const tree = trees[(first + at) % trees.length];
      if (tree === undefined || tree.turns.length === 0) continue;
      joined.push(tree);
      turns += tree.turns.length;
    }
    return joined.length < 2 || turns < LEAST_TURNS ? [] : [interleaveTrees(joined, dataset, first)];
  });

/** Merges all turns of the trees into one conversation. Deterministic for a given seed. */
export const interleaveTrees = (
  trees: readonly LabelledDialogue[],
  dataset: string,
  seed: number,
): LabelledDialogue => {
  const random = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const threads = trees.flatMap(({ turns }, tree) => branchesOf(turns, tree));
  /** The new position of each turn of each tree. */
  const places = trees.map((): number[] => []);
  const turns: LabelledTurn[] = [];

  const parentOf = ({ tree, turns: own, said }: Thread) => trees[tree]?.turns[own[said] ?? -1]?.parent ?? null;
  const isOpen = (thread: Thread): boolean => {
    const parent = parentOf(thread);
    return thread.said < thread.turns.length && (parent === null || places[thread.tree]?.[parent] !== undefined);
  };
  const say = (thread: Thread): void => {
    const index = thread.turns[thread.said] as number;
    const own = places[thread.tree] as number[];
    const turn = trees[thread.tree]?.turns[index] as LabelledTurn;
    const parent = parentOf(thread);
    own[index] = turns.push({ ...turn, parent: parent === null ? null : (own[parent] as number) }) - 1;
    thread.said++;
  };

  for (let current: Thread | undefined = threads[0]; current !== undefined; ) {
    const run = 1 + Math.floor(random() * LONGEST_RUN);
    for (let taken = 0; taken < run && isOpen(current); taken++) say(current);
    const here: Thread = current;
    const open = threads.filter((thread) => thread !== here && isOpen(thread));
    const near = open.filter(({ tree }) => tree === here.tree);
    const far = open.filter(({ tree }) => tree !== here.tree);
    const stays = near.length > 0 && (far.length === 0 || random() < SAME_TREE_RATE);
    current = pick(stays ? near : far) ?? (isOpen(here) ? here : undefined);
  }
  const groups = trees.map(({ group }) => group);
  const id = `${trees.map((tree) => tree.id).join('+')}#${seed}`;
  return { set: dataset, id, group: groups[0] ?? '', groups, labels: 'parents', turns };
};

/** A turn continues its parent's branch if it is the parent's first child. */
const branchesOf = (turns: readonly LabelledTurn[], tree: number): Thread[] => {
  const threads: { tree: number; turns: number[]; said: number }[] = [];
  const continued = new Set<number>();
  for (const [at, { parent }] of turns.entries()) {
    const branch = parent === null || continued.has(parent) ? null : threads.find((one) => one.turns.at(-1) === parent);
    if (parent !== null) continued.add(parent);
    if (branch) branch.turns.push(at);
    else threads.push({ tree, turns: [at], said: 0 });
  }
  return threads;
};
