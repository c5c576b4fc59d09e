import type { Fallback } from '../domain/decision.ts';
import type { Forest, Node, NodeId } from '../domain/forest.ts';
import type { Intent, IntentOutcome } from '../domain/handle.ts';
import { nodeOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { turnsFrom } from '../domain/turns-in-order.ts';
import { type WatchedModels, watchedModels } from './ask.ts';
import type { Policy, Retrieve } from './context/policy.ts';
import type { RetrievalFor, Retriever } from './context/retrieval/retriever.ts';
import { TokenCache } from './context/tokens.ts';
import { KeptStates, type MemoryAccess, memoryAccess } from './memories/memory-access.ts';
import { errorMessage } from './model-failure.ts';
import { defaultParameters, type Parameters } from './parameters.ts';
import { ComparedMessage } from './place/compared-message.ts';
import type { RouteInput } from './place/route-input.ts';
import type { ChatModel, Decider, Models, Summariser } from './ports.ts';
import { type Settings, SHIPPED_SETTINGS, usedSettings } from './settings.ts';
import type { Storage } from './storage.ts';
import { once, withPatience } from './tasks.ts';
import { NodeVectors } from './vectors/node-vectors.ts';

/** What the engine is told and tells about one conversation. */
export interface Host {
  /** The conversation as it is. A forest once given is never changed: a commit makes another that shares what is the same. */
  forest(): Forest;
  /** Carries an intent out and stores it; resolves when it is in the log. */
  commit(intent: Intent): Promise<IntentOutcome>;
  /** The whole of a reply as far as it has come; the log follows within a second. */
  received(nodeId: NodeId, replyId: string, whole: string): void;
  phase(phase: 'deciding' | 'replying' | 'summarising', nodeId: NodeId, replyId: string | null): void;
}

export interface EngineParts {
  /** The chosen models, read anew for every turn. */
  models(): Models;
  /** What stands in where a chosen model fails; `chat` only where the person asks for it. */
  readonly embedded: { readonly chat: ChatModel; readonly decide: Decider; readonly summarise: Summariser };
  readonly vectors: Pick<Storage, 'readVectors' | 'saveVectors'>;
  /** Pictures that came with messages, as data URLs by their ids; those that are there. Left out where no model is to see any. */
  pictures?(ids: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Read anew for every turn; as shipped if left out. */
  settings?(): Settings;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  newId(): string;
}

/** What finds words in turns comes with lists of words of grammar: it is loaded when a message is first sent. */
const termReader = once(async () => new (await import('./text/terms.ts')).TermReader());

/** Likewise what finds turns. */
const newRetriever = async (): Promise<Retriever> => new (await import('./context/retrieval/retriever.ts')).Retriever();

/** Turns whose replies are made up for before a message is placed, where that was not done after them. */
const LATEST = 8;
/** Turns without their vectors that a message waits for: a second at the most, … */
const WAITED = 256;
/** … and of more than that how many of the last turns, and of the last on the active path. */
const NEEDED = 32;

interface EngineCaches {
  vectors: { readonly of: string; readonly nodes: NodeVectors } | null;
  readonly tokens: Map<string, TokenCache>;
  readonly memories: KeptStates;
  /** By words and vectors: of the conversation as it is, and as it was, for what goes back in time. */
  readonly retrievers: Readonly<Record<'now' | 'before', () => Promise<Retriever>>>;
}

/** What the parts of the engine share: settings, and what is computed once and looked up often. */
export class EngineCore {
  readonly parts: EngineParts;
  readonly host: Host;
  readonly #kept: EngineCaches;

  constructor(
    parts: EngineParts,
    host: Host,
    kept: EngineCaches = {
      vectors: null,
      tokens: new Map(),
      memories: new KeptStates(),
      retrievers: { now: once(newRetriever), before: once(newRetriever) },
    },
  ) {
    this.parts = parts;
    this.host = host;
    this.#kept = kept;
  }

  /** The same about another forest of the conversation: what is computed once serves both. */
  on(host: Host): EngineCore {
    return new EngineCore(this.parts, host, this.#kept);
  }

  get settings(): Settings {
    return this.parts.settings?.() ?? SHIPPED_SETTINGS;
  }

  get parameters(): Parameters {
    return { ...defaultParameters, ...this.settings.parameters };
  }

  get policy(): Policy {
    return this.settings.policy;
  }

  record(event: (Intent & { type: 'record' })['event'], step: string | null = null): Promise<IntentOutcome> {
    return this.host.commit({ type: 'record', event, step });
  }

  /** What every decision is made with now. */
  get routing(): Pick<
    RouteInput,
    'embedder' | 'theta' | 'policy' | 'retrieval' | 'topicBy' | 'parameters' | 'prompts' | 'settings'
  > {
    const { parameters, policy, settings } = this;
    const { embed } = this.parts.models();
    return {
      embedder: embed.name,
      theta: parameters.theta ?? policy.theta ?? embed.theta,
      policy: policy.name,
      retrieval: policy.retrieval,
      ...(policy.topicBy && { topicBy: policy.topicBy }),
      parameters,
      prompts: settings.prompts,
      settings: usedSettings(settings),
    };
  }

  /** Embeddings of the nodes, by the embedder now chosen. */
  get vectors(): NodeVectors {
    const { embed } = this.parts.models();
    const kept = this.#kept;
    if (kept.vectors?.of !== embed.name) {
      kept.vectors = { of: embed.name, nodes: new NodeVectors(embed, this.parts.vectors) };
    }
    return kept.vectors.nodes;
  }

  /** Finds earlier turns for one. `when`: whether its forest is the conversation as it is, or as it was. */
  retrieve(about: RetrievalFor, when: 'now' | 'before' = 'now'): Retrieve {
    const retriever = this.#kept.retrievers[when];
    return async (query, options) => (await retriever()).for(about)(query, options);
  }

  /** Token counts, by the tokenizer of the chat model now chosen. */
  get tokens(): TokenCache {
    return this.tokensOf(this.parts.models().chat);
  }

  /** What policies with a memory of their own have made of the conversation, and go on with. */
  get memory(): MemoryAccess {
    return memoryAccess(this.parts.models(), this.tokens, this.parts.now, this.#kept.memories);
  }

  /** The same by models that are watched: what fails while it is used is told, and nothing waits for ever. */
  watchedMemory(): { readonly memory: MemoryAccess; readonly failures: WatchedModels['failures'] } {
    const watched = watchedModels(this.parts.models(), this.parameters.patience);
    const memory = memoryAccess(watched, this.tokens, this.parts.now, this.#kept.memories);
    return { memory, failures: watched.failures };
  }

  /** Token counts, by a chat model's own tokenizer. */
  tokensOf({ tokens }: ChatModel): TokenCache {
    const kept = this.#kept.tokens.get(tokens.name);
    if (kept !== undefined) return kept;
    const cache = new TokenCache(tokens);
    this.#kept.tokens.set(tokens.name, cache);
    return cache;
  }

  /** The language that the person writes in, by what they wrote last. */
  async spoken(message = ''): Promise<string | null> {
    const { languageSpoken, latestMessages } = await import('./text/spoken-language.ts');
    return languageSpoken([...latestMessages(this.host.forest()), message]);
  }

  /** Embeds the last replies that lack their vectors; the message is compared without those that cannot be had. */
  async #compareReplies(
    from: string,
    spoken: string | null,
    fallbacks: Fallback[],
    signal: AbortSignal,
  ): Promise<void> {
    const forest = this.host.forest();
    const latest = turnsFrom(forest, forest.turnCount - LATEST + 1);
    try {
      await this.vectors.ensureReplies(latest, spoken, signal);
    } catch (error) {
      signal.throwIfAborted();
      const why = errorMessage(error);
      fallbacks.push({ role: 'embed', from, to: 'messages without their replies', why });
    }
  }

  /** Sees to it that turns have their vectors. Of very many the message does not wait for all: it is compared with those that are there. */
  async #ensureVectors(from: string, spoken: string | null, fallbacks: Fallback[], signal: AbortSignal): Promise<void> {
    const { vectors } = this;
    const forest = this.host.forest();
    const lacking = vectors.countLacking(forest);
    if (lacking === 0) return;
    if (lacking <= WAITED) return vectors.ensure(recordsOf(forest.nodes), spoken, signal);
    const needed = new Set([
      ...turnsFrom(forest, forest.turnCount - NEEDED + 1),
      ...pathEnd(forest, forest.active?.nodeId ?? null, NEEDED),
    ]);
    await vectors.ensure([...needed], spoken, signal);
    const left = vectors.countLacking(forest);
    if (left === 0) return;
    const why = `${left.toLocaleString('en')} earlier ones are still to be embedded`;
    fallbacks.push({ role: 'embed', from, to: 'those that are', why });
    // What fails there is tried again, and told, with the next message.
    vectors.makeUp(recordsOf(forest.nodes), spoken).catch(() => undefined);
  }

  /** Embeds a message, and any node that still lacks its vector. A failure is a fallback, not an end. */
  async compareMessage(message: string, signal: AbortSignal, fallbacks: Fallback[]): Promise<ComparedMessage> {
    const { embed } = this.parts.models();
    const { vectors } = this;
    try {
      return await withPatience(
        async (inner) => {
          const spoken = await this.spoken(message);
          const terms = await termReader();
          await vectors.readAnew(this.host.forest(), spoken, inner);
          await this.#ensureVectors(embed.name, spoken, fallbacks, inner);
          await this.#compareReplies(embed.name, spoken, fallbacks, inner);
          const [vector = null] = await embed.embed(await vectors.read([message], spoken), inner);
          return new ComparedMessage(message, vector, vectors.table, embed.name, vectors.index, {
            replies: vectors.replies,
            spoken,
            terms,
          });
        },
        this.parameters.patience,
        signal,
      );
    } catch (error) {
      if (signal.aborted) throw error;
      const why = errorMessage(error);
      fallbacks.push({ role: 'embed', from: embed.name, to: 'words and recency alone', why });
      const reads = { replies: vectors.replies, spoken: await this.spoken(message), terms: await termReader() };
      return new ComparedMessage(message, null, vectors.table, embed.name, vectors.index, reads);
    }
  }
}

/** The last turns of a path, the end first. */
const pathEnd = (forest: Forest, nodeId: NodeId | null, count: number): Node[] => {
  const end: Node[] = [];
  for (let id = nodeId; id !== null && end.length < count; ) {
    const node = nodeOf(forest, id);
    end.push(node);
    id = node.parentId;
  }
  return end;
};
