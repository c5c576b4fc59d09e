import type { Entry } from './entry.ts';
import type { NodeId, ReplyId } from './forest.ts';

interface Taken {
  readonly taken: number;
  readonly current: NodeId | null;
  readonly replyId: ReplyId | null;
}

/** All of it as plain JSON. */
interface WholeCounts extends Taken {
  readonly counts: Iterable<readonly [NodeId, number]>;
}

/** As it is kept beside a forest. */
export interface KeptCounts extends Taken {
  /** Of the forest's turns, by their places; 0 where none is known. */
  readonly counts: readonly number[];
  /** Of turns that are not in the forest. */
  readonly others: readonly (readonly [NodeId, number])[];
}

/** Turns that are looked at in a part. */
const PART = 1_024;

/**
 * For each turn ever sent, the entry count at which all that its sending set off was in the log. What
 * the person had done to it later (another reply, a correction) comes after that moment.
 */
export class HandledCounts {
  /** Of what it went on from, which stays as it is. */
  readonly #before: HandledCounts | null;
  readonly #counts: Map<NodeId, number>;
  #taken: number;
  #last: Entry | undefined;
  #current: NodeId | null;
  #replyId: ReplyId | null;

  /** Going on from another, of the same log. */
  constructor(before: HandledCounts | WholeCounts | null = null) {
    const goesOn = before instanceof HandledCounts;
    this.#before = goesOn ? before : null;
    this.#counts = new Map(before === null || goesOn ? [] : before.counts);
    this.#taken = (goesOn ? before.#taken : before?.taken) ?? 0;
    this.#current = (goesOn ? before.#current : before?.current) ?? null;
    this.#replyId = (goesOn ? before.#replyId : before?.replyId) ?? null;
  }

  countOf(nodeId: NodeId): number | undefined {
    return this.#counts.get(nodeId) ?? this.#before?.countOf(nodeId);
  }

  /** Whether a log begins with all that was taken, if that was anything. */
  goesOnIn(entries: readonly Entry[]): boolean {
    return this.#taken > 0 && entries.length >= this.#taken && entries[this.#taken - 1] === this.#last;
  }

  /** Takes what the first so many entries of a log have after that, and says of which turns the count has changed. */
  take(entries: readonly Entry[], until = entries.length): ReadonlySet<NodeId> {
    const touched = new Set<NodeId>();
    while (this.#taken < until) {
      const nodeId = this.takeNext(entries[this.#taken] as Entry);
      if (nodeId !== null) touched.add(nodeId);
    }
    this.#last = entries[until - 1];
    return touched;
  }

  /** Takes the entry after the last that was taken: the turn whose count has changed; null where none has. */
  takeNext({ event }: Entry): NodeId | null {
    this.#taken += 1;
    if (event.type === 'message-sent') {
      this.#current = event.nodeId;
      this.#replyId = null;
    } else if (event.type === 'reply-started' && event.nodeId === this.#current) {
      if (this.#replyId === null) this.#replyId = event.replyId;
      // Another reply to the same turn: the person asked for it, the turn had been handled.
      else this.#current = null;
    }
    if (this.#current === null || !belongs(event, this.#current)) return null;
    this.#counts.set(this.#current, this.#taken);
    return this.#current;
  }

  /** What was kept beside a forest of those turns. */
  static ofKept({ counts, others, ...taken }: KeptCounts, ids: readonly NodeId[]): HandledCounts {
    const known = new HandledCounts({ ...taken, counts: others });
    for (const [at, id] of ids.entries()) {
      const count = counts[at] ?? 0;
      if (count > 0) known.#counts.set(id, count);
    }
    return known;
  }

  /** To be kept beside a forest of those turns; made in parts, as that is. */
  *toKeep(ids: readonly NodeId[]): Generator<undefined, KeptCounts> {
    const counts: number[] = [];
    const there = new Set<NodeId>();
    for (const [at, id] of ids.entries()) {
      if (at % PART === 0) yield;
      counts.push(this.countOf(id) ?? 0);
      there.add(id);
    }
    const others = [...new Map(this.#all().filter(([id]) => !there.has(id)))];
    return { counts, others, taken: this.#taken, current: this.#current, replyId: this.#replyId };
  }

  /** The counts of what it went on from may stand before others of the same turns. */
  #all(): (readonly [NodeId, number])[] {
    return [...(this.#before === null ? [] : this.#before.#all()), ...this.#counts];
  }

  toJSON(): WholeCounts & { readonly counts: readonly (readonly [NodeId, number])[] } {
    const counts = new Map(this.#all());
    return { counts: [...counts], taken: this.#taken, current: this.#current, replyId: this.#replyId };
  }
}

/** Whether an event is one that the engine adds while it handles a turn. */
const belongs = (event: Entry['event'], nodeId: NodeId): boolean => {
  switch (event.type) {
    case 'message-sent':
    case 'turn-placed':
    case 'reply-started':
    case 'reply-received':
    case 'reply-ended':
    case 'summarised':
      return event.nodeId === nodeId;
    case 'topic-titled':
      return event.by === 'engine';
    default:
      return false;
  }
};
