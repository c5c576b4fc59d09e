import { fold } from '../domain/apply.ts';
import type { Attachment } from '../domain/attachment.ts';
import type { Context } from '../domain/context.ts';
import type { Fallback, Target } from '../domain/decision.ts';
import type { Entry } from '../domain/entry.ts';
import { authorsOf } from '../domain/event-kind.ts';
import type { Forest, Node, NodeId, PendingTurn, Reply, TreeId } from '../domain/forest.ts';
import type { Arrangement, IntentOutcome } from '../domain/handle.ts';
import { nodeOf, replyOf } from '../domain/queries.ts';
import { spokenOf } from '../domain/reply.ts';
import { lacksSummary, openReplies } from '../domain/stored-forest.ts';
import { changedIds, idsOf, recordsOf } from '../domain/table.ts';
import type { Policy } from './context/policy.ts';
import { sendableAgain } from './context/visible-forest.ts';
import { EngineCore, type EngineParts, type Host } from './core.ts';
import type { PolicyFailed, TurnContexts } from './history/contexts-over-time.ts';
import type { ContextsWatch, PastMemory, PolicyContext } from './history/past-contexts.ts';
import type { RerunWatch } from './history/what-if.ts';
import type { PastQuestions } from './lessons.ts';
import type { ChatModel } from './ports.ts';
import { once, Stopwatch } from './tasks.ts';
import { nextContext, nextTokens } from './turn/next-context.ts';
import type { Preview } from './turn/preview.ts';
import { reconsider, recordImportedReply, reply, stream } from './turn/reply.ts';
import { embedNode, isTitleStale, summariseAnew, summariseNode, titleTopic } from './turn/summarise.ts';

/** Not needed before the first message, and so not before the first paint. */
const decisions = once(() => import('./turn/decide.ts'));

/** The memory engine of one conversation (Context-Agent, Algorithm 1). One turn at a time. */
export class Engine {
  readonly #core: EngineCore;
  #catchingUp: Promise<void> | null = null;

  constructor(parts: EngineParts, host: Host) {
    this.#core = new EngineCore(parts, host);
  }

  /**
   * Places a pending message, replies to it and summarises it. Rejects if `signal` fires before it is placed, or if the
   * log cannot be written. `left` fires, after or along with `signal`, when the conversation is left: only then is a
   * stopped reply not summarised. `onPlaced` is called before the reply begins.
   */
  async turn(pending: PendingTurn, signal: AbortSignal, left = never(), onPlaced?: () => void): Promise<void> {
    const core = this.#core;
    const { models, newId, now } = core.parts;
    const stopwatch = new Stopwatch(now);
    core.host.phase('deciding', pending.id, null);
    const { decide } = await decisions();
    const { near, place, reconsider: reconsiderPlace } = await decide(core, pending, stopwatch, signal);
    // From here on, time counts towards the reply.
    stopwatch.take();
    const freshIds = () => ({ treeId: newId(), branchId: newId() });
    const placed = await core.host.commit({ type: 'place', nodeId: pending.id, fresh: freshIds(), ...place });
    // Undone while it was being decided.
    if (!placed.ok) return;
    onPlaced?.();
    const chat = pending.given === null ? await this.#chat(pending.id, signal, false) : models().chat;
    const replying = { nodeId: pending.id, near, stopwatch, chat };
    await holding(chat, () =>
      pending.given === null
        ? reply(core, replying, null, signal)
        : recordImportedReply(core, replying, pending.given, signal),
    );
    await reconsider(core, pending.id, place.parentId, reconsiderPlace, { step: newId(), fresh: freshIds() }, left);
    await this.#settle(pending.id, left);
  }

  /** Generates another reply to a turn as its own undo step, with the embedded chat model if the person asks for it. */
  async regenerate(
    nodeId: NodeId,
    step: string,
    signal: AbortSignal,
    by?: 'embedded',
    left: AbortSignal = never(),
  ): Promise<void> {
    const { now, embedded } = this.#core.parts;
    const stopwatch = new Stopwatch(now);
    const chat = by === 'embedded' ? embedded.chat : await this.#chat(nodeId, signal, true);
    await this.#replyAnew({ nodeId, stopwatch, chat }, step, signal, left);
  }

  /** `replaces`: a reply that broke off before its first word, which is not kept beside this one. */
  async #replyAnew(
    { nodeId, stopwatch, chat, replaces }: Omit<Parameters<typeof reply>[1], 'near'>,
    step: string,
    signal: AbortSignal,
    left: AbortSignal,
  ): Promise<void> {
    const { message } = nodeOf(this.#core.host.forest(), nodeId);
    this.#core.host.phase('replying', nodeId, null);
    await holding(chat, async () => {
      const fallbacks: Fallback[] = [];
      const near = await this.#core.compareMessage(message, signal, fallbacks);
      await reply(this.#core, { nodeId, near, stopwatch, chat, fallbacks, replaces }, step, signal);
    });
    await this.#settle(nodeId, left);
  }

  /**
   * Continues an interrupted reply from the context it began with. If one of a language model and the embedded chat
   * model began it and the other is here to continue, generates another reply instead: one thinks on, the other quotes.
   * The same holds if part of that context is gone by now, which is not sent again, and if another model began it and it
   * does not fit this one's window, or has pictures that this one cannot see. So does one of a what-if, which began from
   * another context than it has there. One without a word so far is not continued: its context was made for the model
   * and the settings of that time, so another takes its place. Returns `window-full`, and changes nothing, if it was cut
   * off because its own model's window was full; otherwise null.
   */
  async resume(nodeId: NodeId, signal: AbortSignal, left = never()): Promise<'window-full' | null> {
    const core = this.#core;
    const { now, embedded, newId, models } = core.parts;
    const stopwatch = new Stopwatch(now);
    const node = nodeOf(core.host.forest(), nodeId);
    const broken = replyOf(node);
    const byEmbedded = broken?.model === embedded.chat.name;
    const chat = byEmbedded ? embedded.chat : await this.#chat(nodeId, signal, true);
    const another = chat.name === embedded.chat.name && broken?.model !== chat.name;
    const context = broken?.context;
    const anew = async (): Promise<null> => {
      // One that could not be loaded just now is not loaded a second time.
      const other = byEmbedded ? await this.#chat(nodeId, signal, true) : models().chat;
      const replaces = broken?.text === '' ? broken.id : undefined;
      await this.#replyAnew({ nodeId, stopwatch, chat: other, replaces }, newId(), signal, left);
      return null;
    };
    if (broken === null || !context || another || context.simulated === true) return anew();
    if (!sendableAgain(core.host.forest(), context, nodeId)) return anew();
    // A model that could not be loaded is sent nothing, and the reply only fails again; the embedded one reads no context.
    const isLoaded = chat.prepare === undefined;
    const isRead = isLoaded && chat.name !== embedded.chat.name;
    const isUnseen = context.pictures !== undefined && chat.sees !== true;
    if (isRead && (broken.text === '' || isUnseen)) return anew();
    if (isLoaded && broken.text !== '' && (await fillsWindow(core, chat, broken, context))) {
      if (authorsOf(broken, chat.name) !== broken.model) return anew();
      if (broken.usage?.cut === true) return 'window-full';
    }
    core.host.phase('replying', nodeId, broken.id);
    const isResumed = await holding(chat, async () => {
      const near = await core.compareMessage(node.message, signal, []);
      await core.host.inQueue?.(async () => undefined);
      if (!sendableAgain(core.host.forest(), context, nodeId)) return null;
      const event = { type: 'reply-resumed' as const, nodeId, replyId: broken.id };
      // One that is not loaded writes none of it.
      const resumed = await core.record(isLoaded ? { ...event, model: chat.name } : event);
      if (resumed.ok) await stream(core, { nodeId, near, stopwatch, chat }, broken.id, context, broken.text, signal);
      return resumed.ok;
    });
    // Part of its context was deleted or hidden meanwhile.
    if (isResumed === null) return anew();
    if (isResumed) await this.#settle(nodeId, left);
    return null;
  }

  /** Titles the topics that are new since an earlier forest or begin with other turns, unless the person has titled them. */
  async titleSince(before: Forest): Promise<void> {
    const now = this.#core.host.forest();
    await this.#titleStale(before, topicsOfMoved(before, now, changedSince(before, now)));
  }

  async #titleStale(before: Forest, topics: Iterable<TreeId>): Promise<void> {
    const { signal } = new AbortController();
    for (const id of topics) {
      // As it is by now: a model may have taken its time with the one before.
      if (isTitleStale(before, this.#core.host.forest(), id)) await titleTopic(this.#core, id, signal);
    }
  }

  /** Summarises a turn again, replacing what the person wrote. */
  async summariseAnew(nodeId: NodeId, step: string): Promise<IntentOutcome> {
    return summariseAnew(this.#core, nodeOf(this.#core.host.forest(), nodeId), step, new AbortController().signal);
  }

  /**
   * Embeds turns whose chosen reply is another one than in an earlier forest, or may be since they were hidden, and
   * summarises those that have changed, came back or are shown again, as far as they lack a summary; then titles topics
   * as `titleSince` does.
   */
  async catchUpSince(before: Forest): Promise<void> {
    const { signal } = new AbortController();
    const { host } = this.#core;
    const now = host.forest();
    const ids = changedSince(before, now);
    const isUndone = now.history.future.length > before.history.future.length;
    // A message that was taken back before it was summarised had given its topic no title.
    const isTitled = (id: NodeId) => now.nodes[id] !== undefined || (before.nodes[id]?.summary ?? null) !== null;
    const topics = topicsOfMoved(before, now, isUndone ? ids.filter(isTitled) : ids);
    // It asks about some of the same turns.
    await this.#catchingUp?.catch(() => undefined);
    for (const id of ids) {
      // As it is by now: a model may have taken its time with the one before.
      const [was, node] = [before.nodes[id], host.forest().nodes[id]];
      if (node === undefined || node === was || node.hidden) continue;
      const wasHidden = was?.hidden === true;
      const isOther = was !== undefined && was.replyId !== node.replyId;
      if (isOther || wasHidden) await embedNode(this.#core, node, signal);
      if (openReplies(node).length === 0 && lacksSummary(node)) await summariseNode(this.#core, id, signal);
    }
    await this.#titleStale(before, topics);
  }

  /** Returns what a message continuing from a forest's active node would be sent: its tokens, and which turns in full. */
  async nextContext(forest: Forest): Promise<{ tokens: number; inFull: ReadonlySet<NodeId> }> {
    const context = await nextContext(this.#core, forest, new AbortController().signal);
    const turns = context?.segments.flatMap((segment) => (segment.kind === 'turn' ? [segment.nodeId] : []));
    return { tokens: context?.tokens ?? 0, inFull: new Set(turns) };
  }

  /** Returns the tokens of context that a message continuing from the active node would have before it; rejects if the signal fires. */
  nextTokens(signal = new AbortController().signal): Promise<number> {
    return nextTokens(this.#core, signal);
  }

  /**
   * Returns the questions asked about a turn when it was decided, for learning from the person's verdict on it.
   * `parentId`: the turn they say it hangs from, null for a new topic. `forestAt`: the forest after some entries. `now`: after
   * all of them, for a conversation that may not be open any more. Null if there was nothing to decide.
   */
  async questionsAbout(
    entries: readonly Entry[],
    nodeId: NodeId,
    parentId: NodeId | null,
    forestAt: (count: number) => Forest | Promise<Forest> = (count) => fold(entries, count),
    now = this.#core.host.forest(),
  ): Promise<PastQuestions | null> {
    const { questionsAbout } = await import('./history/past-questions.ts');
    const core = this.#core.on({ ...this.#core.host, forest: () => now });
    return questionsAbout(core, entries, nodeId, parentId, forestAt, new AbortController().signal);
  }

  /** Returns where a message would go if sent now, and what would be sent for it. See `preview.ts`. */
  async preview(
    message: string,
    target: Target | null,
    signal: AbortSignal,
    attachments: readonly Attachment[] = [],
  ): Promise<Preview | null> {
    const { preview } = await import('./turn/preview.ts');
    return preview(this.#core, message, target, signal, attachments);
  }

  /** Returns what each policy would have sent for a turn; rejects if the signal fires. */
  async contextsFor(
    entries: readonly Entry[],
    nodeId: NodeId,
    policies: readonly Policy[],
    signal: AbortSignal,
    watch?: ContextsWatch,
  ): Promise<PolicyContext[]> {
    const { contextsFor } = await import('./history/past-contexts.ts');
    return contextsFor(this.#core, entries, nodeId, policies, signal, watch);
  }

  /** Returns the memory a policy had before a turn, and what it recalls for it; rejects if the signal fires. */
  async memoryFor(
    entries: readonly Entry[],
    nodeId: NodeId,
    policy: Policy,
    signal: AbortSignal,
  ): Promise<PastMemory | null> {
    const { pastMemory } = await import('./history/past-contexts.ts');
    return pastMemory(this.#core, entries, nodeId, policy, signal);
  }

  /** Has the next of the above and below do again what models failed at while memories were built. */
  retryMemories(): void {
    this.#core.retryMemories();
  }

  /**
   * Reports the tokens and cost of every policy's context for every turn, in chunks; rejects if the signal fires. See
   * `contexts-over-time.ts`.
   */
  async contextsOverTime(
    entries: readonly Entry[],
    policies: readonly Policy[],
    onTurns: (turns: readonly TurnContexts[]) => void,
    signal: AbortSignal,
    onFailed?: PolicyFailed,
    wanted?: (node: Node) => boolean,
  ): Promise<void> {
    const { contextsOverTime } = await import('./history/contexts-over-time.ts');
    return contextsOverTime(this.#core, entries, policies, onTurns, signal, onFailed, wanted);
  }

  /** Returns where turns that are placed as a file had them belong; nothing is moved. Rejects if the signal fires. See `sort-topics.ts`. */
  async sortTopics(watch: RerunWatch): Promise<Arrangement[]> {
    const { sortTopics } = await import('./history/sort-topics.ts');
    await this.catchUp(watch.signal);
    return sortTopics(this.#core.parts, this.#core.host.forest(), watch);
  }

  /** Adds missing embeddings, summaries and titles to a conversation, after an import or if it was left too early. */
  async catchUp(signal: AbortSignal): Promise<void> {
    // Concurrent calls wait for the one in progress, so nothing is summarised twice.
    this.#catchingUp ??= this.#makeUp(signal).finally(() => {
      this.#catchingUp = null;
    });
    await this.#catchingUp;
  }

  async #makeUp(signal: AbortSignal): Promise<void> {
    const { host, vectors } = this.#core;
    const lacks = (node: Node | undefined) =>
      node !== undefined && !node.hidden && openReplies(node).length === 0 && lacksSummary(node);
    // By the time one is asked about, another conversation may be open.
    const listed = recordsOf(host.forest().nodes);
    const untitled = recordsOf(host.forest().trees).filter(({ titledBy }) => titledBy === null);
    for (const { id } of listed.filter(lacks)) {
      // As it is by now: a model may have taken its time with the one before.
      if (lacks(host.forest().nodes[id])) await summariseNode(this.#core, id, signal);
    }
    for (const { id } of untitled) {
      const { trees, nodes } = host.forest();
      const root = trees[id]?.titledBy === null ? nodes[trees[id].rootId] : undefined;
      if (root !== undefined && openReplies(root).length === 0) await titleTopic(this.#core, id, signal);
    }
    const nodes = listed.flatMap(({ id }) => host.forest().nodes[id] ?? []);
    await vectors.makeUp(nodes, await this.#core.languageOfTurns(), signal);
  }

  /** Caches the vectors of these turns again, as far as they still exist, once the cache has been cleared. */
  async saveVectors(ids: readonly NodeId[]): Promise<void> {
    const { host, vectors } = this.#core;
    const { nodes } = host.forest();
    await vectors.save(ids.flatMap((id) => nodes[id] ?? []));
  }

  /** Returns the chat model, waiting for one that is still being prepared. `asked`: see `ChatModel.prepare`. */
  async #chat(nodeId: NodeId, signal: AbortSignal, asked: boolean): Promise<ChatModel> {
    const { models } = this.#core.parts;
    const { chat } = models();
    if (chat.prepare === undefined) return chat;
    this.#core.host.phase('replying', nodeId, null);
    await chat.prepare(signal, asked);
    return models().chat;
  }

  /** A stopped reply is summarised as well, also if it is stopped at its very end: what is stopped is the reply, not the memory of it. */
  async #settle(nodeId: NodeId, left: AbortSignal): Promise<void> {
    const { host, parts } = this.#core;
    // For the next message.
    for (const model of parts.models().missing ?? []) model.reload();
    // What is left is made up for when it is opened again.
    if (host.forest().nodes[nodeId] === undefined || left.aborted) return;
    host.phase('summarising', nodeId, null);
    try {
      await summariseNode(this.#core, nodeId, left);
      const node = host.forest().nodes[nodeId];
      if (node !== undefined) await embedNode(this.#core, node, left);
    } catch (error) {
      // The turn itself is complete, and what it teaches is still to be learned.
      if (!left.aborted) throw error;
    }
  }
}

/** Least room, in tokens, that a reply is continued in. The context does not count what a chat template adds, which also has to fit. */
const LEAST_ROOM = 64;

/**
 * Whether what a model is sent to continue a reply takes all of its window. One that was cut off while thinking and is not
 * sent its thoughts would have to think as far again, so they count. False if tokens cannot be counted: the model itself
 * then says why it cannot reply.
 */
const fillsWindow = async (
  core: EngineCore,
  chat: ChatModel,
  { text, usage }: Reply,
  context: Context,
): Promise<boolean> => {
  const tokens = core.tokensOf(chat);
  const { reasoning, answer, thinking } = spokenOf(text);
  const isForgotten = chat.forgetsThoughts === true && !thinking;
  const sent = isForgotten ? answer : text;
  const isCounted = await tokens.prepare([sent]).then(
    () => true,
    () => false,
  );
  const counted = isCounted ? context.tokens + tokens.count(sent) : 0;
  // A model reports its thoughts and its answer as one.
  const isReported = !isForgotten || (reasoning === null && usage?.hidden !== true);
  const reported = isReported ? (usage?.prefilled ?? 0) + (usage?.reused ?? 0) + (usage?.generated ?? 0) : 0;
  return Math.max(counted, reported) > chat.window - LEAST_ROOM;
};

const never = (): AbortSignal => new AbortController().signal;

/** Keeps the chat model loaded from building the context to the end of the reply. */
const holding = async <T>(chat: ChatModel, task: () => Promise<T>): Promise<T> => {
  const release = chat.hold?.();
  try {
    return await task();
  } finally {
    release?.();
  }
};

/** The turns that may differ, those that are gone included: all of them if one forest was not made from the other. */
const changedSince = ({ nodes }: Forest, now: Forest): readonly NodeId[] =>
  changedIds(nodes, now.nodes) ?? [...new Set([...idsOf(nodes), ...idsOf(now.nodes)])];

/** The topics that these turns left, joined or begin, as far as they did. */
const topicsOfMoved = (before: Forest, now: Forest, ids: readonly NodeId[]): ReadonlySet<TreeId> => {
  const topics = new Set<TreeId>();
  for (const id of ids) {
    const [was, is] = [before.nodes[id], now.nodes[id]];
    if (was?.treeId === is?.treeId && was?.parentId === is?.parentId) continue;
    for (const node of [was, is]) if (node !== undefined) topics.add(node.treeId);
  }
  return topics;
};
