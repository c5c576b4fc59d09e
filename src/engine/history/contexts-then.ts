import { fold } from '../../domain/apply.ts';
import type { Context } from '../../domain/context.ts';
import type { Entry } from '../../domain/entry.ts';
import type { Forest, Node, NodeId, ReplyId } from '../../domain/forest.ts';
import { nodeOf, replyOf } from '../../domain/queries.ts';
import type { Policy, PolicyInput } from '../context/policy.ts';
import { momentOfReply } from '../context/shown-context.ts';
import type { TokenCache } from '../context/token-cache.ts';
import type { EngineCore } from '../core.ts';
import type { Taken } from '../memories/kept-states.ts';
import { defaultParameters, type Parameters } from '../parameters.ts';
import type { ChatModel } from '../ports.ts';
import { reserveFor } from '../turn/reply.ts';

/** A turn where it stands and, where it has a reply, what that was sent. */
export interface ThenTurn {
  readonly forest: Forest;
  readonly node: Node;
  readonly sent: Context | null;
}

/** The forest just before a turn's chosen reply began, with what that was sent; null for a turn without a place. */
export const turnThen = (entries: readonly Entry[], nodeId: NodeId): ThenTurn | null => {
  // A turn that has been taken out since is what it was last.
  const now = fold(entries).nodes[nodeId];
  const last = entries.findLast(({ event }) => event.type === 'reply-started' && event.nodeId === nodeId)?.event;
  const replyId = now !== undefined ? now.replyId : last?.type === 'reply-started' ? last.replyId : null;
  const moment = momentOfTurn(entries, nodeId, replyId);
  if (moment === null) return null;
  const forest = fold(entries, moment);
  const begun = entries[moment]?.event;
  const sent = begun?.type === 'reply-started' && begun.nodeId === nodeId ? begun.context : null;
  return { forest, node: nodeOf(forest, nodeId), sent: now === undefined ? sent : sentContext(now) };
};

/** How many entries stood before a turn's chosen reply began; of a turn without one, when it had its place. */
const momentOfTurn = (entries: readonly Entry[], nodeId: NodeId, replyId: ReplyId | null): number | null => {
  const begun = replyId === null ? null : momentOfReply(entries, replyId);
  if (begun !== null) return begun;
  const placed = entries.findLastIndex(({ event }) => event.type === 'turn-placed' && event.nodeId === nodeId);
  return placed === -1 ? null : placed + 1;
};

/** What a turn's chosen reply was sent; null where nothing was, or it is not known. */
export const sentContext = (node: Node): Context | null => replyOf(node)?.context ?? null;

/** What a context of a turn is built with. */
export interface BuiltWith {
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
export interface NearnessThen {
  to(nodeId: NodeId): (other: NodeId) => number | null;
  /** Why nothing is known of it, in words; null where it is. */
  readonly why: string | null;
}

export const nearnessThen = async (
  core: EngineCore,
  nodes: readonly Node[],
  signal: AbortSignal,
): Promise<NearnessThen> => {
  const { vectors } = core;
  try {
    await vectors.ensure(nodes, await core.spoken(), signal);
  } catch (error) {
    signal.throwIfAborted();
    return { to: () => () => null, why: error instanceof Error ? error.message : String(error) };
  }
  const { table } = vectors;
  const to: NearnessThen['to'] = (nodeId) => {
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
  return { to, why: null };
};

interface Building {
  readonly nearness: (nodeId: NodeId) => number | null;
  /** As it was then, where it is left out. */
  readonly builtWith?: BuiltWith;
  /** Told of what a memory takes in, and ends it by rejecting. */
  readonly taken?: Taken;
}

/** What a policy is given to build what it would have sent for a turn. */
export const inputThen = (
  core: EngineCore,
  { forest, node, sent }: ThenTurn,
  { nearness, builtWith = builtWithThen(core, forest, node, sent), taken }: Building,
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
  building: Building,
): ReturnType<Policy['build']> => policy.build(inputThen(core, then, building));
