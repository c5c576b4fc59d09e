import type { Segment } from '../../domain/context.ts';
import type { Trace } from '../../domain/decision.ts';
import { type Forest, type Node, type NodeId, PERSON } from '../../domain/forest.ts';
import { isUnanswered, replyOf, replyText } from '../../domain/queries.ts';
import { changedIds } from '../../domain/table.ts';
import { placeOf, turnsBefore, turnsFrom, turnsInOrder } from '../../domain/turns-in-order.ts';
import { createYielder } from '../tasks.ts';
import { type Cost, NO_COST, sumCosts, type TokenCache } from '../text/token-cache.ts';
import { instructionsOf, sentReply } from './context-text.ts';
import { briefMessage, sentMessage } from './sent-message.ts';

/** Tokens of a turn sent in full: its message and its chosen reply. Both texts must be prepared. */
export const turnTokens = (node: Node, tokens: TokenCache): number =>
  tokens.count(sentMessage(node)) + tokens.count(sentReply(node));

/**
 * Prepares the texts of turns on a turn's path that were sent after it, and so are not in the history before it: a turn
 * can be moved below them. Returns those turns.
 */
export const prepareLater = async (path: readonly Node[], turn: Node, tokens: TokenCache): Promise<Node[]> => {
  const later = path.filter(({ number }) => number > turn.number);
  await tokens.prepare(later.flatMap((node) => [sentMessage(node), sentReply(node)]));
  return later;
};

/** The most recent sum: compared policies ask for the same turn again, and the next turn only adds what has changed since. */
let last: {
  readonly of: Forest;
  readonly turn: Node;
  readonly by: TokenCache;
  /** Tokens of the turns before `turn`. */
  readonly tokens: number;
} | null = null;

/** Returns the cost of sending a turn's message and everything before it. Prepares the texts along the way. */
export const fullHistoryTokens = async (forest: Forest, turn: Node, tokens: TokenCache): Promise<number> => {
  const own = [instructionsOf(forest), sentMessage(turn)];
  const known = last?.by === tokens ? last : null;
  const { from, gone, come } = earlierSince(known, forest, turn);
  await tokens.prepare(own);
  const earlier = from - (await sumOfTurns(gone, tokens)) + (await sumOfTurns(come, tokens));
  last = { of: forest, turn, by: tokens, tokens: earlier };
  return own.reduce((total, text) => total + tokens.count(text), earlier);
};

/** Turns whose texts are counted per batch; each batch is shown as work of the counting model. */
const BATCH = 4_096;

/** Reads each text only once, because the texts of a long conversation may have to be unpacked. */
const sumOfTurns = async (turns: readonly Node[], tokens: TokenCache): Promise<number> => {
  const breathe = createYielder(() => performance.now());
  let sum = 0;
  for (let at = 0; at < turns.length; at += BATCH) {
    const texts: string[] = [];
    for (const node of turns.slice(at, at + BATCH)) {
      await breathe();
      texts.push(sentMessage(node), sentReply(node));
    }
    await tokens.prepare(texts);
    for (const text of texts) sum += tokens.count(text);
  }
  return sum;
};

/** Largest distance in turn numbers at which one sum is derived from the other: the next context is counted while a message waits. */
const MOST_BETWEEN = 64;

/** Returns the known sum of the turns before `turn`, the turns in it that no longer count, and those it lacks. */
const earlierSince = (known: typeof last, forest: Forest, turn: Node): { from: number; gone: Node[]; come: Node[] } => {
  const isSame = known?.of === forest && known.turn.id === turn.id;
  const changed = known === null ? null : isSame ? [] : changedIds(known.of.nodes, forest.nodes);
  const step = known === null ? -1 : turn.number - known.turn.number;
  if (known === null || changed === null || Math.abs(step) > MOST_BETWEEN) {
    return { from: 0, gone: [], come: turnsBefore(forest, turn) };
  }
  const ids = new Set([...changed, known.turn.id]);
  const before = (nodes: Forest['nodes'], number: number): Node[] =>
    [...ids].flatMap((id) => nodes[id] ?? []).filter((node) => node.number < number);
  const numbers = [known.turn.number, turn.number] as const;
  const between = turnsFrom(forest, Math.min(...numbers), Math.max(...numbers)).filter(({ id }) => !ids.has(id));
  return {
    from: known.tokens,
    gone: [...before(known.of.nodes, known.turn.number), ...(step < 0 ? between : [])],
    come: [...before(forest.nodes, turn.number), ...(step > 0 ? between : [])],
  };
};

export const sumTokens = (segments: readonly Segment[]): number =>
  segments.reduce((total, { tokens }) => total + tokens, 0);

/** A turn in full, with its reply as received so far, or a mark if the reply answers nothing. Its texts must be prepared. */
export const turnSegment = (node: Node, tokens: TokenCache): Extract<Segment, { kind: 'turn' }> => ({
  kind: 'turn',
  nodeId: node.id,
  replyId: node.replyId,
  replyLength: replyOf(node)?.text.length ?? 0,
  ...(isUnanswered(node) && { unanswered: true }),
  tokens: turnTokens(node, tokens),
});

/** Cost of finding turns by similarity to the message: one embedding, since earlier turns were embedded when they were sent. */
export const searchCost = (forest: Forest, nodeId: NodeId, tokens: TokenCache): Cost => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return NO_COST;
  return { calls: 1, read: tokens.count(node.message), ms: 0, logged: timed(node, ['embed']) };
};

/**
 * Cost of maintaining a tree of turns (Context-Agent §3.2 and §3.3): embedding the message, deciding its topic and
 * branch as recorded in its trace, and summarising the previous turn. Except for prompts, both turns' texts must be
 * prepared.
 */
export const placingCost = async (forest: Forest, nodeId: NodeId, tokens: TokenCache): Promise<Cost> => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return NO_COST;
  const { trace } = node.decision;
  const answers =
    trace === null ? [] : [...topicAnswers(trace), trace.branch.answer].filter((answer) => answer !== null);
  const prompts = [...answers, ...(trace?.fallbacks ?? [])].flatMap(({ prompt = [] }) =>
    prompt.map(({ content }) => content),
  );
  const before = turnBefore(forest, node);
  await tokens.prepare([...prompts, node.message, before === undefined ? '' : briefMessage(before)]);
  const read = prompts.reduce((total, text) => total + tokens.count(text), 0);
  const asked = answers.length + (trace?.fallbacks.length ?? 0);
  const deciding = { calls: asked, read, ms: 0, logged: timed(node, ['topic', 'branch']) };
  return sumCosts([searchCost(forest, nodeId, tokens), deciding, digestCost(before, tokens)]);
};

/** Returns the answers to the topic question: those of paths asked separately and, once, the answer that other paths were read from. */
const topicAnswers = ({ topic: { answer, paths = [] } }: Trace) => {
  const own = paths.filter(({ raw }) => raw !== undefined);
  return own.length === paths.length && paths.length > 0 ? own : [...own, answer];
};

/** Cost of a turn's summary and, if it is a topic's first turn, of the topic title. */
const digestCost = (node: Node | undefined, tokens: TokenCache): Cost => {
  if (node?.summary == null || node.summary.by === PERSON) return NO_COST;
  const calls = node.parentId === null ? 2 : 1;
  return {
    calls,
    read: calls * (tokens.count(briefMessage(node)) + tokens.count(replyText(node))),
    ms: 0,
    logged: node.summary.ms ?? 0,
  };
};

/** The turn sent just before this one. */
export const turnBefore = (forest: Forest, { number }: Node): Node | undefined => {
  const turns = turnsInOrder(forest);
  return turns[placeOf(turns, number) - 1];
};

const timed = ({ decision }: Node, steps: readonly string[]): number =>
  (decision.trace?.timings ?? []).reduce((total, { step, ms }) => (steps.includes(step) ? total + ms : total), 0);
