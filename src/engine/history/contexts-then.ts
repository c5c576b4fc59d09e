import type { Context } from '../../domain/context.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId, ReplyId } from '../../domain/forest.ts';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import { recordsOf, withRecord } from '../../domain/table.ts';
import type { MemoryAtTurn, Policy, PolicyInput } from '../context/policy.ts';
import type { TokenCache } from '../context/tokens.ts';
import type { EngineCore } from '../core.ts';
import type { OnTaken } from '../memories/memory-access.ts';
import { errorMessage } from '../model-failure.ts';
import { defaultParameters, type Parameters } from '../parameters.ts';
import type { ChatModel } from '../ports.ts';
import { breathing } from '../tasks.ts';
import { reserveFor } from '../turn/reply.ts';
import { foldInParts } from './fold-in-parts.ts';

/** A turn where it stands and, where it has a reply, what that was sent. */
export interface ThenTurn {
  readonly forest: Forest;
  readonly node: Node;
  readonly sent: Context | null;
}

/** The forest just before a turn's chosen reply began, with what that was sent; null for a turn without a place. */
const turnThen = async (
  entries: readonly Entry[],
  nodeId: NodeId,
  breathe: () => Promise<void>,
): Promise<ThenTurn | null> => {
  // How many entries stood before each of its replies, and when it had its place.
  const begun = new Map<ReplyId, number>();
  let placed: number | null = null;
  let last: ReplyId | null = null;
  const latest = await foldInParts(entries, breathe, entries.length, ({ event }, before) => {
    if (event.type === 'turn-placed' && event.nodeId === nodeId) placed = before + 1;
    if (event.type !== 'reply-started' || event.nodeId !== nodeId) return;
    begun.set(event.replyId, before);
    last = event.replyId;
  });
  const now = latest.nodes[nodeId];
  // A turn that has been taken out since is what it was last.
  const replyId = now === undefined ? last : now.replyId;
  const moment = (replyId === null ? undefined : begun.get(replyId)) ?? placed;
  if (moment === null) return null;
  const forest = await foldInParts(entries, breathe, moment);
  const event = entries[moment]?.event;
  const sent = event?.type === 'reply-started' && event.nodeId === nodeId ? event.context : null;
  return { forest, node: nodeOf(forest, nodeId), sent: now === undefined ? sent : sentContext(now) };
};

/** Breathes where it is due; rejects once the signal has fired. */
const breathingUntil = ({ parts }: EngineCore, signal: AbortSignal): (() => Promise<void>) => {
  const breathe = breathing(parts.now);
  return async () => {
    signal.throwIfAborted();
    await breathe();
  };
};

/** What a turn's chosen reply was sent; null where nothing was, or it is not known. */
export const sentContext = (node: Node): Context | null => replyOf(node)?.context ?? null;

/** What a context of a turn is built with. */
interface BuiltWith {
  readonly tokens: TokenCache;
  readonly window: number;
  readonly parameters: Parameters;
}

/**
 * As it was when the turn was decided, as far as that is known: the parameters by the trace, the tokenizer by the unit
 * that the sent context was counted in, where one of the models here has it. The window is the chosen model's.
 */
export const builtWithThen = (core: EngineCore, forest: Forest, node: Node, sent: Context | null): BuiltWith => {
  const { chat } = core.parts.models();
  const used = node.decision.trace?.settings;
  const parameters: Parameters =
    used === undefined ? core.parameters : { ...defaultParameters, ...(used.parameters as Partial<Parameters>) };
  return {
    tokens: core.tokensOf(countedBy(core, chat, sent)),
    window: chat.window,
    parameters: { ...parameters, replyReserve: reserveFor(forest, parameters, chat) },
  };
};

const countedBy = ({ parts }: EngineCore, chat: ChatModel, sent: Context | null): ChatModel =>
  sent !== null && sent.unit !== chat.tokens.name && sent.unit === parts.embedded.chat.tokens.name
    ? parts.embedded.chat
    : chat;

/** How near turns were to each other's messages: of every turn its message is what is embedded. */
interface NearnessThen {
  /** Sees to it that turns have their vectors. Rejects if the signal fires. */
  know(nodes: readonly Node[]): Promise<void>;
  /** Null of a turn that it was not to know of. */
  to(nodeId: NodeId): (other: NodeId) => number | null;
  /** Why nothing is known of it, in words; null where it is. */
  readonly why: string | null;
}

export const nearnessThen = (core: EngineCore, signal: AbortSignal): NearnessThen => {
  const { vectors } = core;
  const { table } = vectors;
  let why: string | null = null;
  const know = async (nodes: readonly Node[]): Promise<void> => {
    if (why !== null) return;
    try {
      await vectors.ensure(nodes, await core.spoken(), signal);
    } catch (error) {
      signal.throwIfAborted();
      why = errorMessage(error);
    }
  };
  const to: NearnessThen['to'] = (nodeId) => {
    if (why !== null) return () => null;
    const sum = new Float64Array(table.dimensions);
    const row = table.rowOf(nodeId);
    if (row < 0) return () => null;
    table.addTo(sum, row);
    const vector = Float32Array.from(sum);
    // Policies ask about the same turns, and sort by the answers.
    const known = new Map<NodeId, number | null>();
    return (other) => {
      const before = known.get(other);
      if (before !== undefined) return before;
      const similarity = table.similarity(other, vector);
      known.set(other, similarity);
      return similarity;
    };
  };
  return {
    know,
    to,
    get why() {
      return why;
    },
  };
};

interface ContextBuild {
  readonly nearness: (nodeId: NodeId) => number | null;
  /** As it was then, where it is left out. */
  readonly builtWith?: BuiltWith;
  /** Told of what a memory takes in, and ends it by rejecting. */
  readonly taken?: OnTaken;
}

/** What a policy is given to build what it would have sent for a turn. */
const inputThen = (
  core: EngineCore,
  { forest, node, sent }: ThenTurn,
  { nearness, builtWith = builtWithThen(core, forest, node, sent), taken }: ContextBuild,
): PolicyInput => ({
  forest,
  nodeId: node.id,
  nearness,
  retrieve: core.retrieve({ forest, nodeId: node.id, nearness }, 'before'),
  ...builtWith,
  newId: core.parts.newId,
  memory: { ...core.memory, ...(taken !== undefined && { taken }) },
});

/** What a policy would have sent for a turn. */
export const builtThen = (
  core: EngineCore,
  then: ThenTurn,
  policy: Policy,
  building: ContextBuild,
): ReturnType<Policy['build']> => policy.build(inputThen(core, then, building));

/** A policy's memory as it was before a turn, with what it recalls for the turn's message. */
export interface MemoryThen extends MemoryAtTurn {
  /** The forest as it stood then: what the turns of a cell are looked up in. */
  readonly forest: Forest;
}

/**
 * The memory of a policy just before a turn's chosen reply began, made by the models of now. Null for a turn that never had
 * a place, and for a policy that keeps no memory. Rejects where a model fails, and if the signal fires.
 */
export const memoryThen = async (
  core: EngineCore,
  entries: readonly Entry[],
  nodeId: NodeId,
  policy: Policy,
  signal: AbortSignal,
): Promise<MemoryThen | null> => {
  const taken = breathingUntil(core, signal);
  const then = await turnThen(entries, nodeId, taken);
  if (then === null || policy.remember === undefined) return null;
  const remembered = await policy.remember(inputThen(core, then, { nearness: () => null, taken }));
  signal.throwIfAborted();
  return { ...remembered, forest: then.forest };
};

/** What a policy sends, or would have sent, for a turn. */
export interface PolicyContext {
  readonly policy: string;
  /** It is what was really sent. */
  readonly sent: boolean;
  readonly context: Context;
  /** The forest that the context is about: `contextMessages` of the two is what is sent, byte for byte. */
  readonly forest: Forest;
  /** Why nothing was known of what is near to the message, in words; null where it was. */
  readonly withoutSimilarity: string | null;
}

/** Told of what comes, as it comes. */
export interface ContextsWatch {
  readonly onContext: (context: PolicyContext) => void;
  /** How many turns of how many a policy's memory has taken in. */
  readonly onTaken: (policy: string, turns: number, of: number) => void;
  /** What a policy's memory failed of, in words: the others go on. */
  readonly onFailed: (policy: string, why: string) => void;
}

/**
 * What each policy would have sent for a turn, in the order given: each for this turn alone, in the forest as it stood
 * just before the turn's chosen reply began; of the policy that was used, the context that was sent. Empty for a turn
 * that never had a place. Rejects where tokens cannot be counted, and if the signal fires; without a watch, where a
 * memory's model fails, too.
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
  const near = nearnessThen(core, signal);
  await near.know(recordsOf(then.forest.nodes));
  const contexts: PolicyContext[] = [];
  const add = (context: PolicyContext) => {
    contexts.push(context);
    watch?.onContext(context);
  };
  for (const policy of policies) {
    signal.throwIfAborted();
    const { forest, sent } = then;
    if (sent?.policy === policy.name) {
      add({ policy: policy.name, sent: true, context: sent, forest, withoutSimilarity: null });
      continue;
    }
    const taken = async (turns: number, of: number) => {
      signal.throwIfAborted();
      watch?.onTaken(policy.name, turns, of);
      await breathe();
    };
    const building = builtThen(core, then, policy, { nearness: near.to(nodeId), taken });
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
      withoutSimilarity: near.why,
    });
  }
  return contexts;
};
