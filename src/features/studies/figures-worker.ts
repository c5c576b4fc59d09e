/*
 * Computes figures off the main thread, with a thousand draws each. It handles a single request and answers every list of
 * groups with its figures, in order.
 */

import { type CodedDialogue, LEAD_ALONE, type RaterGroup, type StudyFigure, studyFigures } from './study-figures.ts';

export interface FiguresRequest {
  readonly dialogues: readonly CodedDialogue[];
  /** The groups to compare, and whether by the lead measure alone. */
  readonly asked: readonly { readonly groups: readonly RaterGroup[]; readonly leadAlone: boolean }[];
}
export type FiguresAnswer = readonly (readonly StudyFigure[])[];

self.onmessage = ({ data: { dialogues, asked } }: MessageEvent<FiguresRequest>): void => {
  const answer: FiguresAnswer = asked.map(({ groups, leadAlone }) =>
    studyFigures(dialogues, groups, ...(leadAlone ? [LEAD_ALONE] : [])),
  );
  self.postMessage(answer);
};
