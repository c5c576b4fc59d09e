import type { Context, OverviewLine, Segment, Why } from './context.ts';
import type { Decision } from './decision.ts';
import type { Entry, Event } from './events.ts';
import type { NodeId } from './forest.ts';
import { withoutQuotesOf } from './quotations.ts';

/** Stands where words were that are gone for good. */
const PURGED = '[purged]';

/**
 * The same log without the words of some turns: messages, replies, summaries, notes, titles made of them, and what
 * contexts, traces and later replies quote of them. Its entries, their order and every id stay.
 */
export const scrub = (entries: readonly Entry[], nodeIds: readonly NodeId[]): Entry[] => {
  const gone = new Set(nodeIds);
  const trees = new Set<string>();
  const titles = new Map<string, Titles>();
  const branches = new Set<string>();
  const texts: string[] = [];
  // A reply comes in pieces, and a sentence may stand across two.
  const replies = new Map<string, string>();
  for (const { event } of entries) {
    if (event.type === 'turn-placed' && gone.has(event.nodeId)) {
      // Titles of topics and branches that began with such a turn are made of its words.
      if (event.placement.parentId === null) trees.add(event.placement.treeId);
      branches.add(event.placement.branchId);
    }
    noteTitles(titles, event, gone);
    if (event.type === 'reply-received' && gone.has(event.nodeId)) {
      replies.set(event.replyId, `${replies.get(event.replyId) ?? ''}${event.text}`);
    }
    texts.push(...ownTexts(event, gone));
  }
  const clean = withoutQuotesOf([...texts, ...replies.values()], PURGED);
  return entries.map((entry) => {
    return {
      ...entry,
      event: withoutQuotes(withoutOwn(entry.event, gone, { trees, titles }, branches), clean) as Event,
    };
  });
};

interface Topics {
  /** Topics that such a turn began: their titles are made of its words. */
  readonly trees: ReadonlySet<string>;
  readonly titles: ReadonlyMap<string, Titles>;
}

/** The titles of a topic that such a turn came to later. */
interface Titles {
  /** The last one from before it came. */
  before: string;
  came: boolean;
  /** Those that the engine has made since: the second turn of a topic has a part in its title. */
  readonly since: Set<string>;
}

const noteTitles = (titles: Map<string, Titles>, event: Event, gone: ReadonlySet<NodeId>): void => {
  const of = (treeId: string): Titles => {
    const found = titles.get(treeId) ?? { before: PURGED, came: false, since: new Set() };
    titles.set(treeId, found);
    return found;
  };
  if ((event.type === 'turn-placed' || event.type === 'turn-moved') && gone.has(event.nodeId)) {
    of(event.placement.treeId).came = true;
  }
  if (event.type !== 'topic-titled') return;
  const known = of(event.treeId);
  if (!known.came || event.by === 'person') known.before = event.title;
  else if (event.title !== known.before) known.since.add(event.title);
};

const titleWithout = ({ trees, titles }: Topics, treeId: string, title: string): string => {
  if (trees.has(treeId)) return PURGED;
  const known = titles.get(treeId);
  return known?.since.has(title) ? known.before : title;
};

/** The words of a turn that is to go, in an event about it. */
const ownTexts = (event: Event, gone: ReadonlySet<NodeId>): string[] => {
  if (!('nodeId' in event) || !gone.has(event.nodeId)) return [];
  switch (event.type) {
    case 'message-sent':
      return [event.message, event.given ?? ''];
    case 'summarised':
      return [event.text];
    case 'turn-noted':
      return [event.note ?? ''];
    default:
      return [];
  }
};

const withoutOwn = (event: Event, gone: ReadonlySet<NodeId>, topics: Topics, branches: ReadonlySet<string>): Event => {
  if (event.type === 'topic-titled') return { ...event, title: titleWithout(topics, event.treeId, event.title) };
  if (event.type === 'branch-titled') return branches.has(event.branchId) ? { ...event, title: PURGED } : event;
  if (event.type === 'overview-built') {
    return {
      ...event,
      overview: { ...event.overview, lines: event.overview.lines.map((line) => blanked(line, gone)) },
    };
  }
  if (event.type === 'reply-started' && event.context !== null && !gone.has(event.nodeId)) {
    return { ...event, context: withoutWords(event.context, gone, topics) };
  }
  if (event.type === 'turn-placed') {
    return { ...event, decision: gone.has(event.nodeId) ? bare(event.decision) : untitled(event.decision, topics) };
  }
  if (!('nodeId' in event) || !gone.has(event.nodeId)) return event;
  switch (event.type) {
    case 'message-sent':
      return { ...event, message: PURGED, given: event.given === null ? null : PURGED };
    case 'reply-started':
      return { ...event, context: null };
    case 'reply-received':
      return { ...event, text: '' };
    case 'reply-ended':
      return { ...event, failure: event.failure === null ? null : PURGED };
    case 'summarised':
      return { ...event, text: PURGED };
    case 'turn-noted':
      return { ...event, note: event.note === null ? null : PURGED };
    default:
      return event;
  }
};

const blanked = (line: OverviewLine, gone: ReadonlySet<NodeId>): OverviewLine =>
  line.kind !== 'left-out' && line.nodeIds.some((id) => gone.has(id)) ? { ...line, text: PURGED } : line;

const withoutWords = (context: Context, gone: ReadonlySet<NodeId>, topics: Topics): Context => ({
  ...context,
  segments: context.segments.map((segment): Segment => {
    switch (segment.kind) {
      case 'turn-summary':
      case 'reference-summary':
        return gone.has(segment.nodeId) ? { ...segment, text: PURGED } : segment;
      case 'turn-line':
        return gone.has(segment.nodeId) ? { ...unexplained(segment), text: PURGED } : segment;
      case 'turn':
        return gone.has(segment.nodeId) ? unexplained(segment) : segment;
      case 'shortened':
        return gone.has(segment.nodeId) ? { ...unexplained(segment), ...purged(segment) } : segment;
      case 'fetched': {
        const head = gone.has(segment.nodeId) || isTitledAnew(topics, segment) ? PURGED : segment.head;
        return gone.has(segment.nodeId) ? { ...unexplained(segment), ...purged(segment), head } : { ...segment, head };
      }
      case 'memory':
        return segment.from.some((id) => gone.has(id)) ? { ...segment, text: PURGED } : segment;
      default:
        return segment;
    }
  }),
});

/** What was sent of a turn in other words than its own. */
const purged = ({ message, reply }: { message?: string | null | undefined; reply?: string | null | undefined }) => ({
  ...(typeof message === 'string' && { message: PURGED }),
  ...(typeof reply === 'string' && { reply: PURGED }),
});

/** Without the words that it shared with the message. */
const unexplained = <S extends { why?: Why[] | undefined }>(segment: S): S =>
  segment.why === undefined ? segment : { ...segment, why: segment.why.map(({ reason }) => ({ reason })) };

/** Whether what says where a turn comes from holds a title that is made of such words. */
const isTitledAnew = (topics: Topics, { treeId, head }: { treeId?: string | undefined; head: string }): boolean => {
  if (treeId === undefined) return false;
  const titles = topics.titles.get(treeId);
  return topics.trees.has(treeId) || [...(titles?.since ?? [])].some((title) => head.includes(title));
};

const bare = (decision: Decision): Decision => ({ ...decision, trace: null });

const untitled = (decision: Decision, topics: Topics): Decision => {
  const { trace } = decision;
  if (trace === null) return decision;
  const candidates = trace.topic.candidates.map((one) => ({
    ...one,
    title: titleWithout(topics, one.treeId, one.title),
  }));
  return { ...decision, trace: { ...trace, topic: { ...trace.topic, candidates } } };
};

/** Every text of an event, however deep, without the quotations. */
const withoutQuotes = (value: unknown, clean: (text: string) => string): unknown => {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => withoutQuotes(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutQuotes(inner, clean)]));
};
