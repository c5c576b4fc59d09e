import type { Segment } from '../../../domain/context.ts';
import type { Forest, Node } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import { instructionsOf } from '../context-text.ts';
import { NO_COST } from '../cost.ts';
import { fullHistoryTokens } from '../full-history.ts';
import type { BuiltContext, PolicyInput } from '../policy.ts';
import { visibleForest } from '../visible-forest.ts';
import { sumTokens } from './sum-tokens.ts';

/** What a policy without a tree has to fill. */
export interface Between {
  /** As models may see it, with the turn that is to be answered. */
  readonly forest: Forest;
  readonly node: Node;
  /** Tokens. */
  readonly room: number;
}

/**
 * A context without a tree: the instructions of every policy, what `history` makes of the turns before, the message.
 */
export const treelessContext = async (
  policy: string,
  input: PolicyInput,
  history: (between: Between) => Promise<readonly Segment[]>,
): Promise<BuiltContext> => {
  const { nodeId, tokens, window, parameters } = input;
  const forest = visibleForest(input.forest, nodeId);
  const node = nodeOf(forest, nodeId);
  const fullHistory = await fullHistoryTokens(forest, node, tokens);
  const text = instructionsOf(forest);
  const instructions: Segment = { kind: 'instructions', text, tokens: tokens.count(text) };
  const message: Segment = { kind: 'message', nodeId, tokens: tokens.count(node.message) };
  const room = Math.min(
    window - parameters.replyReserve - sumTokens([instructions, message]),
    parameters.contextBudget ?? Number.POSITIVE_INFINITY,
  );
  const segments = [instructions, ...(await history({ forest, node, room })), message];
  const context = { policy, segments, tokens: sumTokens(segments), fullHistoryTokens: fullHistory, unit: tokens.unit };
  return { context, overview: null, cost: async () => NO_COST };
};
