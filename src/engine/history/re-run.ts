import { apply, frozen } from '../../domain/apply.ts';
import { WritableParts } from '../../domain/changes.ts';
import type { Context } from '../../domain/context.ts';
import type { Fallback, Placement, Trace } from '../../domain/decision.ts';
import { type Entry, LOG_VERSION } from '../../domain/entry.ts';
import { type Event, type EventOf, type HandEdit, isPlain, kindOf } from '../../domain/event-kinds.ts';
import {
  emptyForest,
  type Forest,
  type Node,
  type NodeId,
  type PendingTurn,
  type StepId,
  type TreeId,
} from '../../domain/forest.ts';
import { type FreshIds, handle, type Intent, type IntentOutcome } from '../../domain/handle.ts';
import { nodesOf, replyText } from '../../domain/queries.ts';
import { idsOf, recordsOf } from '../../domain/table.ts';
import { EngineCore, type EngineParts } from '../core.ts';
import type { ComparedMessage } from '../place/compared-message.ts';
import { Stopwatch } from '../tasks.ts';
import { decide } from '../turn/decide.ts';
import { contextFor, reconsider } from '../turn/reply.ts';
import { wasShownPictures } from './past-contexts.ts';
import { type DecidingModels, type RerunModels, settingsFor, settingsForReply } from './re-run-models.ts';
import { asSorted } from './sort-topics.ts';
import { type RerunWatch, type SkippedEdit, skippedEdit, type WhatIf } from './what-if.ts';

/** The conversation that a re-run produced. */
export interface Rerun {
  readonly question: WhatIf;
  readonly entries: readonly Entry[];
  readonly forest: Forest;
  /** Turns that were decided again, including those undone later. */
  readonly decided: ReadonlySet<NodeId>;
  readonly leftOut: readonly SkippedEdit[];
}

/**
 * Replays a log in order into a new one in memory. Up to `question.from` the two are identical; from there on each
 * message placed by the engine is decided again while everything else stays as it was: replies, summaries and what the
 * user did. Turn ids are the same. The given log is only read. Rejects if the signal fires.
 */
export const rerun = async (
  shared: RerunModels,
  entries: readonly Entry[],
  question: WhatIf,
  watch: RerunWatch,
): Promise<Rerun> => {
  const start = startOf(entries, question);
  // Turns are taken over as they were sorted into topics, even if that was done later. A sorting before is taken over as it is.
  const isSortedSince = entries.some(({ event }, at) => at >= start && event.type === 'turns-arranged');
  const log = isSortedSince ? await asSorted(entries, watch.breathe) : entries;
  const run = new RerunState(shared, log, question, watch);
  await run.through(log);
  return run.result();
};

/** The number of entries before the first turn to decide again. */
const startOf = (entries: readonly Entry[], { from }: WhatIf): number =>
  Math.max(
    0,
    entries.findIndex(({ event }) => event.type === 'message-sent' && event.nodeId === from),
  );

class RerunState {
  readonly #shared: RerunModels;
  readonly #question: WhatIf;
  readonly #watch: RerunWatch;
  /** The original forest as of the entry being replayed. */
  readonly #original: Forest = emptyForest();
  readonly #log = new MemoryLog();
  readonly #ids: ReusedIds;
  readonly #core: EngineCore;
  readonly #leftOut: SkippedEdit[] = [];
  readonly #decided = new Set<NodeId>();
  /** Steps that the original does not have. */
  readonly #ownSteps = new Set<StepId>();
  /** Turns whose text is gone: nothing can be decided about them. */
  readonly #purged: ReadonlySet<NodeId>;
  /** Imported turns that were sorted into topics, with the trace of that. */
  readonly #sorted = new Map<NodeId, Trace>();
  /** By step, the turns that were deleted without those below them. Together only: one of them may be in the way of another. */
  readonly #deletedAlone = new Map<StepId | null, readonly NodeId[]>();
  #asked: DecidingModels | null = null;
  #settings;
  #near: { readonly of: NodeId; readonly near: ComparedMessage } | null = null;
  #lastPlaced:
    | (Pick<Awaited<ReturnType<typeof decide>>, 'reconsider'> & { of: NodeId; parentId: NodeId | null })
    | null = null;
  #at = 0;

  constructor(shared: RerunModels, entries: readonly Entry[], question: WhatIf, watch: RerunWatch) {
    const { parts } = shared;
    this.#shared = shared;
    this.#question = question;
    this.#watch = watch;
    this.#ids = new ReusedIds(parts.newId);
    this.#purged = new Set(entries.flatMap(({ event }) => (event.type === 'turns-purged' ? event.nodeIds : [])));
    for (const { step, event } of entries) {
      if (event.type === 'turn-decided' && event.decision.trace !== null) {
        this.#sorted.set(event.nodeId, event.decision.trace);
      }
      if (isDeletedAlone(event)) this.#deletedAlone.set(step, [...(this.#deletedAlone.get(step) ?? []), event.nodeId]);
    }
    this.#settings = settingsFor(null, question, shared.settingsKnown(question));
    const embed = shared.embedder(question);
    this.#core = new EngineCore(
      {
        models: () => ({ ...shared.models, embed, ...this.#asked?.models }),
        embedded: embeddedThen(parts.embedded, () => this.#asked),
        vectors: parts.vectors,
        // Only counted: nothing is sent.
        pictures: async (ids) => Object.fromEntries(ids.map((id) => [id, ''])),
        settings: () => this.#settings,
        now: parts.now,
        newId: parts.newId,
      },
      {
        forest: () => this.#log.forest,
        commit: async (intent) => this.#log.commit(intent, this.#at),
        received: () => undefined,
        phase: () => undefined,
        time: () => this.#at,
      },
    );
  }

  async through(entries: readonly Entry[]): Promise<void> {
    const start = startOf(entries, this.#question);
    const of = entries.slice(start).filter(({ event }) => event.type === 'turn-placed').length;
    let done = 0;
    for (const [at, entry] of entries.entries()) {
      this.#at = entry.at;
      if (at === start) await this.#readTurns(recordsOf(this.#log.forest.nodes));
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

  /** In the conversation, a turn has its vectors once its reply is there; a message waits only for those of the last turns. */
  async #readTurns(nodes: readonly Node[]): Promise<void> {
    const { signal } = this.#watch;
    const { vectors } = this.#core;
    try {
      const languageOf = await this.#core.languageOfTurns();
      await vectors.ensure(nodes, languageOf, signal);
      await vectors.ensureReplies(nodes, languageOf, signal);
    } catch {
      // The next message is compared all the same, or says why it is not.
      signal.throwIfAborted();
    }
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
      // Rebuilt with each context.
      case 'overview-built':
        return;
      case 'reply-started':
        return this.#startReply(entry, event);
      case 'turn-reconsidered':
        return this.#reconsider(event.nodeId, { step: step ?? '', fresh: this.#ids.like(event.placement) });
      case 'summarised': {
        const own = newId();
        this.#ownSteps.add(own);
        await this.#reconsider(event.nodeId, { step: own, fresh: { treeId: newId(), branchId: newId() } });
        this.#log.commit({ type: 'record', event, step }, entry.at);
        const node = this.#log.now.nodes[event.nodeId];
        if (node !== undefined) await this.#readTurns([node]);
        return this.#titleNewRoot(event.nodeId);
      }
      case 'topic-titled': {
        if (event.by === 'engine' && hasAnotherSecond(this.#original, this.#log.now, event.treeId)) return;
        // The turn may have been moved since, as a step of its own.
        const isOver = event.by === 'engine' && this.#log.now.history.past.at(-1)?.id !== step;
        const titled = reapply(
          { ...entry, event, step: isOver ? null : step },
          this.#original,
          this.#log.now,
          this.#ids,
        );
        if (titled.intent !== null) this.#log.commit(titled.intent, entry.at);
        return;
      }
      case 'undone':
        return this.#undo(event.step, entry.at);
      case 'redone':
        return this.#redo(event.step, entry.at);
      case 'reply-ended': {
        // What the model had in its cache at the time says nothing about the new context.
        const usage = event.usage && { usage: { ...event.usage, prefilled: null, reused: null } };
        this.#log.commit({ type: 'record', event: { ...event, ...usage }, step }, entry.at);
        return;
      }
      default:
        // Refused if the turn does not exist; there is nothing to say about it then.
        if (isPlain(event)) this.#log.commit({ type: 'record', event, step }, entry.at);
        // Edits were carried out above; turns that had been sorted into topics are decided anew, each when it is placed.
        else event satisfies HandEdit | EventOf<'turns-arranged' | 'turn-decided'>;
    }
  }

  /** Undoes a step of the original, and before it what the re-run itself did since. */
  #undo(step: StepId, at: number): void {
    const { past } = this.#log.now.history;
    const since = past.slice(past.findLastIndex(({ id }) => !this.#ownSteps.has(id)));
    if (since[0]?.id === step) for (const _ of since) this.#log.commit({ type: 'undo' }, at);
  }

  /** The reverse of `#undo`. */
  #redo(step: StepId, at: number): void {
    const next = () => this.#log.now.history.future.at(-1)?.id ?? '';
    if (next() !== step) return;
    do this.#log.commit({ type: 'redo' }, at);
    while (this.#ownSteps.has(next()));
  }

  #carryOut(entry: HandEditEntry): void {
    const { seq, step, event } = entry;
    // If two events of a step take out the same turn, the second does nothing.
    if (event.type === 'turn-extracted' && this.#original.nodes[event.nodeId] === undefined) return;
    if (this.#question.byHand === 'left-out') return void this.#leftOut.push(skippedEdit(seq, event, 'wanted'));
    const { nodes, history } = this.#log.now;
    // It went with the first one of its step.
    if (isDeletedAlone(event) && nodes[event.nodeId] === undefined && history.past.at(-1)?.id === step) return;
    const together = (this.#deletedAlone.get(step) ?? []).filter((id) => nodes[id] !== undefined);
    const done = reapply(entry, this.#original, this.#log.now, this.#ids, together);
    if (done.intent === null) return void this.#leftOut.push(skippedEdit(seq, event, done.why));
    const handled = this.#log.commit(done.intent, entry.at);
    // Going to where the conversation already stands loses nothing.
    if (!handled.ok && !(event.type === 'activated' && handled.refusal === 'already-there')) {
      this.#leftOut.push(skippedEdit(seq, event, handled.refusal));
    } else if (done.instead !== undefined) this.#leftOut.push(skippedEdit(seq, event, done.instead));
    this.#ids.note(this.#log.now);
  }

  #send(entry: Entry, event: EventOf<'message-sent'>): void {
    const { target } = event;
    const gone = target?.kind === 'under' && this.#log.now.nodes[target.nodeId] === undefined;
    if (gone) this.#leftOut.push(skippedEdit(entry.seq, event, 'not-there'));
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
    const { near, place, reconsider: reconsiderPlace } = await this.#decide(pending, event);
    this.#near = { of: nodeId, near };
    this.#lastPlaced = { of: nodeId, parentId: place.parentId, reconsider: reconsiderPlace };
    this.#decided.add(nodeId);
    this.#log.commit({ type: 'place', nodeId, fresh, ...place }, this.#at);
  }

  /** Runs once a turn has been replied to, as in the conversation itself. */
  async #reconsider(nodeId: NodeId, ids: { readonly step: StepId; readonly fresh: FreshIds }): Promise<void> {
    const asked = this.#lastPlaced;
    if (asked?.of !== nodeId) return;
    this.#lastPlaced = null;
    await reconsider(this.#core, nodeId, asked.parentId, asked.reconsider, ids);
    this.#ids.note(this.#log.now);
  }

  async #decide(pending: PendingTurn, { decision }: EventOf<'turn-placed'>) {
    const question = this.#question;
    const trace = decision.trace ?? this.#sorted.get(pending.id) ?? null;
    this.#settings = settingsFor(trace, question, this.#shared.settingsKnown(question));
    this.#asked = await this.#shared.deciders.asked(question.decider, pending.at);
    return decide(this.#core, pending, new Stopwatch(this.#core.parts.now), this.#watch.signal);
  }

  /** Returns the turn itself if it exists, otherwise its nearest existing ancestor. */
  #nearestAbove(nodeId: NodeId | null): NodeId | null {
    let id = nodeId;
    while (id !== null && this.#log.now.nodes[id] === undefined) id = this.#original.nodes[id]?.parentId ?? null;
    return id;
  }

  async #startReply(entry: Entry, event: EventOf<'reply-started'>): Promise<void> {
    const { nodeId } = event;
    const node = this.#log.now.nodes[nodeId];
    if (node === undefined) return;
    const { context: sent, model } = event;
    const sees = wasShownPictures(this.#shared.models.chat, { sent, model });
    const built = sent === null ? null : await this.#contextFor(node, sent, sees);
    const context = built && { ...built, simulated: true as const };
    this.#log.commit({ type: 'record', event: { ...event, context }, step: entry.step }, entry.at);
  }

  /** `sees`: whether the pictures of messages count. */
  async #contextFor({ id: nodeId, message }: Node, sent: Context, sees: boolean) {
    const decided = this.#settings;
    const trace = this.#original.nodes[nodeId]?.decision.trace ?? null;
    const question = this.#question;
    const forTurn = trace === null ? decided : settingsFor(trace, question, this.#shared.settingsKnown(question));
    this.#settings = settingsForReply(forTurn, sent, question);
    try {
      return await this.#build(nodeId, message, sees);
    } finally {
      this.#settings = decided;
    }
  }

  async #build(nodeId: NodeId, message: string, sees: boolean) {
    const { signal } = this.#watch;
    const fallbacks: Fallback[] = [];
    const known = this.#near?.of === nodeId ? this.#near.near : null;
    const near = known ?? (await this.#core.compareMessage(message, signal, fallbacks));
    const chat = { ...this.#shared.models.chat, sees };
    const stopwatch = new Stopwatch(this.#core.parts.now);
    return contextFor(this.#core, { nodeId, near, chat, stopwatch, fallbacks }, signal);
  }

  /** A turn that opens a topic here but did not in the original has no title in the log. */
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

/** The fallback decider also differs from moment to moment. */
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

/** An in-memory log and its forest; nothing is persisted. */
class MemoryLog {
  readonly entries: Entry[] = [];
  #forest: Forest = frozen(emptyForest());
  /** What was written to since the forest was last handed out; null if nothing. */
  #own: WritableParts | null = null;

  /** The current forest, to be read immediately: the next entry mutates it. */
  get now(): Forest {
    return this.#forest;
  }

  /** The current forest. Never changed once handed out; see `Host.forest`. */
  get forest(): Forest {
    this.#own?.freeze();
    this.#own = null;
    return this.#forest;
  }

  /** Takes an entry of another log unchanged. */
  take({ at, step, event }: Entry): void {
    const entry: Entry = { v: LOG_VERSION, seq: this.entries.length + 1, at, step, event };
    if (this.#own === null) {
      this.#forest = { ...this.#forest };
      this.#own = new WritableParts(this.#forest);
    }
    apply(this.#forest, entry, this.#own);
    this.entries.push(entry);
  }

  /** Carries out an intent as of a moment, in milliseconds since 1970. */
  commit(intent: Intent, at: number): IntentOutcome {
    const handled = handle(this.#forest, intent);
    if (!handled.ok) return handled;
    for (const event of handled.events) {
      this.take({ v: LOG_VERSION, seq: 0, at, step: handled.step, event });
    }
    return handled;
  }
}

type HandEditEntry = Entry & { readonly event: HandEdit };

/** Whether a turn was deleted while those below it stayed. */
const isDeletedAlone = (event: Event): event is EventOf<'turn-extracted'> =>
  event.type === 'turn-extracted' && event.placement === null;

/** Whether the user did it, to a forest whose turns were already placed. */
const isByHand = (entry: Entry): entry is HandEditEntry => {
  const { event, step } = entry;
  const { byHand } = kindOf(event);
  return typeof byHand === 'boolean' ? byHand : byHand(event, step);
};

/** Either what to carry out, or why there is nothing to do. */
type Reapplication =
  | { readonly intent: Intent; readonly instead?: SkippedEdit['why'] }
  | { readonly intent: null; readonly why: SkippedEdit['why'] };

/**
 * Returns a manual edit as an intent for a forest that may have developed differently. `original`: the forest in which
 * the user made it. Topic and branch ids are not comparable: a topic is the one with the same root, a branch the one
 * with the same first turn. `together`: the turns there that were deleted in the same step without those below them.
 */
const reapply = (
  entry: HandEditEntry,
  original: Forest,
  forest: Forest,
  ids: ReusedIds,
  together: readonly NodeId[] = [],
): Reapplication => {
  const { event, step } = entry;
  if (step === null && event.type !== 'topic-titled') return { intent: null, why: 'not-there' };
  const own = step ?? '';
  switch (event.type) {
    case 'turn-moved': {
      const { nodeId, placement, label } = event;
      const node = forest.nodes[nodeId];
      const at = label?.at ?? entry.at;
      if (node !== undefined && node.parentId === placement.parentId) {
        // The user said that the turn belongs there, and that is kept.
        return node.label === null
          ? { intent: { type: 'confirm', nodeId, at, step: own }, instead: 'not-needed' }
          : { intent: null, why: 'not-needed' };
      }
      const { parentId } = placement;
      return { intent: { type: 'move', nodeId, parentId, fresh: ids.like(placement), at, step: own } };
    }
    case 'turn-extracted': {
      const { nodeId, placement, label } = event;
      if (placement === null) {
        const nodeIds = together.includes(nodeId) ? together : [nodeId];
        return { intent: { type: 'delete', nodeIds, alone: true, step: own } };
      }
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
      return { intent: { type: 'record', event, step } };
  }
};

/** Whether a topic title made from its first two turns uses one that is not the second here. */
const hasAnotherSecond = (original: Forest, forest: Forest, treeId: TreeId): boolean => {
  const second = nodesOf(original, treeId)[1];
  if (second === undefined) return false;
  const here = forest.nodes[second.id];
  return here === undefined || nodesOf(forest, here.treeId)[1]?.id !== second.id;
};

/** Ids for what placements create: those of the original at the same place, unless the re-run has already used them. */
class ReusedIds {
  readonly #newId: () => string;
  readonly #used = new Set<string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Marks the ids in the forest as used. */
  note(forest: Forest): void {
    for (const id of idsOf(forest.trees)) this.#used.add(id);
    for (const id of idsOf(forest.branches)) this.#used.add(id);
  }

  /** `placement`: the original's; its ids may be new or those of something that already existed. */
  like({ treeId, branchId }: Placement): FreshIds {
    return { treeId: this.#unused(treeId), branchId: this.#unused(branchId) };
  }

  #unused(id: string): string {
    return this.#used.has(id) ? this.#newId() : id;
  }
}
