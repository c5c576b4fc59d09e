import type { Segment } from '../../../domain/context.ts';
import type { Node } from '../../../domain/forest.ts';
import { summaryText } from '../overview.ts';
import type { TokenCache } from '../token-cache.ts';
import { sumTokens } from './sum-tokens.ts';
import { turnSegment } from './turn-segment.ts';

/**
 * How many turns of a path too long for the window become summaries at a time. One at a time would
 * change the context's front, and so lose a chat model's cache, with every turn.
 */
const SUMMARISE_AT_ONCE = 4;

/**
 * The path in full where it fits; else its oldest turns as summaries, and what still does not fit counted. What the
 * person pinned stays in full whatever it costs.
 */
export const fitPath = async (path: readonly Node[], room: number, tokens: TokenCache): Promise<Segment[]> => {
  const turns = path.map((node) => turnSegment(node, tokens));
  if (sumTokens(turns) <= room) return turns;

  const summaries = path.map((node) => `Turn ${node.number}, in short: ${summaryText(node)}`);
  await tokens.prepare([...summaries, leftOut(path.length)]);
  const shortened: Segment[] = path.map((node, i) => {
    const text = summaries[i] as string;
    if (node.pinned) return turns[i] as Segment;
    return { kind: 'turn-summary', nodeId: node.id, text, tokens: tokens.count(text) };
  });
  let inShort = 0;
  const cost = () => sumTokens(shortened.slice(0, inShort)) + sumTokens(turns.slice(inShort));
  while (inShort < turns.length && cost() > room) inShort = Math.min(inShort + SUMMARISE_AT_ONCE, turns.length);
  const oldest = shortened.slice(0, inShort).filter((segment) => segment.kind === 'turn-summary');
  let dropped = 0;
  const note = tokens.count(leftOut(path.length));
  while (dropped < oldest.length && cost() - sumTokens(oldest.slice(0, dropped)) + note > room) dropped += 1;
  if (dropped === 0) return [...shortened.slice(0, inShort), ...turns.slice(inShort)];

  const gone = new Set<Segment>(oldest.slice(0, dropped));
  await tokens.prepare([leftOut(dropped)]);
  const text = leftOut(dropped);
  return [
    { kind: 'path-left-out', turns: dropped, text, tokens: tokens.count(text) },
    ...shortened.slice(0, inShort).filter((segment) => !gone.has(segment)),
    ...turns.slice(inShort),
  ];
};

const leftOut = (turns: number): string =>
  `The ${turns} oldest ${turns === 1 ? 'turn' : 'turns'} before these did not fit and ${turns === 1 ? 'is' : 'are'} left out.`;
