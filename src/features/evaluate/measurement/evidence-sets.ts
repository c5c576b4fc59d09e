import type { DataSets } from '../datasets/data-files.ts';
import type { Question, QuestionedDialogue } from '../datasets/questioned-dialogue.ts';
import { OF_EVIDENCE } from '../needs/need-metrics.ts';
import { TOKENS_RATIO } from './context-metrics.ts';
import type { Metric } from './metric.ts';

/** Conversations without labels of topics, that questions are asked after. */
export interface QuestionSet {
  readonly name: string;
  readonly dialogues: readonly QuestionedDialogue[];
  /** Measured of the contexts of the turns; none where they are not built. */
  readonly turns: readonly Metric[];
  /** Measured of the contexts of the questions; none where no evidence is labelled. */
  readonly questions: readonly Metric[];
}

/** What is measured with questions; a set without dialogues is left out. */
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
