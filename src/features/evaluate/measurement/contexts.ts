import type { Context, Overview } from '../../../domain/context.ts';
import type { Forest, NodeId } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import type { BuiltContext, Policy } from '../../../engine/context/policy.ts';
import { Retriever } from '../../../engine/context/retrieval/retriever.ts';
import { turnTokens } from '../../../engine/context/tokens.ts';
import { EMBEDDER } from '../../../engine/embedded-names.ts';
import { type MemoryAccess, MemoryStateCache, memoryAccess } from '../../../engine/memories/memory-access.ts';
import { defaultParameters } from '../../../engine/parameters.ts';
import type { ComparedMessage } from '../../../engine/place/compared-message.ts';
import { glossedForEmbedder } from '../../../engine/text/glossary.ts';
import type { TokenCache } from '../../../engine/text/token-cache.ts';
import { createExtractive } from '../../../models/embedded/extractive/summary.ts';
import { type EmbedTexts, USE_LITE_THETA } from '../../../models/runtimes/embedding.ts';
import type { LabelledDialogue } from '../datasets/dialogues.ts';
import type { VectorOf } from './embedded-texts.ts';
import { ancestorsOf, type EvaluationMode, type Placements, placeIn } from './placements.ts';
import { nodeIdOf, Replay, turnIndexOf } from './replay.ts';
import type { ContextSubject } from './subjects.ts';

/**
 * In tokens. Wide enough that no context of the sets is truncated: this compares what a policy wants to send, not what a
 * model has room for.
 */
const WINDOW = 32_768;

/** The context of one turn. */
export interface ContextRecord {
  readonly subject: string;
  readonly turn: number;
  readonly tokens: number;
  readonly fullHistoryTokens: number;
  /** Number of turns it builds on according to the labels, and how many of them the context includes in full. */
  readonly needed: number;
  readonly found: number;
  /** Tokens for sending exactly these in full, including the instructions and the message. */
  readonly goldTokens: number;
  readonly disputed: boolean;
}

export interface ContextParts {
  readonly vectorOf: VectorOf;
  readonly tokens: TokenCache;
  /** Embeds arbitrary text, for memories that generate their own. */
  readonly embed: EmbedTexts;
}

/** Access to the embedded models, for the memories of one dialogue, whose texts are read in a language other than English. */
const memoryOf = (
  { vectorOf, tokens, embed }: ContextParts,
  states: MemoryStateCache,
  foreign: string | null,
): MemoryAccess =>
  memoryAccess(
    {
      embed: {
        name: foreign === null ? EMBEDDER : `${EMBEDDER}, ${foreign}`,
        dimensions: vectorOf('').length,
        theta: USE_LITE_THETA,
        embed: (texts) => embed(texts.map((text) => glossedForEmbedder(text, foreign))),
      },
      summarise: createExtractive(),
    },
    tokens,
    () => performance.now(),
    states,
  );

/** A turn at its place, before it is answered. */
export type UnansweredTurn = ReturnType<Replay['preview']>;

/** Builds contexts of one dialogue. */
type BuildContext = (
  policy: Policy,
  unanswered: UnansweredTurn,
  near: ComparedMessage,
  contextBudget: number | null,
) => Promise<BuiltContext>;

/** Builds contexts as the engine does, with the embedded models and a window of the given number of tokens. */
export const contextBuilder = (parts: ContextParts, window: number): BuildContext => {
  const states = new MemoryStateCache();
  /** The language heard last that the embedder does not know. */
  let foreign: string | null = null;
  const retriever = new Retriever();
  let ids = 0;
  return (policy, unanswered, near, contextBudget) => {
    const nearness = (id: NodeId) => near.to(id);
    if (near.spoken !== 'en') foreign = near.spoken ?? foreign;
    return policy.build({
      ...unanswered,
      nearness,
      retrieve: retriever.for({ ...unanswered, nearness, replyNearness: (id) => near.toReply(id) }),
      tokens: parts.tokens,
      window,
      parameters: { ...defaultParameters, contextBudget },
      newId: () => `made${++ids}`,
      memory: memoryOf(parts, states, policy.remember === undefined ? null : foreign),
    });
  };
};

/** What one policy has sent in a dialogue so far. */
export interface SentContexts {
  /** By turn. */
  readonly contexts: Context[];
  readonly overviews: Record<string, Overview>;
}

/** The forest as if each reply so far had been generated from these contexts. */
export const withContexts = (forest: Forest, { contexts, overviews }: SentContexts): Forest => {
  const nodes = { ...forest.nodes };
  for (const [turn, context] of contexts.entries()) {
    const node = nodes[nodeIdOf(turn)];
    if (node !== undefined) {
      nodes[node.id] = { ...node, replies: node.replies.map((reply) => ({ ...reply, context })) };
    }
  }
  return { ...forest, nodes, overviews };
};

/**
 * Builds the contexts of a dialogue's turns under several policies. Each turn stands where it was placed, and its history
 * follows the mode; in it, each subject finds the contexts that it built itself, as it would in use. `routing` is the policy
 * by which the turns were placed. The first turn, which has no history, is skipped.
 */
export const contextsOf = async (
  { turns }: LabelledDialogue,
  { placed, settled }: Pick<Placements, 'placed' | 'settled'>,
  mode: EvaluationMode,
  routing: Policy,
  subjects: readonly ContextSubject[],
  parts: ContextParts,
): Promise<ContextRecord[]> => {
  const { vectorOf, tokens } = parts;
  const replay = new Replay(vectorOf, routing);
  const buildWith = contextBuilder(parts, WINDOW);
  const records: ContextRecord[] = [];
  const sentBy = new Map(
    subjects.map(({ subject }): [string, SentContexts] => [subject, { contexts: [], overviews: {} }]),
  );
  for (const [turn, labelled] of turns.entries()) {
    const near = replay.nearness(labelled.message);
    const [placedId, decision] = placeIn(placed, turn);
    const unanswered = replay.preview(labelled.message, placedId, decision);
    const goldId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    const isMoved = mode === 'teacher-forced' && goldId !== placedId;
    const own = await buildWith(routing, unanswered, near, null);
    const tokensOf = (at: number): number => turnTokens(nodeOf(unanswered.forest, nodeIdOf(at)), tokens);
    const needs = new Set([...ancestorsOf(turns, turn), ...(labelled.also ?? [])]);
    for (const { subject, policy, equalTokens } of subjects) {
      const budget = equalTokens ? tokensOnHistory(own.context) : null;
      const sent = sentBy.get(subject) as SentContexts;
      const build = ({ forest, nodeId }: UnansweredTurn) =>
        buildWith(policy, { forest: withContexts(forest, sent), nodeId }, near, budget);
      const built = policy === routing ? own : await build(unanswered);
      const kept = isMoved && policy !== routing ? await build(replay.preview(labelled.message, goldId)) : built;
      sent.contexts.push(kept.context);
      if (kept.overview !== null) sent.overviews[kept.overview.id] = kept.overview;
      if (turn === 0) continue;
      const { context } = built;
      const full = inFull(context);
      records.push({
        subject,
        turn,
        tokens: context.tokens,
        fullHistoryTokens: context.fullHistoryTokens,
        needed: needs.size,
        found: [...needs].filter((need) => full.has(need)).length,
        goldTokens: [...needs].reduce((sum, need) => sum + tokensOf(need), context.tokens - tokensOnHistory(context)),
        disputed: labelled.disputed,
      });
    }
    if (mode === 'free-running') {
      const [settledId, went] = placeIn(settled, turn);
      replay.place(labelled, settledId, own, went);
      continue;
    }
    const labelledPlace = () => replay.preview(labelled.message, goldId);
    replay.place(labelled, goldId, isMoved ? await buildWith(routing, labelledPlace(), near, null) : own);
  }
  return records;
};

/** The tokens that a context spends on history: turns and overview, excluding the instructions and the message. */
export const tokensOnHistory = ({ segments, tokens }: Context): number =>
  segments
    .filter(({ kind }) => kind === 'instructions' || kind === 'message')
    .reduce((left, segment) => left - segment.tokens, tokens);

/** The turns that a context includes in full. */
export const inFull = ({ segments }: Context): Set<number> =>
  new Set(
    segments.flatMap((segment) => {
      if (segment.kind === 'turn') return [turnIndexOf(segment.nodeId)];
      return segment.kind === 'memory' && segment.whole ? segment.from.map(turnIndexOf) : [];
    }),
  );
