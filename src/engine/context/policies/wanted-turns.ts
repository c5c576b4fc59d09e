import type { Segment } from '../../../domain/context.ts';
import type { Forest, Node } from '../../../domain/forest.ts';
import { pathTo } from '../../../domain/queries.ts';
import { sentReply } from '../context-text.ts';
import { summaryText } from '../overview.ts';
import type { TokenCache } from '../token-cache.ts';
import { turnSegment } from './turn-segment.ts';

/** Share of the room that pins and references may take: the path needs the rest. */
const MOST = 0.5;

interface Wanted {
  readonly turn: Node;
  readonly pinned: boolean;
  /** The turn of the path that refers to it, or to a turn below it. */
  readonly neededBy: string | null;
  readonly summary: boolean;
}

/**
 * Turns off the path that the person wants in the context: those that are pinned, and those that turns of the path
 * refer to (each with its own path, or as its summary). In order of time; what does not fit goes in as its summary, and if
 * that does not fit either, not at all. They stay the same from turn to turn, so that a chat model can reuse its cache.
 */
export const wantedTurns = async (
  forest: Forest,
  path: readonly Node[],
  room: number,
  tokens: TokenCache,
): Promise<Segment[]> => {
  const wanted = [...wantsOf(forest, path).values()];
  if (wanted.length === 0) return [];
  const summaries = new Map(wanted.map(({ turn }) => [turn, `Turn ${turn.number}, in short: ${summaryText(turn)}`]));
  await tokens.prepare([...summaries.values(), ...wanted.flatMap(({ turn }) => [turn.message, sentReply(turn)])]);
  let left = room * MOST;
  const segments: { readonly number: number; readonly segment: Segment }[] = [];
  // Pins first: the person asked for the whole of them.
  for (const { turn, pinned, neededBy, summary } of wanted.sort((a, b) => Number(b.pinned) - Number(a.pinned))) {
    const why = pinned ? { pinned: true as const } : { neededBy: neededBy ?? turn.id };
    const inFull: Segment = { ...turnSegment(turn, tokens), ...why };
    const text = summaries.get(turn) as string;
    const inShort: Segment = {
      kind: 'reference-summary',
      nodeId: turn.id,
      neededBy: neededBy ?? turn.id,
      text,
      tokens: tokens.count(text),
    };
    const segment = !summary && inFull.tokens <= left ? inFull : inShort;
    if (segment.tokens > left) continue;
    left -= segment.tokens;
    segments.push({ number: turn.number, segment });
  }
  return segments.sort((a, b) => a.number - b.number).map(({ segment }) => segment);
};

/** Each turn once: pinned before needed, whole before summarised. */
export const wantsOf = (forest: Forest, path: readonly Node[]): Map<Node, Wanted> => {
  const wants = new Map<Node, Wanted>();
  const onPath = new Set(path.map(({ id }) => id));
  const add = (turn: Node, want: Omit<Wanted, 'turn'>): void => {
    if (onPath.has(turn.id)) return;
    const before = wants.get(turn);
    if (before === undefined || (before.summary && !want.summary)) wants.set(turn, { turn, ...want });
  };
  for (const turn of Object.values(forest.nodes)) {
    if (turn.pinned) add(turn, { pinned: true, neededBy: null, summary: false });
  }
  for (const { id, references } of path) {
    for (const { to, as } of references) {
      if (forest.nodes[to] === undefined) continue;
      const turns = as === 'path' ? pathTo(forest, to) : pathTo(forest, to).slice(-1);
      for (const turn of turns) add(turn, { pinned: false, neededBy: id, summary: as === 'summary' });
    }
  }
  return wants;
};
