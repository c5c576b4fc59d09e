import type { Context } from '../domain/context.ts';
import type { Fallback } from '../domain/decision.ts';
import type { Forest, Node, NodeId, PendingTurn, TreeId } from '../domain/forest.ts';
import type { Handled, Intent } from '../domain/handle.ts';
import { nodeOf, pathTo, replyOf } from '../domain/queries.ts';
import { withPatience } from './ask.ts';
import { contextMessages, replyText } from './context-text.ts';
import { NodeVectors } from './node-vectors.ts';
import { defaultParameters, type Parameters } from './parameters.ts';
import { contextAgent } from './policies/context-agent.ts';
import type { Policy } from './policy.ts';
import type { ChatRequest, Decider, Models, Storage, Summariser } from './ports.ts';
import { route } from './route.ts';
import { Stopwatch } from './stopwatch.ts';
import { streamReply } from './stream-reply.ts';
import { TokenCache } from './token-cache.ts';
import { type Nearness, pathViews, retrieve, similarityTo } from './views.ts';

/** What the engine is told and tells about one conversation. */
export interface Host {
  forest(): Forest;
  /** Carries an intent out and stores it; resolves when it is in the log. */
  commit(intent: Intent): Promise<Handled>;
  /** The whole of a reply as far as it has come; the log follows within a second. */
  received(nodeId: NodeId, replyId: string, whole: string): void;
  phase(phase: 'deciding' | 'replying' | 'summarising', nodeId: NodeId, replyId: string | null): void;
}

export interface EngineParts {
  /** The chosen models, read anew for every turn. */
  models(): Models;
  /** What stands in where a chosen model fails. */
  readonly embedded: { readonly decide: Decider; readonly summarise: Summariser };
  readonly vectors: Pick<Storage, 'readVectors' | 'saveVectors'>;
  readonly policy?: Policy;
  readonly parameters?: Partial<Parameters>;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  newId(): string;
}

/** How many of the nearest turns a responder that quotes is given. */
const QUOTABLE = 8;

/** The memory engine of one conversation (Context-Agent, Algorithm 1). One turn at a time. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #host: Host;
  readonly #parameters: Parameters;
  readonly #policy: Policy;
  #vectors: { readonly of: string; readonly nodes: NodeVectors } | null = null;
  #tokens: { readonly of: string; readonly cache: TokenCache } | null = null;

  constructor(parts: EngineParts, host: Host) {
    this.#parts = parts;
    this.#host = host;
    this.#parameters = { ...defaultParameters, ...parts.parameters };
    this.#policy = parts.policy ?? contextAgent;
  }

  /** Places a message that waits, replies to it and summarises it. Rejects only if `signal` fires before it has its place. */
  async turn(pending: PendingTurn, signal: AbortSignal): Promise<void> {
    const { decide } = this.#parts.models();
    const stopwatch = new Stopwatch(this.#parts.now);
    const fallbacks: Fallback[] = [];
    this.#host.phase('deciding', pending.id, null);
    const near = await stopwatch.time('embed', () => this.#nearness(pending.message, signal, fallbacks));
    const { embed } = this.#parts.models();
    const { parentId, decision } = await route({
      forest: this.#host.forest(),
      pending,
      near,
      deciders: decide === this.#parts.embedded.decide ? [decide] : [decide, this.#parts.embedded.decide],
      embedder: embed.name,
      theta: this.#parameters.theta ?? embed.theta,
      policy: this.#policy.name,
      parameters: this.#parameters,
      signal,
      fallbacks,
      stopwatch,
    });
    stopwatch.take();
    const fresh = { treeId: this.#parts.newId(), branchId: this.#parts.newId() };
    const placed = await this.#host.commit({ type: 'place', nodeId: pending.id, parentId, fresh, decision });
    // Undone while it was being decided.
    if (!placed.ok) return;
    if (pending.given === null) await this.#reply(pending.id, near, stopwatch, null, signal);
    else await this.#give(pending.id, pending.given, near, stopwatch);
    await this.#settle(pending.id, signal);
  }

  /** Another reply to a turn, as an undo step of its own. */
  async regenerate(nodeId: NodeId, step: string, signal: AbortSignal): Promise<void> {
    const stopwatch = new Stopwatch(this.#parts.now);
    const { message } = nodeOf(this.#host.forest(), nodeId);
    this.#host.phase('replying', nodeId, null);
    const near = await this.#nearness(message, signal, []);
    await this.#reply(nodeId, near, stopwatch, step, signal);
    await this.#settle(nodeId, signal);
  }

  /** Goes on with a reply that broke off, from the context that it began with. */
  async resume(nodeId: NodeId, signal: AbortSignal): Promise<void> {
    const stopwatch = new Stopwatch(this.#parts.now);
    const node = nodeOf(this.#host.forest(), nodeId);
    const reply = replyOf(node);
    if (reply === null || reply.context === null) return this.regenerate(nodeId, this.#parts.newId(), signal);
    this.#host.phase('replying', nodeId, reply.id);
    const near = await this.#nearness(node.message, signal, []);
    const resumed = await this.#record({ type: 'reply-resumed', nodeId, replyId: reply.id });
    if (!resumed.ok) return;
    await this.#stream(node, reply.id, reply.context, reply.text, near, stopwatch, signal);
    await this.#settle(nodeId, signal);
  }

  /** Tokens of the context that a message going on from the active node would have before it. */
  async nextTokens(): Promise<number> {
    const forest = this.#host.forest();
    const at = forest.active === null ? undefined : forest.nodes[forest.active.nodeId];
    const context = at && replyOf(at)?.context;
    if (at === undefined || !context) return 0;
    const tokens = this.#tokenCache();
    await tokens.prepare([replyText(at)]);
    return context.tokens + tokens.count(replyText(at));
  }

  /** Embeds and summarises what a conversation lacks: after an import, or a tab that was closed too early. */
  async catchUp(signal: AbortSignal): Promise<void> {
    const nodes = Object.values(this.#host.forest().nodes);
    for (const node of nodes) {
      if (node.summary === null && node.replies.every(({ state }) => state !== 'streaming')) {
        await this.#summarise(node.id, signal);
      }
    }
    await this.#nodeVectors().ensure(Object.values(this.#host.forest().nodes), signal);
  }

  /** Titles a topic after its first turn, unless the person has. */
  async titleTopic(treeId: TreeId, signal: AbortSignal): Promise<void> {
    const forest = this.#host.forest();
    const tree = forest.trees[treeId];
    if (tree === undefined || tree.titledBy === 'person') return;
    const root = nodeOf(forest, tree.rootId);
    const turn = { message: root.message, reply: replyText(root) };
    const { text } = await this.#digest((model, inner) => model.title(turn, inner), signal);
    await this.#record({ type: 'topic-titled', treeId, title: text, by: 'engine' });
  }

  async #nearness(message: string, signal: AbortSignal, fallbacks: Fallback[]): Promise<Nearness> {
    const { embed } = this.#parts.models();
    const nodes = this.#nodeVectors();
    try {
      return await withPatience(
        async (inner) => {
          await nodes.ensure(Object.values(this.#host.forest().nodes), inner);
          const [vector = null] = await embed.embed([message], inner);
          return { message, vector, table: nodes.table };
        },
        this.#parameters.patience,
        signal,
      );
    } catch (error) {
      if (signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      fallbacks.push({ role: 'embed', from: embed.name, to: 'words and recency alone', why });
      return { message, vector: null, table: nodes.table };
    }
  }

  async #reply(
    nodeId: NodeId,
    near: Nearness,
    stopwatch: Stopwatch,
    step: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    const replyId = this.#parts.newId();
    this.#host.phase('replying', nodeId, replyId);
    const context = await stopwatch.time('context', () => this.#context(nodeId, near));
    const model = this.#parts.models().chat.name;
    const begun = await this.#record({ type: 'reply-started', nodeId, replyId, model, context }, step);
    if (!begun.ok) return;
    await this.#stream(nodeOf(this.#host.forest(), nodeId), replyId, context, '', near, stopwatch, signal);
  }

  /** Takes a reply that came with an imported dialogue; its context is what a chat model would have been sent. */
  async #give(nodeId: NodeId, text: string, near: Nearness, stopwatch: Stopwatch): Promise<void> {
    const replyId = this.#parts.newId();
    const context = await stopwatch.time('context', () => this.#context(nodeId, near));
    const begun = await this.#record({ type: 'reply-started', nodeId, replyId, model: 'given', context });
    if (!begun.ok) return;
    await this.#record({ type: 'reply-received', nodeId, replyId, text });
    const timings = stopwatch.take();
    await this.#record({ type: 'reply-ended', nodeId, replyId, state: 'done', failure: null, timings });
  }

  async #context(nodeId: NodeId, near: Nearness): Promise<Context> {
    const forest = this.#host.forest();
    const { context, overview } = await this.#policy.build({
      forest,
      nodeId,
      nearness: (id) => similarityTo(near, nodeOf(forest, id)),
      tokens: this.#tokenCache(),
      window: this.#parts.models().chat.window,
      parameters: this.#parameters,
      newId: this.#parts.newId,
    });
    if (overview !== null) await this.#record({ type: 'overview-built', overview });
    return context;
  }

  async #stream(
    node: Node,
    replyId: string,
    context: Context,
    begun: string,
    near: Nearness,
    stopwatch: Stopwatch,
    signal: AbortSignal,
  ): Promise<void> {
    const forest = this.#host.forest();
    const before = pathTo(forest, node.id).slice(0, -1);
    const request: ChatRequest = {
      messages: contextMessages(forest, context),
      begun,
      quotable: {
        path: before.length > 0 ? pathViews(forest, (before.at(-1) as Node).id, near) : [],
        nearest: Object.keys(forest.trees)
          .flatMap((treeId) => retrieve(forest, treeId, near))
          .filter(({ nodeId }) => nodeId !== node.id)
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, QUOTABLE),
      },
    };
    await streamReply(this.#parts.models().chat, request, {
      signal,
      stopwatch,
      received: (whole) => this.#host.received(node.id, replyId, whole),
      flush: async (text) =>
        (await this.#record({ type: 'reply-received', nodeId: node.id, replyId, text })).ok,
      ended: async (state, failure, timings) => {
        await this.#record({ type: 'reply-ended', nodeId: node.id, replyId, state, failure, timings });
      },
    });
  }

  /** Context-Agent §3.2: after the round its content becomes a summary, kept for later decisions. */
  async #settle(nodeId: NodeId, signal: AbortSignal): Promise<void> {
    if (this.#host.forest().nodes[nodeId] === undefined) return;
    this.#host.phase('summarising', nodeId, null);
    // A stopped reply is summarised all the same: the signal stopped the reply, not the memory of it.
    const lasting = signal.aborted ? new AbortController().signal : signal;
    await this.#summarise(nodeId, lasting);
    const node = this.#host.forest().nodes[nodeId];
    if (node !== undefined) await this.#embedNode(node, lasting);
  }

  /** A vector that is missing is made up for before the next decision, which also tells of the failure. */
  async #embedNode(node: Node, signal: AbortSignal): Promise<void> {
    await this.#nodeVectors()
      .ensure([node], signal)
      .catch(() => undefined);
  }

  async #summarise(nodeId: NodeId, signal: AbortSignal): Promise<void> {
    const node = this.#host.forest().nodes[nodeId];
    if (node === undefined) return;
    const turn = { message: node.message, reply: replyText(node) };
    const text = await this.#digest((model, inner) => model.summarise(turn, inner), signal);
    await this.#record({ type: 'summarised', nodeId, ...text });
    if (node.parentId === null) await this.titleTopic(node.treeId, signal);
  }

  /** The chosen summariser's text, or the embedded one's if it fails or says nothing. */
  async #digest(
    ask: (model: Summariser, signal: AbortSignal) => Promise<string>,
    signal: AbortSignal,
  ): Promise<{ text: string; by: string }> {
    const chosen = this.#parts.models().summarise;
    const { summarise: embedded } = this.#parts.embedded;
    if (chosen !== embedded) {
      const text = await withPatience((inner) => ask(chosen, inner), this.#parameters.patience, signal).catch(() => '');
      if (text.trim() !== '') return { text: text.trim(), by: chosen.name };
    }
    const text = await ask(embedded, signal);
    return { text: text.trim(), by: chosen === embedded ? embedded.name : `${embedded.name} (in place of ${chosen.name})` };
  }

  #record(event: (Intent & { type: 'record' })['event'], step: string | null = null): Promise<Handled> {
    return this.#host.commit({ type: 'record', event, step });
  }

  #nodeVectors(): NodeVectors {
    const { embed } = this.#parts.models();
    if (this.#vectors?.of !== embed.name) this.#vectors = { of: embed.name, nodes: new NodeVectors(embed, this.#parts.vectors) };
    return this.#vectors.nodes;
  }

  #tokenCache(): TokenCache {
    const { tokens } = this.#parts.models().chat;
    if (this.#tokens?.of !== tokens.name) this.#tokens = { of: tokens.name, cache: new TokenCache(tokens) };
    return this.#tokens.cache;
  }
}
