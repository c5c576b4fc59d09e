import { apply } from '../../domain/apply.ts';
import type { Entry } from '../../domain/entry.ts';
import { type EventOf, isPlain } from '../../domain/event-kinds.ts';
import { emptyForest, type Forest, type NodeId, type PendingTurn } from '../../domain/forest.ts';
import { replyText } from '../context/context-text.ts';
import { EngineCore, type EngineParts } from '../core.ts';
import type { ComparedMessage } from '../place/compared-message.ts';
import { decide } from '../place/decide.ts';
import { Stopwatch } from '../tasks.ts';
import { contextFor } from '../turn/reply.ts';
import { hasAnotherSecond, isByHand, MemoryLog, ReusedIds, reapply } from './re-run-log.ts';
import { type DecidingModels, type RerunModels, settingsFor } from './re-run-models.ts';
import { type LeftOut, leftOut, type RerunWatch, type WhatIf } from './what-if.ts';

/** What a conversation would have come to. */
export interface Rerun {
  readonly question: WhatIf;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
  /** Turns that were decided anew, those undone later among them. */
  readonly decided: ReadonlySet<NodeId>;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Goes through a log in order into a new one in memory. Up to `question.from` it is the same; from there on each message
 * that the engine placed is decided anew, and everything else is as it was: replies, summaries and what the person
 * did. The ids of turns are the same. The log given is only read. Rejects if the signal fires.
 */
export const rerun = async (
  shared: RerunModels,
  entries: readonly Entry[],
  question: WhatIf,
  watch: RerunWatch,
): Promise<Rerun> => {
  const run = new Run(shared, entries, question, watch);
  await run.through(entries);
  return run.result();
};

class Run {
  readonly #shared: RerunModels;
  readonly #question: WhatIf;
  readonly #watch: RerunWatch;
  /** The original as it was at the entry that is gone through. */
  readonly #original: Forest = emptyForest();
  readonly #log = new MemoryLog();
  readonly #ids: ReusedIds;
  readonly #core: EngineCore;
  readonly #leftOut: LeftOut[] = [];
  readonly #decided = new Set<NodeId>();
  /** Turns whose words are gone: nothing can be decided about them. */
  readonly #purged: ReadonlySet<NodeId>;
  #asked: DecidingModels | null = null;
  #settings;
  #near: { readonly of: NodeId; readonly near: ComparedMessage } | null = null;
  #at = 0;

  constructor(shared: RerunModels, entries: readonly Entry[], question: WhatIf, watch: RerunWatch) {
    const { parts } = shared;
    this.#shared = shared;
    this.#question = question;
    this.#watch = watch;
    this.#ids = new ReusedIds(parts.newId);
    this.#purged = new Set(entries.flatMap(({ event }) => (event.type === 'turns-purged' ? event.nodeIds : [])));
    this.#settings = settingsFor(null, question, shared.settingsKnown(question));
    const embed = shared.embedder(question);
    this.#core = new EngineCore(
      {
        models: () => ({ ...shared.models, embed, ...this.#asked?.models }),
        embedded: embeddedThen(parts.embedded, () => this.#asked),
        vectors: parts.vectors,
        settings: () => this.#settings,
        now: parts.now,
        newId: parts.newId,
      },
      {
        forest: () => this.#log.forest,
        commit: async (intent) => this.#log.commit(intent, this.#at),
        received: () => undefined,
        phase: () => undefined,
      },
    );
  }

  async through(entries: readonly Entry[]): Promise<void> {
    const { from } = this.#question;
    const begins = entries.findIndex(({ event }) => event.type === 'message-sent' && event.nodeId === from);
    const start = Math.max(0, begins);
    const of = entries.slice(start).filter(({ event }) => event.type === 'turn-placed').length;
    let done = 0;
    for (const [at, entry] of entries.entries()) {
      this.#at = entry.at;
      if (at < start) this.#log.take(entry);
      else await this.#goOn(entry);
      apply(this.#original, entry);
      if (entry.event.type === 'turn-placed') {
        this.#ids.note(this.#log.now);
        if (at >= start) this.#watch.progress(++done, of);
      }
      await this.#watch.breathe();
      this.#watch.signal.throwIfAborted();
    }
  }

  result(): Rerun {
    const { entries, forest } = this.#log;
    return { question: this.#question, entries, forest, decided: this.#decided, leftOut: this.#leftOut };
  }

  async #goOn(entry: Entry): Promise<void> {
    const { event, step } = entry;
    if (isByHand(entry)) return this.#carryOut(entry);
    switch (event.type) {
      case 'message-sent':
        return this.#send(entry, event);
      case 'turn-placed':
        return this.#place(event);
      // Made anew with each context.
      case 'overview-built':
        return;
      case 'reply-started':
        return this.#startReply(entry, event);
      case 'summarised':
        this.#log.commit({ type: 'record', event, step }, entry.at);
        return this.#titleNewRoot(event.nodeId);
      case 'topic-titled': {
        if (event.by === 'engine' && hasAnotherSecond(this.#original, this.#log.now, event.treeId)) return;
        const titled = reapply(entry, this.#original, this.#log.now, this.#ids);
        if (titled.intent !== null) this.#log.commit(titled.intent, entry.at);
        return;
      }
      case 'undone':
        if (this.#log.now.history.past.at(-1)?.id === event.step) this.#log.commit({ type: 'undo' }, entry.at);
        return;
      case 'redone':
        if (this.#log.now.history.future.at(-1)?.id === event.step) this.#log.commit({ type: 'redo' }, entry.at);
        return;
      case 'reply-ended': {
        // What the model had in its cache then says nothing about the context of now.
        const usage = event.usage && { usage: { ...event.usage, prefilled: null, reused: null } };
        this.#log.commit({ type: 'record', event: { ...event, ...usage }, step }, entry.at);
        return;
      }
      default:
        // Refused where the turn is not there: then there is nothing to say about it.
        if (isPlain(event)) this.#log.commit({ type: 'record', event, step }, entry.at);
    }
  }

  #carryOut(entry: Entry): void {
    const { event } = entry;
    // A turn that two of a step's events take out: the second does nothing.
    if (event.type === 'turn-extracted' && this.#original.nodes[event.nodeId] === undefined) return;
    if (this.#question.byHand === 'left-out') return void this.#leftOut.push(leftOut(entry, 'wanted'));
    const done = reapply(entry, this.#original, this.#log.now, this.#ids);
    if (done.intent === null) return void this.#leftOut.push(leftOut(entry, done.why));
    const handled = this.#log.commit(done.intent, entry.at);
    // Whoever goes where the conversation stands already has no less for it.
    if (!handled.ok && !(event.type === 'activated' && handled.refusal === 'already-there')) {
      this.#leftOut.push(leftOut(entry, handled.refusal));
    } else if (done.instead !== undefined) this.#leftOut.push(leftOut(entry, done.instead));
    this.#ids.note(this.#log.now);
  }

  #send(entry: Entry, event: EventOf<'message-sent'>): void {
    const { target } = event;
    const gone = target?.kind === 'under' && this.#log.now.nodes[target.nodeId] === undefined;
    if (gone) this.#leftOut.push(leftOut(entry, 'not-there'));
    this.#log.commit({ type: 'record', event: gone ? { ...event, target: null } : event, step: entry.step }, entry.at);
  }

  async #place(event: EventOf<'turn-placed'>): Promise<void> {
    const { nodeId, placement, decision } = event;
    const pending = this.#log.now.pending[nodeId];
    if (pending === undefined) return;
    const fresh = this.#ids.like(placement);
    const fixed = this.#purged.has(nodeId) || (decision.by === 'person' && pending.target === null);
    if (fixed) {
      const parentId = this.#nearestAbove(placement.parentId);
      this.#log.commit({ type: 'place', nodeId, parentId, fresh, decision }, this.#at);
      return;
    }
    const { near, ...decided } = await this.#decide(pending, event);
    this.#near = { of: nodeId, near };
    this.#decided.add(nodeId);
    this.#log.commit({ type: 'place', nodeId, fresh, ...decided }, this.#at);
  }

  async #decide(pending: PendingTurn, { decision }: EventOf<'turn-placed'>) {
    const question = this.#question;
    this.#settings = settingsFor(decision.trace, question, this.#shared.settingsKnown(question));
    this.#asked = await this.#shared.deciders.asked(question.decider, pending.at);
    return decide(this.#core, pending, new Stopwatch(this.#core.parts.now), this.#watch.signal);
  }

  /** Of a turn that is there, itself. */
  #nearestAbove(nodeId: NodeId | null): NodeId | null {
    let id = nodeId;
    while (id !== null && this.#log.now.nodes[id] === undefined) id = this.#original.nodes[id]?.parentId ?? null;
    return id;
  }

  async #startReply(entry: Entry, event: EventOf<'reply-started'>): Promise<void> {
    const { nodeId } = event;
    const node = this.#log.now.nodes[nodeId];
    if (node === undefined) return;
    const context = event.context === null ? null : await this.#contextFor(nodeId, node.message);
    this.#log.commit({ type: 'record', event: { ...event, context }, step: entry.step }, entry.at);
  }

  async #contextFor(nodeId: NodeId, message: string) {
    const { signal } = this.#watch;
    const near = this.#near?.of === nodeId ? this.#near.near : await this.#core.compareMessage(message, signal, []);
    const { chat } = this.#shared.models;
    return contextFor(this.#core, { nodeId, near, chat, stopwatch: new Stopwatch(this.#core.parts.now) });
  }

  /** A turn that opens a topic here and did not then has no title in the log. */
  async #titleNewRoot(nodeId: NodeId): Promise<void> {
    const node = this.#log.now.nodes[nodeId];
    const rootThen = this.#original.nodes[nodeId]?.parentId === null;
    if (node === undefined || node.parentId !== null || rootThen) return;
    const turn = { message: node.message, reply: replyText(node) };
    const title = await this.#shared.parts.embedded.summarise.title(turn);
    const event = { type: 'topic-titled' as const, treeId: node.treeId, title, by: 'engine' as const };
    this.#log.commit({ type: 'record', event, step: null }, this.#at);
  }
}

/** The decider that stands in is another at each moment, too. */
const embeddedThen = (
  { chat, decide: now, summarise }: EngineParts['embedded'],
  asked: () => DecidingModels | null,
) => ({
  chat,
  summarise,
  get decide() {
    return asked()?.embedded ?? now;
  },
});
