import type { Context, InclusionReason, Overview, Segment } from './context.ts';
import type { Decision } from './decision.ts';
import type { NodeId } from './forest.ts';

/** Placeholder for words that are permanently gone. */
export const PURGED = '[purged]';

/** What has to go from the log along with the words of some turns. */
export interface Purge {
  readonly turns: ReadonlySet<NodeId>;
  /** Returns a branch's title, unless it was given while the branch had such a turn. */
  readonly branchTitle: (branchId: string, title: string) => string;
  /** Returns a topic's title without anything derived from such words. */
  readonly title: (treeId: string, title: string) => string;
  /** Whether a text contains a title of the topic that is derived from such words. */
  readonly holdsTitle: (treeId: string, text: string) => boolean;
}

export const purgedOrNull = (text: string | null): string | null => (text === null ? null : PURGED);

export const overviewWithout = (overview: Overview, { turns, holdsTitle }: Purge): Overview => ({
  ...overview,
  lines: overview.lines.map((line) => {
    if (line.kind === 'left-out') return line;
    const tells =
      line.nodeIds.some((id) => turns.has(id)) || (line.kind === 'topic' && holdsTitle(line.treeId, line.text));
    return tells ? { ...line, text: PURGED } : line;
  }),
});

/** The decision about a turn; without its trace if the turn itself is purged. */
export const decidedWithout = <E extends { readonly nodeId: NodeId; readonly decision: Decision }>(
  event: E,
  purge: Purge,
): E => ({
  ...event,
  decision: purge.turns.has(event.nodeId) ? { ...event.decision, trace: null } : decisionWithout(event.decision, purge),
});

const decisionWithout = (decision: Decision, purge: Purge): Decision => {
  const { trace } = decision;
  if (trace === null) return decision;
  const candidates = trace.topic.candidates.map((one) => ({ ...one, title: purge.title(one.treeId, one.title) }));
  return { ...decision, trace: { ...trace, topic: { ...trace.topic, candidates } } };
};

export const contextWithout = (context: Context, purge: Purge): Context => ({
  ...context,
  segments: context.segments.map((segment) => segmentWithout(segment, purge)),
});

const segmentWithout = (segment: Segment, { turns, holdsTitle }: Purge): Segment => {
  switch (segment.kind) {
    case 'turn-summary':
    case 'reference-summary':
      return turns.has(segment.nodeId) ? { ...segment, text: PURGED } : segment;
    case 'turn-line':
      return turns.has(segment.nodeId) ? { ...unexplained(segment), text: PURGED } : segment;
    case 'turn':
      return turns.has(segment.nodeId) ? unexplained(segment) : segment;
    case 'message':
      return turns.has(segment.nodeId) && segment.text !== undefined ? { ...segment, text: PURGED } : segment;
    case 'shortened':
      return turns.has(segment.nodeId) ? { ...unexplained(segment), ...shortenedWithout(segment) } : segment;
    case 'fetched': {
      const { nodeId, treeId, head } = segment;
      if (turns.has(nodeId)) return { ...unexplained(segment), ...shortenedWithout(segment), head: PURGED };
      return treeId !== undefined && holdsTitle(treeId, head) ? { ...segment, head: PURGED } : segment;
    }
    case 'memory':
      return segment.from.some((id) => turns.has(id)) ? { ...segment, text: PURGED } : segment;
    // These only count turns, or say nothing of them.
    case 'instructions':
    case 'overview':
    case 'elsewhere':
    case 'turns-left-out':
    case 'path-left-out':
    case 'history-left-out':
      return segment;
    default:
      return segment satisfies never;
  }
};

/** Purges the reworded parts of a turn that were sent. */
const shortenedWithout = ({ message, reply }: Partial<Record<'message' | 'reply', string | null | undefined>>) => ({
  ...(typeof message === 'string' && { message: PURGED }),
  ...(typeof reply === 'string' && { reply: PURGED }),
});

/** Removes the words it shared with the message. */
const unexplained = <S extends { why?: InclusionReason[] | undefined }>(segment: S): S =>
  segment.why === undefined ? segment : { ...segment, why: segment.why.map(({ reason }) => ({ reason })) };
