import type { Fallback } from '../domain/decision.ts';
import type { Forest, Node, NodeId } from '../domain/forest.ts';
import type { Intent, IntentOutcome } from '../domain/handle.ts';
import { nodeOf } from '../domain/queries.ts';
import { recordsOf } from '../domain/table.ts';
import { turnsFrom } from '../domain/turns-in-order.ts';
import type { Policy, Retrieve } from './context/policy.ts';
import type { RetrievalFor, Retriever } from './context/retrieval/retriever.ts';
import { type MemoryAccess, MemoryStateCache, memoryAccess } from './memories/memory-access.ts';
import { errorMessage } from './model-failure.ts';
import { FailureList, watchedModels } from './model-fallback.ts';
import { defaultParameters, type Parameters } from './parameters.ts';
import { ComparedMessage } from './place/compared-message.ts';
import type { RouteInput } from './place/route-input.ts';
import type { ChatModel, Decider, Embedder, Models, Summariser } from './ports.ts';
import { type Settings, SHIPPED_SETTINGS, usedSettings } from './settings.ts';
import type { Storage } from './storage.ts';
import { once, withPatience } from './tasks.ts';
import type { LanguageOfTurn } from './text/spoken-language.ts';
import { TokenCache } from './text/token-cache.ts';
import { NodeVectors } from './vectors/node-vectors.ts';

/** What the engine reads and reports about one conversation. */
export interface Host {
  /** Returns the current conversation. A forest is never changed: a commit creates a new one that shares the unchanged parts. */
  forest(): Forest;
  /** Executes an intent and stores it; resolves once it is in the log. */
  commit(intent: Intent): Promise<IntentOutcome>;
  /** Runs a task between commits. Omitted where nothing is ever purged. */
  inQueue?<T>(task: () => Promise<T>): Promise<T>;
  /** Reports the full text of a reply so far; the log follows within a second. */
  received(nodeId: NodeId, replyId: string, whole: string): void;
  phase(phase: 'deciding' | 'replying' | 'summarising', nodeId: NodeId, replyId: string | null): void;
  /** The time of what is committed now, in milliseconds since 1970. */
  time(): number;
}

export interface EngineParts {
  /** The chosen models, read again for every turn. */
  models(): Models;
  /** Fallbacks for chosen models that fail; `chat` is used only if the person asks for it. */
  readonly embedded: { readonly chat: ChatModel; readonly decide: Decider; readonly summarise: Summariser };
  readonly vectors: Pick<Storage, 'readVectors' | 'saveVectors'>;
  /** Pictures sent with messages, as data URLs by id; missing ones are skipped. Absent if no model should see any. */
  pictures?(ids: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Read again for every turn; shipped settings if absent. */
  settings?(): Settings;
  /** Milliseconds on a monotonic clock. */
  now(): number;
  newId(): string;
}

/** The term reader comes with stop word lists, so it is loaded when a message is first sent. */
const termReader = once(async () => new (await import('./text/terms.ts')).TermReader());

/** Likewise for what tells the language, and the words of each. */
const spokenLanguage = once(() => import('./text/spoken-language.ts'));
const glossaries = once(() => import('./text/glossary.ts'));

/** Detects the language of messages: once for those asked about last, since several steps of a turn ask. */
const newDetector = async (): Promise<(messages: readonly string[]) => string | null> => {
  const { languageSpoken } = await spokenLanguage();
  let heard: { readonly messages: readonly string[]; readonly language: string | null } | null = null;
  return (messages) => {
    const isKnown =
      heard?.messages.length === messages.length && messages.every((one, i) => one === heard?.messages[i]);
    if (!isKnown) heard = { messages, language: languageSpoken(messages) };
    return heard?.language ?? null;
  };
};

/** Likewise for the retriever. */
const newRetriever = async (): Promise<Retriever> => new (await import('./context/retrieval/retriever.ts')).Retriever();

/** How many of the last turns get missing reply vectors before a message is placed. */
const LATEST = 8;
/** Most turns without vectors that a message waits for: a second at most, … */
const WAITED = 256;
/** … and beyond that, how many of the last turns, and of the last on the active path. */
const NEEDED = 32;

interface EngineCaches {
  /** Of the conversation as it is. */
  readonly live: Host;
  vectors: { readonly of: string; readonly nodes: NodeVectors } | null;
  readonly tokens: Map<string, TokenCache>;
  readonly memories: MemoryStateCache;
  readonly detector: () => ReturnType<typeof newDetector>;
  /** The language heard last that the embedder does not know. */
  foreign: string | null;
  /** Retrieval by words and vectors: over the conversation as it is, and as it was for features that go back in time. */
  readonly retrievers: Readonly<Record<'now' | 'before', () => Promise<Retriever>>>;
}

/** State shared by the parts of the engine: settings, and what is computed once and looked up often. */
export class EngineCore {
  readonly parts: EngineParts;
  readonly host: Host;
  readonly #kept: EngineCaches;

  constructor(
    parts: EngineParts,
    host: Host,
    kept: EngineCaches = {
      live: host,
      vectors: null,
      tokens: new Map(),
      memories: new MemoryStateCache(),
      detector: once(newDetector),
      foreign: null,
      retrievers: { now: once(newRetriever), before: once(newRetriever) },
    },
  ) {
    this.parts = parts;
    this.host = host;
    this.#kept = kept;
  }

  /** Returns a core for another forest of the conversation that shares the caches. */
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

  /** Current inputs of every decision. */
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

  /** Node embeddings by the currently chosen embedder. */
  get vectors(): NodeVectors {
    const { embed } = this.parts.models();
    const kept = this.#kept;
    if (kept.vectors?.of !== embed.name) {
      const { live } = kept;
      const nodes = new NodeVectors(embed, this.parts.vectors, null, {
        isThere: (id) => live.forest().nodes[id] !== undefined,
        inQueue: (task) => live.inQueue?.(task) ?? task(),
      });
      kept.vectors = { of: embed.name, nodes };
    } else kept.vectors.nodes.use(embed);
    return kept.vectors.nodes;
  }

  /** Returns a search for earlier turns. `when`: whether the forest is the conversation as it is, or as it was. */
  retrieve(about: RetrievalFor, when: 'now' | 'before' = 'now'): Retrieve {
    const retriever = this.#kept.retrievers[when];
    return async (query, options) => (await retriever()).for(about)(query, options);
  }

  /** Token counts by the tokenizer of the currently chosen chat model. */
  get tokens(): TokenCache {
    return this.tokensOf(this.parts.models().chat);
  }

  /**
   * The memories that policies have built of the conversation so far and continue from. Failures of their models during
   * use are reported, and nothing waits forever or once the signal has fired. Only a memory has its texts read as
   * turns are (`NodeVectors.read`): what `focused` makes of similarities was fitted to texts as they are.
   */
  async watchedMemory(
    { remember }: Policy,
    signal: AbortSignal,
  ): Promise<{ readonly memory: MemoryAccess; readonly failures: readonly Fallback[] }> {
    const foreign = remember === undefined ? null : await this.#foreign();
    const { vectors } = this;
    const { embed, summarise, missing } = this.parts.models();
    const reading: Embedder = {
      name: embed.name,
      dimensions: embed.dimensions,
      theta: embed.theta,
      embed: async (texts, inner) => embed.embed(await vectors.read(texts, foreign), inner),
    };
    const failures = new FailureList();
    const watched = watchedModels({ embed: reading, summarise }, this.parameters.patience, signal, failures);
    const name = foreign === null ? embed.name : `${embed.name}, ${foreign}`;
    const models = { ...watched, embed: { ...watched.embed, name }, ...(missing && { missing }) };
    const watch = { signal, failures };
    const memory = memoryAccess(models, this.tokens, this.parts.now, this.#kept.memories, watch);
    return { memory, failures: failures.all };
  }

  /** Has whoever looks back next do again what models failed at while memories were built. */
  retryMemories(): void {
    this.#kept.memories.retryFailures();
  }

  /**
   * The language that texts are put into English from for memories; null if none is. It stays when the person goes
   * over to English, which is read as it is anyway: in another language every memory is made anew.
   */
  async #foreign(): Promise<string | null> {
    const heard = await this.#heard();
    if (this.vectors.isForeign(heard)) this.#kept.foreign = heard;
    const { foreign } = this.#kept;
    return this.vectors.isForeign(foreign) ? foreign : null;
  }

  /** Returns token counts by a chat model's own tokenizer. */
  tokensOf({ tokens }: ChatModel): TokenCache {
    const kept = this.#kept.tokens.get(tokens.name);
    if (kept !== undefined) {
      kept.use(tokens);
      return kept;
    }
    const cache = new TokenCache(tokens);
    this.#kept.tokens.set(tokens.name, cache);
    return cache;
  }

  /**
   * Detects the language the person writes in, from what they wrote last, and loads its glossary, in which cues are
   * found whatever the embedder reads; `message` is not in its place yet.
   */
  async spoken(...message: string[]): Promise<string | null> {
    const spoken = await this.#heard(...message);
    await (await glossaries()).loadGlossary(spoken);
    return spoken;
  }

  /** Tells the language that the person wrote in when they sent a turn; `message` is not in its place yet. */
  async languageOfTurns(...message: string[]): Promise<LanguageOfTurn> {
    const { languageOfTurns } = await spokenLanguage();
    return languageOfTurns(this.host.forest(), await this.#heard(...message), await this.#kept.detector());
  }

  async #heard(...message: string[]): Promise<string | null> {
    const { latestMessages, MESSAGES_HEARD } = await spokenLanguage();
    const languageIn = await this.#kept.detector();
    return languageIn([...latestMessages(this.host.forest()), ...message].slice(-MESSAGES_HEARD));
  }

  /** Embeds the last replies that have no vector; the message is compared without those that fail. */
  async #compareReplies(
    from: string,
    languages: LanguageOfTurn,
    fallbacks: Fallback[],
    signal: AbortSignal,
  ): Promise<void> {
    const forest = this.host.forest();
    const latest = turnsFrom(forest, forest.turnCount - LATEST + 1);
    try {
      await this.vectors.ensureReplies(latest, languages, signal);
    } catch (error) {
      signal.throwIfAborted();
      const why = errorMessage(error);
      fallbacks.push({ role: 'embed', from, to: 'messages without their replies', why });
    }
  }

  /**
   * Ensures that turns have their vectors. If very many lack one, the message does not wait for all: it is compared
   * with those that are ready.
   */
  async #ensureVectors(
    from: string,
    languages: LanguageOfTurn,
    fallbacks: Fallback[],
    signal: AbortSignal,
  ): Promise<void> {
    const { vectors } = this;
    const forest = this.host.forest();
    const lacking = vectors.countLacking(forest);
    if (lacking === 0) return;
    if (lacking <= WAITED) return vectors.ensure(recordsOf(forest.nodes), languages, signal);
    const needed = new Set([
      ...turnsFrom(forest, forest.turnCount - NEEDED + 1),
      ...pathEnd(forest, forest.active?.nodeId ?? null, NEEDED),
    ]);
    await vectors.ensure([...needed], languages, signal);
    const left = vectors.countLacking(forest);
    if (left === 0) return;
    const why = `${left.toLocaleString('en')} earlier ones are still to be embedded`;
    fallbacks.push({ role: 'embed', from, to: 'a comparison with the turns embedded so far', why });
    // A failure here is retried, and reported, with the next message.
    vectors.makeUp(recordsOf(forest.nodes), languages).catch(() => undefined);
  }

  /** Embeds a message and any node that still lacks its vector. A failure becomes a fallback instead of an error. */
  async compareMessage(message: string, signal: AbortSignal, fallbacks: Fallback[]): Promise<ComparedMessage> {
    const { embed, missing } = this.parts.models();
    const wanted = missing?.find(({ role }) => role === 'embed');
    // The first message is compared with nothing.
    if (wanted !== undefined && this.host.forest().active !== null) {
      fallbacks.push({ role: 'embed', from: wanted.name, to: embed.name, why: wanted.why });
    }
    const { vectors } = this;
    try {
      return await withPatience(
        async (inner) => {
          const spoken = await this.spoken(message);
          const terms = await termReader();
          const languages = await this.languageOfTurns(message);
          await vectors.readAnew(this.host.forest(), languages, inner);
          await this.#ensureVectors(embed.name, languages, fallbacks, inner);
          await this.#compareReplies(embed.name, languages, fallbacks, inner);
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
      // Without the glossary, if it is that which could not be loaded.
      const reads = { replies: vectors.replies, spoken: await this.#heard(message), terms: await termReader() };
      return new ComparedMessage(message, null, vectors.table, embed.name, vectors.index, reads);
    }
  }
}

/** Returns the last turns of a path, end first. */
const pathEnd = (forest: Forest, nodeId: NodeId | null, count: number): Node[] => {
  const end: Node[] = [];
  for (let id = nodeId; id !== null && end.length < count; ) {
    const node = nodeOf(forest, id);
    end.push(node);
    id = node.parentId;
  }
  return end;
};
