import type { Context } from '../../../domain/context.ts';
import type { NodeId } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import type { BuiltContext, Policy } from '../../../engine/context/policy.ts';
import { Retriever } from '../../../engine/context/retrieval/retriever.ts';
import { turnTokens } from '../../../engine/context/tokens.ts';
import { EMBEDDER } from '../../../engine/embedded-names.ts';
import { type MemoryAccess, memoryAccess } from '../../../engine/memories/memory-access.ts';
import { defaultParameters } from '../../../engine/parameters.ts';
import type { ComparedMessage } from '../../../engine/place/compared-message.ts';
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

/** Access to the embedded models, for the memories of one dialogue. */
const memoryOf = ({ vectorOf, tokens, embed }: ContextParts): MemoryAccess =>
  memoryAccess(
    {
      embed: {
        name: EMBEDDER,
        dimensions: vectorOf('').length,
        theta: USE_LITE_THETA,
        embed,
      },
      summarise: createExtractive(),
    },
    tokens,
    () => performance.now(),
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
  const memory = memoryOf(parts);
  const retriever = new Retriever();
  let ids = 0;
  return (policy, unanswered, near, contextBudget) => {
    const nearness = (id: NodeId) => near.to(id);
    return policy.build({
      ...unanswered,
      nearness,
      retrieve: retriever.for({ ...unanswered, nearness, replyNearness: (id) => near.toReply(id) }),
      tokens: parts.tokens,
      window,
      parameters: { ...defaultParameters, contextBudget },
      newId: () => `made${++ids}`,
      memory,
    });
  };
};

/**
 * Builds the contexts of a dialogue's turns under several policies. Each turn stands where it was placed, and its history
 * follows the mode. `routing` is the policy whose contexts are kept in the history. The first turn, which has no history, is
 * skipped.
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
  for (const [turn, labelled] of turns.entries()) {
    const near = replay.nearness(labelled.message);
    const build = (policy: Policy, unanswered: UnansweredTurn, contextBudget: number | null) =>
      buildWith(policy, unanswered, near, contextBudget);
    const [placedId, decision] = placeIn(placed, turn);
    const unanswered = replay.preview(labelled.message, placedId, decision);
    const own = await build(routing, unanswered, null);
    const tokensOf = (at: number): number => turnTokens(nodeOf(unanswered.forest, nodeIdOf(at)), tokens);
    const needs = new Set([...ancestorsOf(turns, turn), ...(labelled.also ?? [])]);
    for (const { subject, policy, equalTokens } of turn === 0 ? [] : subjects) {
      const budget = equalTokens ? tokensOnHistory(own.context) : null;
      const { context } = policy === routing ? own : await build(policy, unanswered, budget);
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
    const goldId = labelled.parent === null ? null : nodeIdOf(labelled.parent);
    const labelledPlace = () => replay.preview(labelled.message, goldId);
    replay.place(labelled, goldId, goldId === placedId ? own : await build(routing, labelledPlace(), null));
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
