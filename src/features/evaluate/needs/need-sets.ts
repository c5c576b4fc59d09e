import type { DataSets } from '../datasets/data-files.ts';
import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import { interleaveTrees } from '../measurement/interleave-trees.ts';
import type { Metric } from '../measurement/metric.ts';
import { OF_EVERYDAY, OF_READING, OF_REWRITES } from './need-metrics.ts';

/** Dialogues whose needs are measured, once, and the views of them. */
export interface NeedSet {
  readonly name: string;
  readonly dialogues: readonly LabelledDialogue[];
  readonly views: readonly NeedView[];
}

export interface NeedView {
  readonly dataset: string;
  readonly takes: (dialogue: LabelledDialogue) => boolean;
  readonly metrics: readonly Metric[];
}

/** Conversations that are mixed into one. */
const THREADS = 3;

const all = (dataset: string, metrics: readonly Metric[]): NeedView => ({ dataset, takes: () => true, metrics });

/** What is measured; a set without dialogues is left out. */
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

/** Conversations of three threads each, by the rule of the interleaved trees; each thread is in one. What is left over at the end is left out. */
const threadsOf = (dialogues: readonly LabelledDialogue[]): LabelledDialogue[] =>
  Array.from({ length: Math.floor(dialogues.length / THREADS) }, (_, at) => ({
    ...interleaveTrees(dialogues.slice(THREADS * at, THREADS * (at + 1)), 'rewrites-interleaved', at),
    language: 'en',
  }));
