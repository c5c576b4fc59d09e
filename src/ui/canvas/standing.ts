import type { Context } from '../../domain/context.ts';
import type { Forest, NodeId } from '../../domain/forest.ts';
import { activePath, nodeOf, replyOf } from '../../domain/queries.ts';

/** How much of a turn the chat model sees: all of it, its summary, or nothing but a count. Hidden ones it never sees. */
export type Standing = 'full' | 'summary' | 'left-out' | 'hidden';

export interface Standings {
  readonly path: ReadonlySet<NodeId>;
  readonly full: ReadonlySet<NodeId>;
  /** Turns whose summaries are sent; null where no context says which. */
  readonly summarised: ReadonlySet<NodeId> | null;
}

/**
 * Read off what the active turn was answered from, whatever policy built it. Where nothing was built yet, the path
 * is taken to be sent, and nothing else is set further back than a summary.
 */
export const standingsOf = (forest: Forest): Standings => {
  const path = new Set(activePath(forest).map((node) => node.id));
  const context = forest.active === null ? null : replyOf(nodeOf(forest, forest.active.nodeId))?.context;
  return context ? standingsBy(forest, context, path) : { path, full: path, summarised: null };
};

/** Read off a context of this forest. */
export const standingsBy = (
  forest: Forest,
  context: Context,
  path: ReadonlySet<NodeId> = new Set(activePath(forest).map((node) => node.id)),
): Standings => ({ path, ...sentIn(forest, context) });

const sentIn = ({ overviews }: Forest, { segments }: Context) => {
  const full = new Set<NodeId>();
  const summarised = new Set<NodeId>();
  for (const segment of segments) {
    if (segment.kind === 'turn' || segment.kind === 'message') full.add(segment.nodeId);
    else if (segment.kind === 'fetched' && segment.message === null && segment.reply === null) full.add(segment.nodeId);
    else if ('nodeId' in segment) summarised.add(segment.nodeId);
    else if (segment.kind === 'memory') for (const id of segment.from) (segment.whole ? full : summarised).add(id);
    else if (segment.kind === 'overview') {
      for (const line of overviews[segment.overviewId]?.lines ?? []) {
        if (line.kind !== 'left-out') for (const id of line.nodeIds) summarised.add(id);
      }
    }
  }
  return { full, summarised };
};

export const standingOf = ({ nodes }: Forest, { full, summarised }: Standings, id: NodeId): Standing => {
  if (nodes[id]?.hidden === true) return 'hidden';
  if (full.has(id)) return 'full';
  return summarised === null || summarised.has(id) ? 'summary' : 'left-out';
};
