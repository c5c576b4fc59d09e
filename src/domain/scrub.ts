import type { Entry } from './entry.ts';
import type { PlacedTurn } from './event-kind.ts';
import { type Event, type EventOf, kindOf, placementsOf } from './event-kinds.ts';
import type { NodeId, TreeId } from './forest.ts';
import { PURGED, type Purge } from './purge.ts';

/**
 * Returns the log without the words of some turns: messages, replies, summaries, notes, titles derived from them, and
 * quotations in contexts, traces and later replies, and all later prompts. Its entries, their order and all ids stay.
 */
export const scrub = (entries: readonly Entry[], nodeIds: readonly NodeId[]): Entry[] => {
  const turns = new Set(nodeIds);
  const purge = purgeOf(entries, turns);
  const clean = withoutQuotesOf(ownTexts(entries, turns), PURGED);
  let isLater = false;
  return entries.map((entry) => {
    const { event } = entry;
    const { words } = kindOf(event);
    isLater ||= event.type === 'message-sent' && turns.has(event.nodeId);
    const without = withoutQuotes(words === null ? event : words.without(event, purge), clean);
    return { ...entry, event: (isLater ? withoutPrompts(without) : without) as Event };
  });
};

/**
 * Removes what language models were asked, and what they answered, however deeply nested: a prompt holds words of earlier
 * turns, their titles and summaries, too short to be known for a quotation.
 */
const withoutPrompts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrompts);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutPrompts(inner)]));
  if (!Array.isArray(fields.prompt)) return fields;
  const { prompt: _, ...others } = fields;
  return typeof others.raw === 'string' ? { ...others, raw: PURGED } : others;
};

/** The words of the turns to be purged. A reply arrives in pieces, and a sentence may span two of them. */
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
  const titles = new TitleHistory();
  const mayCarry = new Ancestors(turns);
  for (const { event } of entries) {
    for (const placed of placementsOf(event)) {
      const { treeId, branchId, parentId } = placed.placement;
      if (turns.has(placed.nodeId)) {
        // Titles of topics and branches that began with such a turn are derived from its words.
        if (parentId === null) trees.add(treeId);
        branches.add(branchId);
        titles.joined(treeId);
      } else if (placed.withSubtree && mayCarry.has(placed.nodeId)) titles.joined(treeId);
      mayCarry.note(placed);
    }
    if (event.type === 'topic-titled') titles.note(event);
  }
  return {
    turns,
    hasBranch: (branchId) => branches.has(branchId),
    title: (treeId, title) => (trees.has(treeId) ? PURGED : titles.without(treeId, title)),
    holdsTitle: (treeId, text) => trees.has(treeId) || titles.heldBy(treeId, text),
  };
};

/** The turns that some turns have ever been below: where one of these was moved, they may have been moved along. */
class Ancestors {
  readonly #of: ReadonlySet<NodeId>;
  readonly #found = new Set<NodeId>();
  readonly #parents = new Map<NodeId, NodeId | null>();

  constructor(of: ReadonlySet<NodeId>) {
    this.#of = of;
  }

  has(id: NodeId): boolean {
    return this.#found.has(id);
  }

  note({ nodeId, placement: { parentId } }: PlacedTurn): void {
    this.#parents.set(nodeId, parentId);
    if (!this.#of.has(nodeId) && !this.#found.has(nodeId)) return;
    for (let id = parentId; id !== null && !this.#found.has(id); id = this.#parents.get(id) ?? null)
      this.#found.add(id);
  }
}

/** The titles of a topic that a turn to be purged may have joined. */
interface Titles {
  /** The last one from before the turn joined. */
  before: string;
  joined: boolean;
  /** The engine's titles since then: the second turn of a topic influences its title. */
  readonly since: Set<string>;
}

class TitleHistory {
  readonly #titles = new Map<TreeId, Titles>();

  joined(treeId: TreeId): void {
    this.#of(treeId).joined = true;
  }

  note({ treeId, title, by }: EventOf<'topic-titled'>): void {
    const known = this.#of(treeId);
    if (!known.joined || by === 'person') known.before = title;
    else if (title !== known.before) known.since.add(title);
  }

  /** The title itself, or the last one from before if it is derived from such a turn. */
  without(treeId: TreeId, title: string): string {
    const known = this.#titles.get(treeId);
    return known?.since.has(title) === true ? known.before : title;
  }

  heldBy(treeId: TreeId, text: string): boolean {
    return [...(this.#titles.get(treeId)?.since ?? [])].some((title) => text.includes(title));
  }

  #of(treeId: TreeId): Titles {
    const found = this.#titles.get(treeId) ?? { before: PURGED, joined: false, since: new Set() };
    this.#titles.set(treeId, found);
    return found;
  }
}

/** Removes quotations from every string of an event, however deeply nested. */
const withoutQuotes = (value: unknown, clean: (text: string) => string): unknown => {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => withoutQuotes(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutQuotes(inner, clean)]));
};

/** A sentence or line of at least this many words found elsewhere verbatim is a quotation. */
const WHOLE = 4;
/** So is any run of this many words. Shorter ones are too common. */
const RUN = 6;

/** Returns a function that replaces quotations of some texts with `mark`. */
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

/** Words without surrounding punctuation: a quotation may end differently from its original. */
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
