import type { AppState } from '../../app/state.ts';
import { whyOf, whyWords } from '../chat/placement-words.ts';

/** How the turn at work gets on, for screen readers: its place once it has one, and its end. */
export const progressWords = ({ turn, forest }: AppState): string | null => {
  const node = turn === null ? undefined : forest.nodes[turn.nodeId];
  if (turn === null || node === undefined) return null;
  if (turn.phase === 'summarising') return `Turn ${node.number} has its reply.`;
  return `Turn ${node.number}: ${whyWords(whyOf(forest, node))}.`;
};
