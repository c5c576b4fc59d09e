import type { LabelledDialogue } from '../../src/features/evaluate/datasets/labelled-dialogue.ts';
import { ownDialogues, ownEveryday } from '../own-dialogues.ts';

/** Of so many everyday conversations one stands for them: general questions are sent to every page that learns. */
const EVERYDAY_EACH = 16;

/**
 * Those that the shipped general questions are made of, and those that simulations are measured on. Without everyday talk nothing would
 * hold back who splits topics finer from splitting everyone's.
 */
export const shippedHalf = async (): Promise<LabelledDialogue[]> => [
  ...(await ownDialogues()).filter((_, at) => at % 2 === 0),
  ...(await ownEveryday()).filter((_, at) => at % EVERYDAY_EACH === 0),
];
export const measuredHalf = async (): Promise<LabelledDialogue[]> =>
  (await ownDialogues()).filter((_, at) => at % 2 === 1);
