import type { Context, Segment } from '../../domain/context.ts';
import type { Fallback, SettingsUsed } from '../../domain/decision.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId, ReplyId } from '../../domain/forest.ts';
import { sum } from '../../domain/numbers.ts';
import { isUnsent, nodeOf, replyOf } from '../../domain/queries.ts';
import { recordsOf, withRecord } from '../../domain/table.ts';
import { OVERVIEW_HEAD, segmentText, shortenedMessages, turnMessages } from '../context/context-text.ts';
import { historyTokens } from '../context/policies/flat-context.ts';
import type { BuiltContext, MemoryAtTurn, Policy, PolicyInput } from '../context/policy.ts';
import type { RetrievalFor } from '../context/retrieval/retriever.ts';
import { sumTokens } from '../context/tokens.ts';
import { visibleForest } from '../context/visible-forest.ts';
import type { EngineCore } from '../core.ts';
import type { IngestListener } from '../memories/memory-access.ts';
import { errorMessage } from '../model-failure.ts';
import { defaultParameters, knownParameters, type Parameters, reserveFor } from '../parameters.ts';
import type { ChatModel } from '../ports.ts';
import { usedSettings } from '../settings.ts';
import { createYielder } from '../tasks.ts';
import type { TokenCache } from '../text/token-cache.ts';
import { textWindow, withFallbacks, withFittingPictures, withShownPictures } from '../turn/next-context.ts';
import { NodeVectors } from '../vectors/node-vectors.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { foldInParts } from './fold-in-parts.ts';
import { asSorted } from './sort-topics.ts';

/** A turn in its place and, if it has a reply, what that reply was sent. */
export interface PastTurn {
  readonly forest: Forest;
  readonly node: Node;
  readonly sent: Context | null;
  /** Name of the model that replied; null without a reply. */
  readonly model: string | null;
}

/**
 * Returns the forest just before a turn's chosen reply began, with what that reply was sent; null for a turn without a
 * place. Turns that were sorted into topics since are in their topics: of these, nothing was sent before.
 */
const turnThen = async (
  entries: readonly Entry[],
  nodeId: NodeId,
  breathe: () => Promise<void>,
): Promise<PastTurn | null> => {
  // The number of entries before each of its replies, and the number at which it was placed.
  const begunAt = new Map<ReplyId, number>();
  let placed: number | null = null;
  let last: ReplyId | null = null;
  let arranged = -1;
  const latest = await foldInParts(entries, breathe, entries.length, ({ event }, before) => {
    if (event.type === 'turns-arranged') arranged = before;
    if (event.type === 'turn-placed' && event.nodeId === nodeId) placed = before + 1;
    if (event.type !== 'reply-started' || event.nodeId !== nodeId) return;
    begunAt.set(event.replyId, before);
    last = event.replyId;
  });
  const now = latest.nodes[nodeId];
  // A turn that has since been removed counts as it last was.
  const replyId = now === undefined ? last : now.replyId;
  const moment = (replyId === null ? undefined : begunAt.get(replyId)) ?? placed;
  if (moment === null) return null;
  const sorted = arranged >= moment ? await asSorted(entries, breathe) : entries;
  if (sorted !== entries) return turnThen(sorted, nodeId, breathe);
  const forest = await foldInParts(entries, breathe, moment);
  const event = entries[moment]?.event;
  const begun = event?.type === 'reply-started' && event.nodeId === nodeId ? event : null;
  const reply = now === undefined ? begun : replyOf(now);
  return { forest, node: nodeOf(forest, nodeId), sent: reply?.context ?? null, model: reply?.model ?? null };
};

/** Breathes when due; rejects once the signal has fired. */
const breathingUntil = ({ parts }: EngineCore, signal: AbortSignal): (() => Promise<void>) => {
  const breathe = createYielder(parts.now);
  return async () => {
    signal.throwIfAborted();
    await breathe();
  };
};

/** What a turn's chosen reply was sent; null if nothing was sent or it is unknown. */
export const sentContext = (node: Node): Context | null => replyOf(node)?.context ?? null;

/** What a turn's context is built with. */
interface ContextInputs {
  readonly tokens: TokenCache;
  readonly window: number;
  readonly parameters: Parameters;
}

/** Those that were used for what was sent, else those of the turn's trace; of a turn that records none, the current ones. */
export const pastSettings = (core: EngineCore, { node, sent }: Pick<PastTurn, 'node' | 'sent'>): SettingsUsed =>
  sent?.settings ?? node.decision.trace?.settings ?? usedSettings(core.settings);

/**
 * The parameters are those of `pastSettings`. The tokenizer and the window are the chosen model's: all turns of a
 * conversation are counted by the same one.
 */
export const pastContextInputs = (
  core: EngineCore,
  { forest, node, sent }: Pick<PastTurn, 'forest' | 'node' | 'sent'>,
): ContextInputs => {
  const { chat } = core.parts.models();
  const parameters: Parameters = { ...defaultParameters, ...knownParameters(pastSettings(core, { node, sent })) };
  return {
    tokens: core.tokensOf(chat),
    window: chat.window,
    parameters: { ...parameters, replyReserve: reserveFor(forest, parameters, chat) },
  };
};

/** The known similarities of turns to one turn's message. */
type Nearness = Pick<RetrievalFor, 'nearness' | 'replyNearness'>;

/** The same, and what to wait for before `replyNearness` is asked: only retrieval does. */
export interface PastNearness extends Nearness {
  readonly knowReplies?: () => Promise<void>;
}

/** Similarity of turns and their replies to each other's messages. */
interface PastSimilarity {
  /** Ensures that turns have their vectors. Rejects if the signal fires. */
  know(nodes: readonly Node[]): Promise<void>;
  /** The same for their replies, as they are in these nodes. */
  knowReplies(nodes: readonly Node[]): Promise<void>;
  /** Null for what was not passed to `know` or `knowReplies`. */
  to(nodeId: NodeId): Nearness;
  /** Why no similarity of messages is known, in words; null if it is. */
  readonly why: string | null;
}

export const pastSimilarity = (core: EngineCore, signal: AbortSignal): PastSimilarity => {
  const { vectors } = core;
  const { table } = vectors;
  // The core's own stay those of the replies as they are now.
  const past = new NodeVectors(core.parts.models().embed, core.parts.vectors, vectors);
  let why: string | null = null;
  let withoutReplies = false;
  const unlessAborted = (error: unknown): string => {
    signal.throwIfAborted();
    return errorMessage(error);
  };
  const know: PastSimilarity['know'] = async (nodes) => {
    if (why !== null) return;
    try {
      await vectors.ensure(nodes, await core.languageOfTurns(), signal);
    } catch (error) {
      why = unlessAborted(error);
    }
  };
  const knowReplies: PastSimilarity['knowReplies'] = async (nodes) => {
    if (nodes.length === 0 || why !== null || withoutReplies) return;
    try {
      await past.ensureReplies(nodes, await core.languageOfTurns(), signal);
    } catch (error) {
      unlessAborted(error);
      // As while chatting: messages are compared without their replies.
      withoutReplies = true;
    }
  };
  // Cached because policies ask about the same turns repeatedly and sort by the answers.
  const cached = (of: VectorTable, vector: Float32Array) => {
    const known = new Map<NodeId, number | null>();
    return (other: NodeId): number | null => {
      const before = known.get(other);
      if (before !== undefined) return before;
      const similarity = of.similarity(other, vector);
      known.set(other, similarity);
      return similarity;
    };
  };
  const to: PastSimilarity['to'] = (nodeId) => {
    const row = why === null ? table.rowOf(nodeId) : -1;
    if (row < 0) return NOTHING_NEAR;
    const sum = new Float64Array(table.dimensions);
    table.addTo(sum, row);
    const vector = Float32Array.from(sum);
    const toReply = cached(past.replies, vector);
    return { nearness: cached(table, vector), replyNearness: (other) => (withoutReplies ? null : toReply(other)) };
  };
  return {
    know,
    knowReplies,
    to,
    get why() {
      return why;
    },
  };
};

const NOTHING_NEAR: Nearness = { nearness: () => null };

/** Counts a past context again if another tokenizer counted it, so that it can be compared with others. */
export const recounted = async (
  { forest, node }: Pick<PastTurn, 'forest' | 'node'>,
  context: Context,
  builtWith: ContextInputs,
): Promise<Context> => {
  const { tokens } = builtWith;
  if (context.unit === tokens.unit) return context;
  const { plainChatTokens: _, pictures, ...rest } = context;
  const beside = pictures === undefined ? builtWith : besidePictures(node, builtWith);
  const history = await historyTokens(visibleForest(forest, node.id), node, beside);
  const texts = context.segments.map((segment) => countedTexts(forest, segment));
  await tokens.prepare(texts.flat());
  const segments = context.segments.map((segment, at) => ({
    ...segment,
    tokens: sum((texts[at] ?? []).map((text) => tokens.count(text))),
  }));
  const text = { ...rest, ...history, segments, tokens: sumTokens(segments), unit: tokens.unit };
  return pictures === undefined ? text : withShownPictures(forest, text, mostTokens(builtWith), pictures.ids);
};

/** The texts of a segment that policies count one by one. */
const countedTexts = (forest: Forest, segment: Segment): string[] => {
  // In a log made elsewhere, a turn may already be gone.
  if ('nodeId' in segment && forest.nodes[segment.nodeId] === undefined) return [];
  if (segment.kind === 'turn') return turnMessages(forest, segment).map(({ content }) => content);
  if (segment.kind === 'shortened') return shortenedMessages(forest, segment).map(({ content }) => content);
  if (segment.kind === 'overview') {
    const lines = forest.overviews[segment.overviewId]?.lines ?? [];
    return lines.length === 0 ? [] : [OVERVIEW_HEAD, ...lines.map(({ text }) => text)];
  }
  return [segmentText(forest, segment)];
};

/** The forest of a context that was counted again, with the lines of its overview counted by the same tokenizer. */
const withRecountedLines = (forest: Forest, { segments }: Context, tokens: TokenCache): Forest => {
  const segment = segments.find(({ kind }) => kind === 'overview');
  const overview = segment?.kind === 'overview' ? forest.overviews[segment.overviewId] : undefined;
  if (overview === undefined) return forest;
  const lines = overview.lines.map((line) => ({ ...line, tokens: tokens.count(line.text) }));
  return { ...forest, overviews: withRecord(forest.overviews, overview.id, { ...overview, lines }) };
};

interface ContextBuild {
  /** Ends what a memory is waiting for. */
  readonly signal: AbortSignal;
  readonly near: PastNearness;
  /** Defaults to what was used then. */
  readonly builtWith?: ContextInputs;
  /** Called as a memory takes in turns; rejecting aborts it. */
  readonly taken?: IngestListener;
}

/** The input of a policy to build what it would have sent for a turn, and what fails while it does. */
const inputThen = async (
  core: EngineCore,
  then: PastTurn,
  policy: Policy,
  { signal, near, builtWith = pastContextInputs(core, then), taken }: ContextBuild,
): Promise<{ readonly input: PolicyInput; readonly failures: readonly Fallback[] }> => {
  const { forest, node } = then;
  const { nearness, replyNearness, knowReplies } = near;
  const retrieve = core.retrieve({ forest, nodeId: node.id, nearness, replyNearness }, 'before');
  const { memory, failures } = await core.watchedMemory(policy, signal);
  const input: PolicyInput = {
    forest,
    nodeId: node.id,
    nearness,
    retrieve: async (...query) => {
      await knowReplies?.();
      return retrieve(...query);
    },
    ...builtWith,
    newId: core.parts.newId,
    memory: { ...memory, when: 'before', ...(taken !== undefined && { taken }) },
  };
  return { input, failures };
};

/** The same without the room of the message's own pictures, for a model that is shown them. */
const besidePictures = <T extends ContextInputs>(node: Node, inputs: T): T => ({
  ...inputs,
  window: textWindow(node, inputs.window, inputs.parameters.replyReserve),
});

const mostTokens = ({ window, parameters }: ContextInputs): number => window - parameters.replyReserve;

/** Builds what a policy would have sent for a turn, with what failed for it, as when it is sent. */
export const rebuildContext = async (
  core: EngineCore,
  then: PastTurn,
  policy: Policy,
  building: ContextBuild,
): Promise<BuiltContext> => {
  const { input, failures } = await inputThen(core, then, policy, building);
  if (!wasShownPictures(core.parts.models().chat, then)) {
    return withFallbacks(await policy.build(input), policy, failures);
  }
  const built = withFallbacks(await policy.build(besidePictures(then.node, input)), policy, failures);
  // Those that are gone by now count, too.
  return { ...built, context: withFittingPictures(then.forest, built.context, mostTokens(input), () => true) };
};

/** Whether the model that replied, or else the chosen one, was shown the pictures of messages. */
export const wasShownPictures = (
  chat: Pick<ChatModel, 'name' | 'sees'>,
  { model, sent }: Pick<PastTurn, 'model' | 'sent'>,
): boolean => {
  const isSame = sent === null || model === chat.name;
  return sent?.pictures !== undefined || (isSame && chat.sees === true);
};

/** A policy's memory as it was before a turn, and what it recalls for the turn's message. */
export interface PastMemory extends MemoryAtTurn {
  /** The forest at that time, in which the turns of a cell are looked up. */
  readonly forest: Forest;
  /** What failed while it was built, and what stood in for it. */
  readonly fallbacks: readonly Fallback[];
}

/**
 * Returns a policy's memory just before a turn's chosen reply began, built with the current models. Null for a turn
 * that was never placed, and for a policy without memory. Rejects if a model fails or the signal fires.
 */
export const pastMemory = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  policy: Policy,
  signal: AbortSignal,
): Promise<PastMemory | null> => {
  const taken = breathingUntil(core, signal);
  const then = await turnThen(entries, nodeId, taken);
  if (then === null || policy.remember === undefined) return null;
  const { input, failures } = await inputThen(core, then, policy, { signal, near: NOTHING_NEAR, taken });
  const remembered = await policy.remember(input);
  signal.throwIfAborted();
  return { ...remembered, forest: then.forest, fallbacks: failures };
};

/** What a policy sends, or would have sent, for a turn. */
export interface PolicyContext {
  readonly policy: string;
  /** Whether it was actually sent: not if the reply was imported or a what-if built the context. */
  readonly sent: boolean;
  readonly context: Context;
  /** The forest that the context refers to: `contextMessages` of the two gives exactly what is sent. */
  readonly forest: Forest;
  /** Why no similarity to the message was known, in words; null if it was. */
  readonly withoutSimilarity: string | null;
}

/** Receives results as they arrive. */
export interface ContextsWatch {
  readonly onContext: (context: PolicyContext) => void;
  /** Number of turns that a policy's memory has taken in, out of `of`. */
  readonly onTaken: (policy: string, turns: number, of: number) => void;
  /** Why a policy's memory failed, in words; the others continue. */
  readonly onFailed: (policy: string, why: string) => void;
}

/**
 * Returns what each policy would have sent for a turn, in the given order: each for this turn alone, in the forest just
 * before the turn's chosen reply began; for the policy that was used, the context that was sent, counted like the others. Empty for a turn that
 * was never placed. Rejects if tokens cannot be counted or the signal fires, and, without a watch, if a memory's model
 * fails.
 */
export const contextsFor = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  policies: readonly Policy[],
  signal: AbortSignal,
  watch?: ContextsWatch,
): Promise<PolicyContext[]> => {
  const breathe = breathingUntil(core, signal);
  const then = await turnThen(entries, nodeId, breathe);
  if (then === null) return [];
  const builtWith = pastContextInputs(core, then);
  const similarity = pastSimilarity(core, signal);
  const nodes = recordsOf(then.forest.nodes);
  await similarity.know(nodes);
  const near = { ...similarity.to(nodeId), knowReplies: () => similarity.knowReplies(nodes) };
  const contexts: PolicyContext[] = [];
  const add = (context: PolicyContext) => {
    contexts.push(context);
    watch?.onContext(context);
  };
  for (const policy of policies) {
    signal.throwIfAborted();
    const { forest, sent } = then;
    if (sent?.policy === policy.name) {
      const context = await recounted(then, sent, builtWith);
      const shown = context === sent ? forest : withRecountedLines(forest, context, builtWith.tokens);
      add({
        policy: policy.name,
        sent: !isUnsent({ model: then.model, context: sent }),
        context,
        forest: shown,
        withoutSimilarity: null,
      });
      continue;
    }
    const taken = async (turns: number, of: number) => {
      signal.throwIfAborted();
      watch?.onTaken(policy.name, turns, of);
      await breathe();
    };
    const building = rebuildContext(core, then, policy, { signal, near, builtWith, taken });
    const built = await building.catch((error: unknown) => {
      signal.throwIfAborted();
      if (policy.remember === undefined || watch === undefined) throw error;
      watch.onFailed(policy.name, errorMessage(error));
      return null;
    });
    if (built === null) continue;
    const { context, overview } = built;
    const overviews = overview === null ? forest.overviews : withRecord(forest.overviews, overview.id, overview);
    add({
      policy: policy.name,
      sent: false,
      context,
      forest: { ...forest, overviews },
      withoutSimilarity: similarity.why,
    });
  }
  return contexts;
};
