import type { Context, Segment } from '../../../domain/context.ts';
import type { Forest, Node } from '../../../domain/forest.ts';
import { nodeOf } from '../../../domain/queries.ts';
import { placeOf, turnsBeforeAsListed, turnsInOrder } from '../../../domain/turns-in-order.ts';
import { instructionsOf } from '../context-text.ts';
import { messageSegment } from '../message-segment.ts';
import type { BuiltContext, PolicyInput } from '../policy.ts';
import { fullHistoryTokens, NO_COST, sumTokens, type TokenCache, turnSegment, turnTokens } from '../tokens.ts';
import { visibleForest } from '../visible-forest.ts';

/** Which of the earlier turns a policy without a tree sends. */
interface Selection {
  readonly policy: string;
  /** Puts turns in the order in which they are taken. */
  readonly rank: (turns: readonly Node[]) => Node[] | Promise<Node[]>;
  /** How many turns are taken; null for all of them. The number goes for nothing where `contextBudget` is set. */
  readonly most: number | null;
  /**
   * A turn that does not fit is passed over and the next in rank tried: right where turns stand for
   * themselves. Otherwise it ends the run, so that what is sent has no hole in it.
   */
  readonly gaps: boolean;
}

/**
 * A context without a tree: earlier turns of the conversation in full, in order of time, whatever their
 * topic. What is not taken, or does not fit the window, is counted in a line. The instructions are those
 * of every policy, so that only the history differs.
 */
export const flatContext = (input: PolicyInput, selection: Selection): Promise<BuiltContext> => {
  const { tokens, parameters } = input;
  const most =
    parameters.contextBudget === null ? (selection.most ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  return treelessContext(selection.policy, input, async ({ forest, node, room }) =>
    fitTurns(await selection.rank(turnsBeforeAsListed(forest, node)), { ...selection, most, room }, tokens),
  );
};

/**
 * What the history before a turn, and its message, would cost: all of it, and as much of it as a plain chat could have sent, to the token
 * what `full-history` sends. Prepares the texts on the way.
 */
export const historyTokens = async (
  forest: Forest,
  node: Node,
  { tokens, window, parameters }: Pick<PolicyInput, 'tokens' | 'window' | 'parameters'>,
): Promise<Pick<Context, 'fullHistoryTokens' | 'plainChatTokens'>> => {
  const whole = await fullHistoryTokens(forest, node, tokens);
  const all = window - parameters.replyReserve;
  if (whole <= all) return { fullHistoryTokens: whole };
  const instructions = tokens.count(instructionsOf(forest));
  const ends = instructions + (await messageSegment(node, all - instructions, tokens)).tokens;
  const room = Math.max(0, all - ends);
  // Each turn takes a token at least.
  const turns = turnsInOrder(forest);
  const end = placeOf(turns, node.number);
  const latest = turns.slice(Math.max(0, end - room), end).reverse();
  const limits = { most: Number.POSITIVE_INFINITY, gaps: false, room, beyond: end - latest.length };
  const sent = await fitTurns(latest, limits, tokens);
  return { fullHistoryTokens: whole, plainChatTokens: ends + sumTokens(sent) };
};

export const latestFirst = (turns: readonly Node[]): Node[] => turns.toSorted((a, b) => b.number - a.number);

interface Limits {
  readonly most: number;
  /** Tokens for the turns and the line that counts the rest. That line stands even where there is no room. */
  readonly room: number;
  readonly gaps: boolean;
  /** Turns that are left out in any case, and not among those given. */
  readonly beyond?: number;
}

const fitTurns = async (ranked: readonly Node[], limits: Limits, tokens: TokenCache): Promise<Segment[]> => {
  const all = ranked.length + (limits.beyond ?? 0);
  const everything = take(ranked, limits, tokens);
  if (everything.length === all) return inOrder(everything, tokens);

  // Room for the longest line there could be; a tokenizer may still find a shorter one longer.
  const longest = leftOut(all);
  await tokens.prepare([longest]);
  const taken = take(ranked, { ...limits, room: limits.room - tokens.count(longest) }, tokens);
  for (;;) {
    const turns = all - taken.length;
    const text = leftOut(turns);
    await tokens.prepare([text]);
    const line: Segment = { kind: 'history-left-out', turns, text, tokens: tokens.count(text) };
    const segments = [line, ...inOrder(taken, tokens)];
    if (taken.length === 0 || sumTokens(segments) <= limits.room) return segments;
    taken.pop();
  }
};

const take = (ranked: readonly Node[], { most, room, gaps }: Limits, tokens: TokenCache): Node[] => {
  const taken: Node[] = [];
  let left = room;
  for (const node of ranked) {
    if (taken.length >= most) break;
    const cost = turnTokens(node, tokens);
    if (cost > left) {
      if (gaps) continue;
      break;
    }
    left -= cost;
    taken.push(node);
  }
  return taken;
};

const inOrder = (taken: readonly Node[], tokens: TokenCache): Segment[] =>
  taken.toSorted((a, b) => a.number - b.number).map((node) => turnSegment(node, tokens));

const leftOut = (turns: number): string =>
  `${turns} earlier ${turns === 1 ? 'turn of this conversation is' : 'turns of this conversation are'} left out.`;

/** What a policy without a tree has to fill. */
interface HistorySlot {
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
  history: (between: HistorySlot) => Promise<readonly Segment[]>,
): Promise<BuiltContext> => {
  const { nodeId, tokens, window, parameters } = input;
  const forest = visibleForest(input.forest, nodeId);
  const node = nodeOf(forest, nodeId);
  const wholeHistory = await historyTokens(forest, node, input);
  const text = instructionsOf(forest);
  const instructions: Segment = { kind: 'instructions', text, tokens: tokens.count(text) };
  const message = await messageSegment(node, window - parameters.replyReserve - instructions.tokens, tokens);
  const room = Math.min(
    window - parameters.replyReserve - sumTokens([instructions, message]),
    parameters.contextBudget ?? Number.POSITIVE_INFINITY,
  );
  const segments = [instructions, ...(await history({ forest, node, room })), message];
  const context = { policy, segments, tokens: sumTokens(segments), ...wholeHistory, unit: tokens.unit };
  return { context, overview: null, cost: async () => NO_COST };
};
