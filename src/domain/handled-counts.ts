import type { Entry } from './entry.ts';
import { kindOf } from './event-kinds.ts';
import type { NodeId, ReplyId } from './forest.ts';

interface CountingState {
  readonly taken: number;
  readonly current: NodeId | null;
  readonly replyId: ReplyId | null;
}

/** The complete state as plain JSON. */
interface WholeCounts extends CountingState {
  readonly counts: Iterable<readonly [NodeId, number]>;
}

/** The form stored beside a forest. */
export interface StoredCounts extends CountingState {
  /** For the forest's turns, by index; 0 if unknown. */
  readonly counts: readonly number[];
  /** For turns that are not in the forest. */
  readonly others: readonly (readonly [NodeId, number])[];
}

/** Turns handled per chunk. */
const PART = 1_024;

/**
 * For each turn ever sent, the entry count at which everything triggered by sending it was in the log. What the person
 * did to it later (another reply, a correction) comes after that point.
 */
export class HandledCounts {
  /** The counts this one continues from, which stay unchanged. */
  readonly #before: HandledCounts | null;
  readonly #counts: Map<NodeId, number>;
  /** What was restored, below `#counts`. */
  #kept: KeptCounts | null = null;
  #taken: number;
  #last: Entry | undefined;
  #current: NodeId | null;
  #replyId: ReplyId | null;

  /** Continues from another instance of the same log. */
  constructor(before: HandledCounts | WholeCounts | null = null) {
    const goesOn = before instanceof HandledCounts;
    this.#before = goesOn ? before : null;
    this.#counts = new Map(before === null || goesOn ? [] : before.counts);
    this.#taken = (goesOn ? before.#taken : before?.taken) ?? 0;
    this.#current = (goesOn ? before.#current : before?.current) ?? null;
    this.#replyId = (goesOn ? before.#replyId : before?.replyId) ?? null;
  }

  /** `at`: where the turn was probably listed in the forest that the counts were stored beside, which makes it faster. */
  countOf(nodeId: NodeId, at?: number): number | undefined {
    return this.#counts.get(nodeId) ?? this.#kept?.countOf(nodeId, at) ?? this.#before?.countOf(nodeId, at);
  }

  /** Whether a log begins with everything taken so far, if anything was. */
  goesOnIn(entries: readonly Entry[]): boolean {
    return this.#taken > 0 && entries.length >= this.#taken && entries[this.#taken - 1] === this.#last;
  }

  /** Takes the entries of a log not taken yet, up to `until`, and returns the turns whose count has changed. */
  take(entries: readonly Entry[], until = entries.length): ReadonlySet<NodeId> {
    const touched = new Set<NodeId>();
    while (this.#taken < until) {
      const nodeId = this.takeNext(entries[this.#taken] as Entry);
      if (nodeId !== null) touched.add(nodeId);
    }
    this.#last = entries[until - 1];
    return touched;
  }

  /** Takes the next entry and returns the turn whose count has changed; null if none has. */
  takeNext({ event }: Entry): NodeId | null {
    this.#taken += 1;
    if (event.type === 'message-sent') {
      this.#current = event.nodeId;
      this.#replyId = null;
    } else if (event.type === 'reply-started' && event.nodeId === this.#current) {
      if (this.#replyId === null) this.#replyId = event.replyId;
      // The person asked for another reply to the same turn: the turn had been handled.
      else this.#current = null;
    }
    if (this.#current === null || !belongs(event, this.#current)) return null;
    this.#counts.set(this.#current, this.#taken);
    return this.#current;
  }

  /** Restores what was stored beside a forest with those turns. */
  static ofKept({ counts, others, ...taken }: StoredCounts, ids: readonly NodeId[]): HandledCounts {
    const known = new HandledCounts({ ...taken, counts: others });
    known.#kept = new KeptCounts(counts, ids);
    return known;
  }

  /** The form stored beside a forest with those turns; produced in chunks, like the forest. */
  *toKeep(ids: readonly NodeId[]): Generator<undefined, StoredCounts> {
    const counts: number[] = [];
    const there = new Set<NodeId>();
    for (const [at, id] of ids.entries()) {
      if (at % PART === 0) yield;
      counts.push(this.countOf(id, at) ?? 0);
      there.add(id);
    }
    const others = [...new Map(this.#all().filter(([id]) => !there.has(id)))];
    return { counts, others, taken: this.#taken, current: this.#current, replyId: this.#replyId };
  }

  /** Inherited counts come first and may be overridden by later ones for the same turns. */
  #all(): (readonly [NodeId, number])[] {
    return [...(this.#before === null ? [] : this.#before.#all()), ...(this.#kept?.byId() ?? []), ...this.#counts];
  }

  toJSON(): WholeCounts & { readonly counts: readonly (readonly [NodeId, number])[] } {
    const counts = new Map(this.#all());
    return { counts: [...counts], taken: this.#taken, current: this.#current, replyId: this.#replyId };
  }
}

/** The counts of a stored forest's turns, by index; by id only once one is asked for whose index is not known. */
class KeptCounts {
  readonly #counts: StoredCounts['counts'];
  readonly #ids: readonly NodeId[];
  #byId: ReadonlyMap<NodeId, number> | null = null;

  constructor(counts: StoredCounts['counts'], ids: readonly NodeId[]) {
    this.#counts = counts;
    this.#ids = ids;
  }

  countOf(nodeId: NodeId, at?: number): number | undefined {
    if (at === undefined || this.#ids[at] !== nodeId) return this.byId().get(nodeId);
    return this.#counts[at] || undefined;
  }

  byId(): ReadonlyMap<NodeId, number> {
    if (this.#byId === null) {
      const byId = new Map<NodeId, number>();
      for (const [at, id] of this.#ids.entries()) {
        const count = this.#counts[at] ?? 0;
        if (count > 0) byId.set(id, count);
      }
      this.#byId = byId;
    }
    return this.#byId;
  }
}

/** Whether the engine adds this event while it handles a turn. */
const belongs = (event: Entry['event'], nodeId: NodeId): boolean => {
  const { handling } = kindOf(event);
  if (handling === null || handling === 'withdrawn' || handling === 'reply-reopened') return false;
  return event.type === 'topic-titled' ? event.by === 'engine' : 'nodeId' in event && event.nodeId === nodeId;
};
