import type { MovePreview } from '../../app/actions.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { count } from './numbers.ts';

/** Turns named before the rest is counted. */
const NAMED = 4;

/** What a move would do to the context of the next message, in words. */
export const previewWords = (forest: Forest, preview: MovePreview): string => {
  const { refusal, tokensBefore: before, tokensAfter: after, entering, leaving } = preview;
  if (refusal !== null) return refusal;
  const tokens = before === after ? `${count(after)} tokens as now` : `${count(before)} → ${count(after)} tokens`;
  const come = entering.length > 0 ? [`${turnsNamed(forest, entering)} come${one(entering)} in`] : [];
  const go = leaving.length > 0 ? [`${turnsNamed(forest, leaving)} leave${one(leaving)}`] : [];
  return `The next message’s context: ${[tokens, ...come, ...go].join(' · ')}.`;
};

const one = (ids: readonly NodeId[]): string => (ids.length === 1 ? 's' : '');

/** `turn 3`, `turns 3, 4 and 9`, `turns 3, 4, 5, 6 and 12 others`. */
export const turnsNamed = (forest: Forest, ids: readonly NodeId[]): string => {
  const numbers = ids.flatMap((id) => forest.nodes[id]?.number ?? []).sort((a, b) => a - b);
  if (numbers.length === 0) return 'no turn';
  if (numbers.length === 1) return `turn ${numbers[0]}`;
  const rest = numbers.length - NAMED;
  const named = rest > 0 ? numbers.slice(0, NAMED) : numbers.slice(0, -1);
  return `turns ${named.join(', ')} and ${rest > 0 ? `${rest} ${rest === 1 ? 'other' : 'others'}` : numbers.at(-1)}`;
};
