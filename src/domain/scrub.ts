import type { Entry } from './entry.ts';
import type { PlacedTurn } from './event-kind.ts';
import { type Event, type EventOf, kindOf, placementsOf } from './event-kinds.ts';
import { type BranchId, type Forest, type NodeId, RECALL, type StepId, type TreeId } from './forest.ts';
import { PURGED, type Purge } from './purge.ts';

/**
 * Returns the log without the words of some turns: messages, replies, summaries, notes, titles derived from them, and
 * quotations in contexts, traces and later replies, and all later prompts. Its entries, their order and all ids stay.
 */
export const scrub = (entries: readonly Entry[], nodeIds: readonly NodeId[]): Entry[] =>
  entries.map(scrubber(entries, nodeIds));

/** Does the same one entry at a time, which have to be given in their order, so that the page can draw in between. */
export const scrubber = (entries: readonly Entry[], nodeIds: readonly NodeId[]): ((entry: Entry) => Entry) => {
  const turns = new Set(nodeIds);
  const purge = purgeOf(entries, turns);
  const quotesIn = quotesOf(ownTexts(entries, turns));
  const clean = (text: string): string => replaced(text, quotesIn(text), PURGED);
  const pieceOf = piecesWithoutQuotes(entries, quotesIn);
  let isLater = false;
  return (entry) => {
    const piece = pieceOf(entry);
    const event = piece === undefined ? entry.event : ({ ...entry.event, text: piece } as Event);
    const { words } = kindOf(event);
    isLater ||= event.type === 'message-sent' && turns.has(event.nodeId);
    const own = words === null ? withoutName(event, entry.step, purge.isDerived) : words.without(event, purge);
    // A piece has no other text, and that is already clean.
    const without = piece === undefined ? (withoutQuotes(own, clean) as Event) : own;
    return { ...entry, event: isLater ? withoutPrompts(without) : without };
  };
};

/** Without the name of a conversation that came with it: one by the person is a step of its own, and stays. */
const withoutName = (event: Event, step: StepId | null, isDerived: (name: string) => boolean): Event => {
  if (event.type !== 'conversation-titled' || event.title === null) return event;
  const cameWithIt = step === null || step.includes(':import ');
  return cameWithIt && isDerived(event.title) ? { ...event, title: null } : event;
};

/** Whether these entries include a purge, which changes those before it and cannot be undone. */
export const holdsPurge = (entries: readonly Entry[]): boolean =>
  entries.some(({ event }) => event.type === 'turns-purged');

/** The message of a turn that was deleted or undone, if this entry has one: it is still in the log. */
export const messageNotShown = (
  { nodes, pending }: Forest,
  { event }: Entry,
): { readonly nodeId: NodeId; readonly message: string } | null => {
  if (event.type !== 'message-sent' || event.message === PURGED) return null;
  const { nodeId, message } = event;
  return nodes[nodeId] === undefined && pending[nodeId] === undefined ? { nodeId, message } : null;
};

/**
 * Removes what language models were asked, and what they answered, however deeply nested: a prompt holds words of earlier
 * turns, their titles and summaries, too short to be known for a quotation. `goes`: whether one with these texts has to go.
 */
export const withoutPrompts = <T>(value: T, goes: (texts: readonly string[]) => boolean = () => true): T =>
  promptless(value, goes) as T;

const promptless = (value: unknown, goes: (texts: readonly string[]) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => promptless(item, goes));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, promptless(inner, goes)]));
  const { prompt, ...others } = fields;
  if (!Array.isArray(prompt)) return fields;
  const answers = typeof others.raw === 'string' ? [others.raw] : [];
  if (!goes([...prompt.map(({ content }: { content: string }) => content), ...answers])) return fields;
  return answers.length > 0 ? { ...others, raw: PURGED } : others;
};

/**
 * The words of the turns to be purged. A reply arrives in pieces, and a sentence may span two of them. One by `recall` has
 * no words of its own: it says what others said, in sentences that are the same each time.
 */
const ownTexts = (entries: readonly Entry[], turns: ReadonlySet<NodeId>): string[] => {
  const texts: string[] = [];
  const replies = new Map<string, string>();
  const quoting = new Set<string>();
  for (const { event } of entries) {
    if (!('nodeId' in event) || !turns.has(event.nodeId)) continue;
    if (event.type === 'reply-started' && event.model === RECALL) quoting.add(event.replyId);
    if (event.type === 'reply-received' && quoting.has(event.replyId)) continue;
    const own = kindOf(event).words?.own(event) ?? [];
    if (event.type !== 'reply-received') texts.push(...own);
    else replies.set(event.replyId, [replies.get(event.replyId), ...own].join(''));
  }
  return [...texts, ...replies.values()];
};

/** `isDerived`: whether the name that a conversation came with is one of its titles that go, or has words of these turns. */
const purgeOf = (
  entries: readonly Entry[],
  turns: ReadonlySet<NodeId>,
): Purge & { readonly isDerived: (name: string) => boolean } => {
  const trees = new Set<TreeId>();
  const branches = new Set<BranchId>();
  const titles = new TitleHistory();
  const mayCarry = new Ancestors(turns);
  const here = new Whereabouts();
  const [topicTitles, branchTitles] = [new OtherTitles(), new OtherTitles()];
  for (const entry of entries) {
    const { event } = entry;
    here.note(entry);
    for (const placed of placementsOf(event)) {
      const { treeId, branchId, parentId } = placed.placement;
      if (turns.has(placed.nodeId)) {
        // Titles of topics and branches that began with such a turn are derived from its words.
        if (parentId === null) trees.add(treeId);
        branches.add(branchId);
        titles.joined(treeId);
        topicTitles.joined(treeId, [placed.nodeId]);
        branchTitles.joined(branchId, [placed.nodeId]);
      } else if (placed.withSubtree && mayCarry.has(placed.nodeId)) {
        titles.joined(treeId);
        topicTitles.joined(treeId, turns);
        branchTitles.joined(branchId, turns);
      }
      mayCarry.note(placed);
    }
    if (event.type === 'topic-titled') {
      titles.note(event);
      topicTitles.note(event.treeId, event.title, here);
    } else if (event.type === 'branch-titled') branchTitles.note(event.branchId, event.title ?? '', here);
  }
  const tells = wordsOnlyOf(entries, turns, [...topicTitles.derived, ...branchTitles.derived]);
  return {
    turns,
    branchTitle: (branchId, title) =>
      !branches.has(branchId) || (branchTitles.has(branchId, title) && !tells(title)) ? title : PURGED,
    title: (treeId, title) => {
      if (!trees.has(treeId)) return titles.without(treeId, title);
      return topicTitles.has(treeId, title) && !tells(title) ? title : PURGED;
    },
    holdsTitle: (treeId, text) => trees.has(treeId) || titles.heldBy(treeId, text),
    isDerived: (name) => topicTitles.derived.includes(name) || tells(name),
  };
};

/** Which turns are gone from the forest at a moment. A turn that went along with another one counts as still there. */
class Whereabouts {
  /** The steps that placed a turn and that deleted it. */
  readonly #placed = new Map<NodeId, StepId | null>();
  readonly #deleted = new Map<NodeId, (StepId | null)[]>();
  readonly #undone = new Set<StepId | null>();

  note({ event, step }: Entry): void {
    if (event.type === 'undone') this.#undone.add(event.step);
    else if (event.type === 'redone') this.#undone.delete(event.step);
    else if (event.type === 'turn-placed') this.#placed.set(event.nodeId, step);
    else if (event.type === 'turns-deleted' || event.type === 'turns-purged') this.#delete(event.nodeIds, step);
    else if (event.type === 'turn-extracted' && event.placement === null) this.#delete([event.nodeId], step);
  }

  isGone(id: NodeId): boolean {
    const deletions = this.#deleted.get(id) ?? [];
    return this.#undone.has(this.#placed.get(id) ?? null) || deletions.some((step) => !this.#undone.has(step));
  }

  #delete(ids: readonly NodeId[], step: StepId | null): void {
    for (const id of ids) this.#deleted.set(id, [...(this.#deleted.get(id) ?? []), step]);
  }
}

/** The titles of topics, or of branches, that were given while none of the turns to be purged was there. */
class OtherTitles {
  /** The titles given while one was. */
  readonly derived: string[] = [];
  readonly #turnsOf = new Map<string, Set<NodeId>>();
  readonly #isOther = new Map<string, Map<string, boolean>>();

  joined(id: string, turns: Iterable<NodeId>): void {
    const known = this.#turnsOf.get(id) ?? new Set();
    for (const turn of turns) known.add(turn);
    this.#turnsOf.set(id, known);
  }

  note(id: string, title: string, here: Whereabouts): void {
    const titles = this.#isOther.get(id) ?? new Map<string, boolean>();
    const turns = [...(this.#turnsOf.get(id) ?? [])];
    const isOther = titles.get(title) !== false && turns.every((turn) => here.isGone(turn));
    this.#isOther.set(id, titles.set(title, isOther));
    if (!isOther) this.derived.push(title);
  }

  has(id: string, title: string): boolean {
    return this.#isOther.get(id)?.get(title) === true;
  }
}

/** Returns whether a text has a word that is found only in what these turns said, or in these titles. */
const wordsOnlyOf = (
  entries: readonly Entry[],
  turns: ReadonlySet<NodeId>,
  titles: readonly string[],
): ((text: string) => boolean) => {
  const keysIn = (text: string): string[] => wordsIn(text).map(({ key }) => key);
  let words: Set<string> | null = null;
  const find = (): Set<string> => {
    const found = new Set([...ownTexts(entries, turns), ...titles].flatMap(keysIn));
    for (const { event } of entries) {
      if ('nodeId' in event && turns.has(event.nodeId)) continue;
      for (const text of kindOf(event).words?.own(event) ?? []) for (const key of keysIn(text)) found.delete(key);
    }
    return found;
  };
  return (text) => {
    words ??= find();
    const known = words;
    return keysIn(text).some((key) => known.has(key));
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

/** Returns what remains of a piece of a reply that quotes across its pieces; undefined for anything else. */
const piecesWithoutQuotes = (entries: readonly Entry[], quotesIn: QuotesIn) => {
  const replies = new Map<string, { readonly seq: number; readonly text: string }[]>();
  for (const { seq, event } of entries) {
    if (event.type !== 'reply-received') continue;
    const pieces = replies.get(event.replyId);
    if (pieces === undefined) replies.set(event.replyId, [{ seq, text: event.text }]);
    else pieces.push({ seq, text: event.text });
  }
  const clean = new Map<number, string>();
  return ({ seq, event }: Entry): string | undefined => {
    if (event.type !== 'reply-received') return;
    const pieces = replies.get(event.replyId) ?? [];
    replies.delete(event.replyId);
    if (pieces.length > 1) {
      const quotes = quotesIn(pieces.map(({ text }) => text).join(''));
      let from = 0;
      for (const piece of pieces) {
        const offset = from;
        from += piece.text.length;
        const here = quotes.map(({ start, end }) => ({ start: start - offset, end: end - offset }));
        clean.set(piece.seq, replaced(piece.text, here, PURGED));
      }
    }
    return clean.get(seq);
  };
};

/** How much a sentence or line found elsewhere verbatim has to hold to be a quotation: four words, or as many symbols. */
const WHOLE = 16;
/** So much for any run of words: six. Shorter ones are too common. */
const RUN = 24;

/** From a position in a text to the one after its end, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds the quotations in a text, in order and apart. */
type QuotesIn = (text: string) => readonly Range[];

const quotesOf = (texts: readonly string[]): QuotesIn => {
  const passages = new Set(texts.flatMap(passagesOf));
  const runs = new Set(texts.flatMap((text) => runsIn(text).map(({ key }) => key)));
  if (passages.size === 0 && runs.size === 0) return () => [];
  return (text) => {
    const found: Range[] = runsIn(text).filter(({ key }) => runs.has(key));
    for (const passage of passages) {
      for (let start = text.indexOf(passage); start >= 0; start = text.indexOf(passage, start + 1)) {
        found.push({ start, end: start + passage.length });
      }
    }
    return merged(found);
  };
};

const merged = (ranges: readonly Range[]): Range[] => {
  const apart: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || range.start > last.end) apart.push(range);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return apart;
};

/** The text with `mark` in place of each range; of one that began in a text before this one, nothing is left. */
const replaced = (text: string, ranges: readonly Range[], mark: string): string => {
  let clean = '';
  let from = 0;
  for (const { start, end } of ranges) {
    if (end <= 0 || start >= text.length) continue;
    clean += text.slice(from, Math.max(0, start)) + (start < 0 ? '' : mark);
    from = end;
  }
  return clean + text.slice(from);
};

/** Returns a function that replaces quotations of some texts with `mark`. */
export const withoutQuotesOf = (texts: readonly string[], mark: string): ((text: string) => string) => {
  const quotesIn = quotesOf(texts);
  return (text) => replaced(text, quotesIn(text), mark);
};

const passagesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?…؟۔।॥])\s+|(?<=[。！？])|\n+/)
    .map((passage) => passage.trim())
    .filter((passage) => passage.split(/\s+/).length >= 4 || weightOf(passage) >= WHOLE);

const weightOf = (text: string): number => wordsIn(text).reduce((sum, { weight }) => sum + weight, 0);

interface Word extends Range {
  readonly key: string;
  /** A word between spaces is 4; a character of a script that does not space its words is less than a word. */
  readonly weight: number;
}

const IDEOGRAM = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = new RegExp(
  `${IDEOGRAM.source}|${UNSPACED.source}|[\\p{L}\\p{N}](?:(?!${IDEOGRAM.source}|${UNSPACED.source})[\\p{L}\\p{M}\\p{N}'’-])*`,
  'gu',
);

/** Words without surrounding punctuation: a quotation may end differently from its original. */
const wordsIn = (text: string): Word[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    key: word.toLowerCase(),
    weight: UNSPACED.test(word) ? 1 : IDEOGRAM.test(word) ? 2 : 4,
    start: index,
    end: index + word.length,
  }));

/** From each word on, the shortest run that is long enough. */
const runsIn = (text: string): (Range & { readonly key: string })[] => {
  const words = wordsIn(text);
  const runs: (Range & { readonly key: string })[] = [];
  let after = 0;
  let weight = 0;
  for (const [first, { start, weight: own }] of words.entries()) {
    while (weight < RUN && after < words.length) weight += words[after++]?.weight ?? 0;
    if (weight < RUN) break;
    const run = words.slice(first, after);
    runs.push({ start, end: run.at(-1)?.end ?? start, key: run.map(({ key }) => key).join(' ') });
    weight -= own;
  }
  return runs;
};
