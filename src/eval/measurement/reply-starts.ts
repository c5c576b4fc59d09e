import { startOf } from '../../engine/landing/landing-features.ts';
import type { LabelledDialogue } from '../labelled-dialogue.ts';

/** How the replies of dialogues begin: what contexts compare with a message. */
export const replyStarts = (dialogues: readonly LabelledDialogue[]): string[] =>
  dialogues.flatMap(({ turns }) => turns.map(({ reply }) => startOf(reply ?? ''))).filter((text) => text !== '');
