/*
 * Works out figures off the main thread, a thousand draws of each. It is asked once: every list of groups is answered with its
 * figures, in order.
 */

import { type CodedDialogue, type Group, LEAD_ALONE, type StudyFigure, studyFigures } from './study-figures.ts';

export interface FiguresRequest {
  readonly dialogues: readonly CodedDialogue[];
  /** Who is compared with whom, and whether by the lead measure alone. */
  readonly asked: readonly { readonly groups: readonly Group[]; readonly leadAlone: boolean }[];
}
export type FiguresAnswer = readonly (readonly StudyFigure[])[];

self.onmessage = ({ data: { dialogues, asked } }: MessageEvent<FiguresRequest>): void => {
  const answer: FiguresAnswer = asked.map(({ groups, leadAlone }) =>
    studyFigures(dialogues, groups, ...(leadAlone ? [LEAD_ALONE] : [])),
  );
  self.postMessage(answer);
};
