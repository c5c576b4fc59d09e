import type { Forest, NodeId } from '../../domain/forest.ts';
import { activePath, nodeOf, replyOf } from '../../domain/queries.ts';

/** How much of a turn the chat model sees: all of it, its summary, or nothing but a count. */
export type Standing = 'path' | 'summary' | 'left-out';

export interface Standings {
  readonly path: ReadonlySet<NodeId>;
  /** Turns whose summaries stand in the overview; null while no overview says which. */
  readonly summarised: ReadonlySet<NodeId> | null;
}

/** Read off the context of the active turn's reply: what the conversation goes on from. */
export const standingsOf = (forest: Forest): Standings => {
  const path = new Set(activePath(forest).map((node) => node.id));
  const context = forest.active === null ? null : replyOf(nodeOf(forest, forest.active.nodeId))?.context;
  const segment = context?.segments.find((one) => one.kind === 'overview');
  const overview = segment === undefined ? undefined : forest.overviews[segment.overviewId];
  const lines = overview?.lines.flatMap((line) => (line.kind === 'left-out' ? [] : line.nodeIds));
  return { path, summarised: lines === undefined ? null : new Set(lines) };
};

export const standingOf = ({ path, summarised }: Standings, id: NodeId): Standing => {
  if (path.has(id)) return 'path';
  return summarised === null || summarised.has(id) ? 'summary' : 'left-out';
};
