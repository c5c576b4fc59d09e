import type { DataSets } from '../datasets/data-files.ts';
import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import { BRANCH_METRICS, countBranch, PARENT_METRICS } from './branch-metrics.ts';
import { CERTAINTY_METRICS, countCertainty } from './certainty-metrics.ts';
import { PATH_AND_REFERENCE_METRICS, PATH_METRICS, TOKENS_RATIO } from './context-metrics.ts';
import { countEdge, EDGE_METRICS } from './edge-metrics.ts';
import { interleavedConversations } from './interleave-trees.ts';
import type { Metric } from './metric.ts';
import { PARTITION_METRICS } from './partition-metrics.ts';
import type { DecisionRecord } from './placements.ts';
import { countTopic, ONE_TOPIC_METRICS, SHIFT_METRICS, TOPIC_METRICS } from './topic-metrics.ts';

/** Some of the turns of a data set, and what is measured of them. */
export interface View {
  readonly dataset: string;
  /** Which of the dialogues; left out for all of them. */
  readonly takes?: (dialogue: LabelledDialogue) => boolean;
  readonly keeps: (turn: Pick<DecisionRecord, 'disputed' | 'relation'>) => boolean;
  readonly decisions: readonly Metric[];
  /** Measured of the history that the engine made itself, over all turns. */
  readonly partition: readonly Metric[];
  /** Measured of the contexts; none where they are not built. */
  readonly contexts: readonly Metric[];
}

/** Dialogues that are run once, and the views of them. */
export interface Dataset {
  readonly name: string;
  readonly dialogues: readonly LabelledDialogue[];
  readonly views: readonly View[];
}

const everything = () => true;
const CONVERSATION = [...TOPIC_METRICS, ...PARENT_METRICS, ...BRANCH_METRICS, ...CERTAINTY_METRICS];

/** What is measured; a set without dialogues is left out. */
export const datasetsIn = ({
  everyday,
  sgd,
  tiage,
  cast2022,
  structflow,
  oasst,
  ntm,
  topiocqa = [],
}: DataSets): Dataset[] => {
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
  return [
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
    one('sgd', sgd, { decisions: [...TOPIC_METRICS, ...CERTAINTY_METRICS], partition: PARTITION_METRICS }),
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

/** The data set that a view is of: `ntm` of `ntm-undisputed`. */
export const datasetOf = (view: string): string => view.replace(/-(?:undisputed|en|other)$/, '');

/** Counts of the decisions of one dialogue, for every metric of decisions there is. */
export const countDecisions = (records: readonly DecisionRecord[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const record of records) {
    countTopic(counts, record);
    countBranch(counts, record);
    countEdge(counts, record);
    countCertainty(counts, record);
  }
  return counts;
};
