import type { Forest, Node, NodeId } from '../../domain/forest.ts';
import { instructionsOf, sentReply } from './context-text.ts';
import type { TokenCache } from './token-cache.ts';

/** Tokens of a turn sent in full: its message and the reply that counts. Their texts must be prepared. */
export const turnTokens = (node: Node, tokens: TokenCache): number =>
  tokens.count(node.message) + tokens.count(sentReply(node));

/** Turns of the conversation sent before a turn, whatever their topic. */
export const earlierTurns = (forest: Forest, turn: Node): Node[] =>
  Object.values(forest.nodes).filter(({ number }) => number < turn.number);

/** The sum made last: policies that are compared ask for that of the same turn. */
let last: { readonly of: Forest; readonly turn: NodeId; readonly by: TokenCache; readonly tokens: number } | null =
  null;

/** What sending everything before a turn, and its message, would cost. Prepares the texts on the way. */
export const fullHistoryTokens = async (forest: Forest, turn: Node, tokens: TokenCache): Promise<number> => {
  if (last?.of === forest && last.turn === turn.id && last.by === tokens) return last.tokens;
  const before = earlierTurns(forest, turn).flatMap((node) => [node.message, sentReply(node)]);
  const texts = [instructionsOf(forest), turn.message, ...before];
  await tokens.prepare(texts);
  const whole = texts.reduce((total, text) => total + tokens.count(text), 0);
  last = { of: forest, turn: turn.id, by: tokens, tokens: whole };
  return whole;
};
