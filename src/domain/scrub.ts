import type { Entry } from './entry.ts';
import { type Event, kindOf } from './event-kinds.ts';
import type { NodeId, TreeId } from './forest.ts';
import { PURGED, type Purge } from './purge.ts';

/**
 * The same log without the words of some turns: messages, replies, summaries, notes, titles made of them, and what
 * contexts, traces and later replies quote of them. Its entries, their order and every id stay.
 */
export const scrub = (entries: readonly Entry[], nodeIds: readonly NodeId[]): Entry[] => {
  const turns = new Set(nodeIds);
  const purge = purgeOf(entries, turns);
  const clean = withoutQuotesOf(ownTexts(entries, turns), PURGED);
  return entries.map((entry) => {
    const { event } = entry;
    const { words } = kindOf(event);
    return { ...entry, event: withoutQuotes(words === null ? event : words.without(event, purge), clean) as Event };
  });
};

/** The words of turns that are to go. A reply comes in pieces, and a sentence may stand across two. */
const ownTexts = (entries: readonly Entry[], turns: ReadonlySet<NodeId>): string[] => {
  const texts: string[] = [];
  const replies = new Map<string, string>();
  for (const { event } of entries) {
    if (!('nodeId' in event) || !turns.has(event.nodeId)) continue;
    const own = kindOf(event).words?.own(event) ?? [];
    if (event.type !== 'reply-received') texts.push(...own);
    else replies.set(event.replyId, [replies.get(event.replyId), ...own].join(''));
  }
  return [...texts, ...replies.values()];
};

const purgeOf = (entries: readonly Entry[], turns: ReadonlySet<NodeId>): Purge => {
  const trees = new Set<TreeId>();
  const branches = new Set<string>();
  const titles = new Map<TreeId, Titles>();
  for (const { event } of entries) {
    if (event.type === 'turn-placed' && turns.has(event.nodeId)) {
      // Titles of topics and branches that began with such a turn are made of its words.
      if (event.placement.parentId === null) trees.add(event.placement.treeId);
      branches.add(event.placement.branchId);
    }
    noteTitles(titles, event, turns);
  }
  const madeOfThem = (treeId: TreeId) => titles.get(treeId)?.since ?? new Set<string>();
  return {
    turns,
    hasBranch: (branchId) => branches.has(branchId),
    title: (treeId, title) => {
      if (trees.has(treeId)) return PURGED;
      return madeOfThem(treeId).has(title) ? (titles.get(treeId)?.before ?? PURGED) : title;
    },
    holdsTitle: (treeId, text) => trees.has(treeId) || [...madeOfThem(treeId)].some((title) => text.includes(title)),
  };
};

/** The titles of a topic that such a turn came to later. */
interface Titles {
  /** The last one from before it came. */
  before: string;
  came: boolean;
  /** Those that the engine has made since: the second turn of a topic has a part in its title. */
  readonly since: Set<string>;
}

const noteTitles = (titles: Map<TreeId, Titles>, event: Event, turns: ReadonlySet<NodeId>): void => {
  const of = (treeId: TreeId): Titles => {
    const found = titles.get(treeId) ?? { before: PURGED, came: false, since: new Set() };
    titles.set(treeId, found);
    return found;
  };
  if ((event.type === 'turn-placed' || event.type === 'turn-moved') && turns.has(event.nodeId)) {
    of(event.placement.treeId).came = true;
  }
  if (event.type !== 'topic-titled') return;
  const known = of(event.treeId);
  if (!known.came || event.by === 'person') known.before = event.title;
  else if (event.title !== known.before) known.since.add(event.title);
};

/** Every text of an event, however deep, without the quotations. */
const withoutQuotes = (value: unknown, clean: (text: string) => string): unknown => {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => withoutQuotes(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutQuotes(inner, clean)]));
};

/** A sentence or line this long, in words, that stands elsewhere word for word is a quotation. */
const WHOLE = 4;
/** So is any run of words this long. Shorter ones are anybody's. */
const RUN = 6;

/** Takes what is quoted of some texts out of others; `mark` stands where it was. */
export const withoutQuotesOf = (texts: readonly string[], mark: string): ((text: string) => string) => {
  const passages = new Set(texts.flatMap(passagesOf));
  const runs = new Set(texts.flatMap((text) => runsOf(wordsIn(text).map(({ key }) => key))));
  if (passages.size === 0 && runs.size === 0) return (text) => text;
  const longestFirst = [...passages].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const passage of longestFirst) if (clean.includes(passage)) clean = clean.replaceAll(passage, mark);
    return withoutRuns(clean, runs, mark);
  };
};

const passagesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?…])\s+|\n+/)
    .map((passage) => passage.trim())
    .filter((passage) => passage.split(/\s+/).length >= WHOLE);

interface Word {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Words without the marks around them: a quotation may end otherwise than what it quotes. */
const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)].map(({ 0: word, index }) => ({
    key: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));

const runsOf = (words: readonly string[]): string[] =>
  words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN).join(' '));

const withoutRuns = (text: string, runs: ReadonlySet<string>, mark: string): string => {
  const words = wordsIn(text);
  const keys = runsOf(words.map(({ key }) => key));
  const quoted = words.map((_, i) => keys.slice(Math.max(0, i - RUN + 1), i + 1).some((key) => runs.has(key)));
  if (!quoted.includes(true)) return text;
  let clean = '';
  let from = 0;
  words.forEach(({ start, end }, i) => {
    if (!quoted[i]) return;
    if (!quoted[i - 1]) clean += text.slice(from, start) + mark;
    from = end;
  });
  return clean + text.slice(from);
};
