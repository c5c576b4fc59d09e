import type { LabelledDialogue } from '../datasets/labelled-dialogue.ts';
import { trainedFold } from '../held-out/held-out.ts';

/** Whether the shipped decider was trained on a dialogue, or on a part of it. */
export const trainedOn = (dialogue: LabelledDialogue): boolean => trainedFold(dialogue) !== null;
