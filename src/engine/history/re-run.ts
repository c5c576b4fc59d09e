import { apply, settled } from '../../domain/apply.ts';
import { Own } from '../../domain/changes.ts';
import type { Placement } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import { type EventOf, isPlain, kindOf } from '../../domain/event-kinds.ts';
import {
  emptyForest,
  type Forest,
  type NodeId,
  type PendingTurn,
  type StepId,
  type TreeId,
} from '../../domain/forest.ts';
import { type FreshIds, handle, type Intent, type IntentOutcome } from '../../domain/handle.ts';
import { nodesOf } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import { replyText } from '../context/context-text.ts';
import { EngineCore, type EngineParts } from '../core.ts';
import type { ComparedMessage } from '../place/compared-message.ts';
import { decide } from '../place/decide.ts';
import { Stopwatch } from '../tasks.ts';
import { contextFor, reconsider } from '../turn/reply.ts';
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
  #again: (Pick<Awaited<ReturnType<typeof decide>>, 'again'> & { of: NodeId; parentId: NodeId | null }) | null = null;
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
    const { newId } = this.#shared.parts;
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
      case 'turn-reconsidered':
        return this.#reconsider(event.nodeId, { step: step ?? '', fresh: this.#ids.like(event.placement) });
      case 'summarised':
        await this.#reconsider(event.nodeId, {
          step: newId(),
          fresh: { treeId: newId(), branchId: newId() },
        });
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
    const { near, place, again } = await this.#decide(pending, event);
    this.#near = { of: nodeId, near };
    this.#again = { of: nodeId, parentId: place.parentId, again };
    this.#decided.add(nodeId);
    this.#log.commit({ type: 'place', nodeId, fresh, ...place }, this.#at);
  }

  /** Once a turn has been replied to, as in the conversation itself. */
  async #reconsider(nodeId: NodeId, ids: { readonly step: StepId; readonly fresh: FreshIds }): Promise<void> {
    const asked = this.#again;
    if (asked?.of !== nodeId) return;
    this.#again = null;
    await reconsider(this.#core, nodeId, asked.parentId, asked.again, ids);
    this.#ids.note(this.#log.now);
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

/** A log in memory, and the forest that it makes: nothing of it is kept anywhere. */
class MemoryLog {
  readonly entries: Entry[] = [];
  #forest: Forest = settled(emptyForest());
  /** What of it was written to since it was given last; null where that is nothing. */
  #own: Own | null = null;

  /** The forest as it is, to be read at once: what comes next changes it. */
  get now(): Forest {
    return this.#forest;
  }

  /** The forest as it is. It is never changed once it was given: see `Host.forest`. */
  get forest(): Forest {
    this.#own?.settle();
    this.#own = null;
    return this.#forest;
  }

  /** Takes an entry of another log as it is. */
  take({ at, step, event }: Entry): void {
    const entry: Entry = { v: LOG_VERSION, seq: this.entries.length + 1, at, step, event };
    if (this.#own === null) {
      this.#forest = { ...this.#forest };
      this.#own = new Own(this.#forest);
    }
    apply(this.#forest, entry, this.#own);
    this.entries.push(entry);
  }

  /** Carries an intent out as of a moment, in milliseconds since 1970. */
  commit(intent: Intent, at: number): IntentOutcome {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      this.take({ v: LOG_VERSION, seq: 0, at, step: handled.step, event });
    }
    return handled;
  }
}

/** Whether the person did it, to a forest whose turns had their places. */
const isByHand = ({ event, step }: Entry): boolean => {
  const { byHand } = kindOf(event);
  return typeof byHand === 'boolean' ? byHand : byHand(event, step);
};

/** Either what there is to carry out, or why there is nothing. */
type Reapplication =
  | { readonly intent: Intent; readonly instead?: LeftOut['why'] }
  | { readonly intent: null; readonly why: LeftOut['why'] };

/**
 * An edit by hand as an intent for a forest that may have grown otherwise. `original`: the forest in which the person did
 * it. Ids of topics and branches say nothing here: a topic is the one with the same root, a branch the one with the
 * same first turn.
 */
const reapply = (entry: Entry, original: Forest, forest: Forest, ids: ReusedIds): Reapplication => {
  const { event, step } = entry;
  if (step === null && event.type !== 'topic-titled') return { intent: null, why: 'not-there' };
  const own = step ?? '';
  switch (event.type) {
    case 'turn-moved': {
      const { nodeId, placement, label } = event;
      const node = forest.nodes[nodeId];
      const at = label?.at ?? entry.at;
      if (node !== undefined && node.parentId === placement.parentId) {
        // That the turn belongs there is what the person said, and is kept.
        return node.label === null
          ? { intent: { type: 'confirm', nodeId, at, step: own }, instead: 'not-needed' }
          : { intent: null, why: 'not-needed' };
      }
      const { parentId } = placement;
      return { intent: { type: 'move', nodeId, parentId, fresh: ids.like(placement), at, step: own } };
    }
    case 'turn-extracted': {
      const { nodeId, placement, label } = event;
      if (placement === null) return { intent: { type: 'delete', nodeIds: [nodeId], alone: true, step: own } };
      const at = label?.at ?? entry.at;
      return { intent: { type: 'extract', nodeId, fresh: ids.like(placement), at, step: own } };
    }
    case 'turns-deleted':
      return { intent: { type: 'delete', nodeIds: event.nodeIds, alone: false, step: own } };
    case 'turn-confirmed': {
      const { nodeId, label } = event;
      const here = forest.nodes[nodeId];
      if (here !== undefined && here.parentId !== label.person.parentId)
        return { intent: null, why: 'placed-otherwise' };
      return { intent: { type: 'confirm', nodeId, at: label.at, step: own } };
    }
    case 'topic-titled': {
      const rootId = original.trees[event.treeId]?.rootId;
      const root = rootId === undefined ? undefined : forest.nodes[rootId];
      if (root === undefined || root.parentId !== null) return { intent: null, why: 'not-there' };
      return { intent: { type: 'record', event: { ...event, treeId: root.treeId }, step } };
    }
    case 'branch-titled': {
      const headId = original.branches[event.branchId]?.headId;
      const branch = recordsOf(forest.branches).find((one) => one.headId === headId);
      if (branch === undefined) return { intent: null, why: 'not-there' };
      return { intent: { type: 'record', event: { ...event, branchId: branch.id }, step } };
    }
    default:
      return isPlain(event) ? { intent: { type: 'record', event, step } } : { intent: null, why: 'not-needed' };
  }
};

/** Whether a title of a topic that was made of its first two turns has the words of one that is not the second here. */
const hasAnotherSecond = (original: Forest, forest: Forest, treeId: TreeId): boolean => {
  const second = nodesOf(original, treeId)[1];
  if (second === undefined) return false;
  const here = forest.nodes[second.id];
  return here === undefined || nodesOf(forest, here.treeId)[1]?.id !== second.id;
};

/** Ids for what placements make: those that the original made at the same place, where a re-run has not used them yet. */
class ReusedIds {
  readonly #newId: () => string;
  readonly #used = new Set<string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** What the forest holds now is used. */
  note(forest: Forest): void {
    for (const id of idsOf(forest.trees)) this.#used.add(id);
    for (const id of idsOf(forest.branches)) this.#used.add(id);
  }

  /** `placement`: the original's; its ids may be new ones, or those of what was there. */
  like({ treeId, branchId }: Placement): FreshIds {
    return { treeId: this.#unused(treeId), branchId: this.#unused(branchId) };
  }

  #unused(id: string): string {
    return this.#used.has(id) ? this.#newId() : id;
  }
}
