import type { Context, Segment } from '../../../domain/context.ts';
import { byNumber, type Forest, type Node } from '../../../domain/forest.ts';
import { plural } from '../../../domain/numbers.ts';
import { nodeOf } from '../../../domain/queries.ts';
import { placeOf, turnsBeforeAsListed, turnsInOrder } from '../../../domain/turns-in-order.ts';
import { NO_COST, type TokenCache } from '../../text/token-cache.ts';
import { instructionsOf } from '../context-text.ts';
import { messageSegment } from '../message-segment.ts';
import type { BuiltContext, PolicyInput } from '../policy.ts';
import { fullHistoryTokens, sumTokens, turnSegment, turnTokens } from '../tokens.ts';
import { visibleForest } from '../visible-forest.ts';

/** The earlier turns that a policy without a tree sends. */
interface Selection {
  readonly policy: string;
  /** Sorts turns into the order in which they are taken. */
  readonly rank: (turns: readonly Node[]) => Node[] | Promise<Node[]>;
  /** Maximum number of turns; null for all. Ignored if `contextBudget` is set. */
  readonly most: number | null;
  /**
   * Whether a turn that does not fit is skipped and the next one tried, which suits turns that stand alone. Otherwise
   * it ends the selection, so that what is sent has no gaps.
   */
  readonly gaps: boolean;
}

/**
 * Builds a context without a tree: earlier turns of the conversation in full, in chronological order, regardless of
 * topic. A line counts those not taken or not fitting the window. The instructions are the same for every policy, so
 * that only the history differs.
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
 * Returns the cost of a turn's message and the history before it: all of it, and as much as a plain chat could have
 * sent, to the token what `full-history` sends. Prepares the texts along the way.
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
  const beside = besideMessage(forest, node);
  const ends = instructions + (await messageSegment(node, all - instructions, tokens, beside)).tokens;
  const room = Math.max(0, all - ends);
  // Each turn takes at least one token.
  const turns = turnsInOrder(forest);
  const end = placeOf(turns, node.number);
  const latest = turns.slice(Math.max(0, end - room), end).reverse();
  const limits = { most: Number.POSITIVE_INFINITY, gaps: false, room, beyond: end - latest.length };
  const sent = await fit(latest, limits, tokens);
  // The line is sent only if the window has room for it, too.
  const withLine = sent.tokens + (sent.line?.tokens ?? 0);
  return { fullHistoryTokens: whole, plainChatTokens: ends + (withLine <= room ? withLine : sent.tokens) };
};

const besideMessage = (forest: Forest, node: Node) => {
  const turns = turnsInOrder(forest);
  const earlier = placeOf(turns, node.number);
  return { last: turns[earlier - 1], line: () => (earlier < 2 ? '' : leftOut(earlier)) };
};

/**
 * Returns what goes between the instructions and the message, without the line that counts what is left out if the
 * window, which holds so many tokens, has no room for it; the inspector still shows it.
 */
export const withinWindow = (between: readonly Segment[], holds: number): readonly Segment[] =>
  sumTokens(between) <= holds
    ? between
    : between.map((segment) =>
        segment.kind === 'history-left-out' || segment.kind === 'path-left-out'
          ? { ...segment, text: '', tokens: 0 }
          : segment,
      );

export const latestFirst = (turns: readonly Node[]): Node[] => turns.toSorted((a, b) => b.number - a.number);

interface Limits {
  readonly most: number;
  /** Tokens for the turns and the line that counts the rest. That line is included even if a budget has no room. */
  readonly room: number;
  readonly gaps: boolean;
  /** Number of turns left out in any case, not among those given. */
  readonly beyond?: number;
}

/** The turns that fit, in the order in which they are ranked, and the line that counts the rest, if any. */
interface Fit {
  readonly turns: readonly Node[];
  readonly line: Extract<Segment, { kind: 'history-left-out' }> | null;
  /** Without the line. */
  readonly tokens: number;
}

const fitTurns = async (ranked: readonly Node[], limits: Limits, tokens: TokenCache): Promise<Segment[]> => {
  const { turns, line } = await fit(ranked, limits, tokens);
  const segments = turns.toSorted(byNumber).map((node) => turnSegment(node, tokens));
  return line === null ? segments : [line, ...segments];
};

const fit = async (ranked: readonly Node[], limits: Limits, tokens: TokenCache): Promise<Fit> => {
  const all = ranked.length + (limits.beyond ?? 0);
  const costs: number[] = [];
  const costOf = (at: number): number => {
    costs[at] ??= turnTokens(ranked[at] as Node, tokens);
    return costs[at];
  };
  const fitOf = (taken: readonly number[], line: Fit['line']): Fit => ({
    turns: taken.map((at) => ranked[at] as Node),
    line,
    tokens: taken.reduce((sum, at) => sum + costOf(at), 0),
  });
  const everything = take(ranked.length, limits, costOf);
  if (everything.length === all) return fitOf(everything, null);

  // Reserves room for the longest possible line; a tokenizer may still count a shorter one as longer.
  const longest = leftOut(all);
  await tokens.prepare([longest]);
  const taken = take(ranked.length, { ...limits, room: limits.room - tokens.count(longest) }, costOf);
  for (;;) {
    const turns = all - taken.length;
    const text = leftOut(turns);
    await tokens.prepare([text]);
    const found = fitOf(taken, { kind: 'history-left-out', turns, text, tokens: tokens.count(text) });
    if (taken.length === 0 || found.tokens + tokens.count(text) <= limits.room) return found;
    taken.pop();
  }
};

/** Returns the ranks of the turns taken, of so many. */
const take = (count: number, { most, room, gaps }: Limits, costOf: (at: number) => number): number[] => {
  const taken: number[] = [];
  let left = room;
  for (let at = 0; at < count && taken.length < most; at++) {
    const cost = costOf(at);
    if (cost > left) {
      if (gaps) continue;
      break;
    }
    left -= cost;
    taken.push(at);
  }
  return taken;
};

const leftOut = (turns: number): string =>
  `${turns} earlier ${plural(turns, 'turn of this conversation is', 'turns of this conversation are')} left out.`;

/** The space that a policy without a tree fills. */
interface HistorySlot {
  /** As visible to models, including the turn being answered. */
  readonly forest: Forest;
  readonly node: Node;
  /** Tokens. */
  readonly room: number;
}

/** Builds a context without a tree: the common instructions, what `history` makes of the earlier turns, the message. */
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
  const budget = parameters.contextBudget ?? Number.POSITIVE_INFINITY;
  const beside = { ...besideMessage(forest, node), budget };
  const message = await messageSegment(node, window - parameters.replyReserve - instructions.tokens, tokens, beside);
  const holds = window - parameters.replyReserve - sumTokens([instructions, message]);
  const between = await history({ forest, node, room: Math.min(holds, budget) });
  const segments = [instructions, ...withinWindow(between, holds), message];
  const context = { policy, segments, tokens: sumTokens(segments), ...wholeHistory, unit: tokens.unit };
  return { context, overview: null, cost: async () => NO_COST };
};
