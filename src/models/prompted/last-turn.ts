import type { Node } from '../../domain/forest.ts';
import { replyText } from '../../engine/context/context-text.ts';
import { clip } from './clip.ts';

/** Characters of each of the turn's two texts. */
const MOST = 240;

/** The turn that a message follows, in its own words. */
export const lastTurn = (turn: Node): string => {
  const said = JSON.stringify(clip(turn.message, MOST));
  const reply = replyText(turn);
  return reply === '' ? `${said} (not answered)` : `${said} – ${JSON.stringify(clip(reply, MOST))}`;
};
