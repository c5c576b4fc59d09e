import type { Trace } from '../../domain/decision.ts';
import { type Forest, type Node, type NodeId, PERSON } from '../../domain/forest.ts';
import { replyText } from './context-text.ts';
import type { TokenCache } from './token-cache.ts';

/**
 * What a policy's own bookkeeping cost between the context before and this one: taking in the turn before, and finding
 * what to send. What is sent itself is not part of it.
 */
export interface Cost {
  /** Times that a model was asked, whatever its role. */
  readonly calls: number;
  /** Tokens of what models were given to read for it, as the chat model counts them. */
  readonly read: number;
  /** Milliseconds. */
  readonly ms: number;
}

/** Of a policy that keeps no books. */
export const NO_COST: Cost = { calls: 0, read: 0, ms: 0 };

export const sumCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce((a, b) => ({ calls: a.calls + b.calls, read: a.read + b.read, ms: a.ms + b.ms }), NO_COST);

/** Of finding turns by their similarity to the message: that is embedded, and the turns before have been as theirs were. */
export const searchCost = (forest: Forest, nodeId: NodeId, tokens: TokenCache): Cost => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return NO_COST;
  return { calls: 1, read: tokens.count(node.message), ms: timed(node, ['embed']) };
};

/**
 * Of keeping a tree of turns (Context-Agent §3.2 and §3.3): the message was embedded, its topic and branch decided as its
 * trace tells, and the turn before it summarised. The texts of both must be prepared for counting, all but prompts.
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
  await tokens.prepare(prompts);
  const read = prompts.reduce((total, text) => total + tokens.count(text), 0);
  const asked = answers.length + (trace?.fallbacks.length ?? 0);
  const deciding = { calls: asked, read, ms: timed(node, ['topic', 'branch']) };
  return sumCosts([searchCost(forest, nodeId, tokens), deciding, digestCost(turnBefore(forest, node), tokens)]);
};

/** Of paths of which each was a question of its own every answer, and once the answer that others were read from. */
const topicAnswers = ({ topic: { answer, paths = [] } }: Trace) => {
  const own = paths.filter(({ raw }) => raw !== undefined);
  return own.length === paths.length && paths.length > 0 ? own : [...own, answer];
};

/** Of a turn's summary, and of the title of its topic where it is the first. */
const digestCost = (node: Node | undefined, tokens: TokenCache): Cost => {
  if (node?.summary == null || node.summary.by === PERSON) return NO_COST;
  const calls = node.parentId === null ? 2 : 1;
  return {
    calls,
    read: calls * (tokens.count(node.message) + tokens.count(replyText(node))),
    ms: node.summary.ms ?? 0,
  };
};

/** The turn that was sent before. */
export const turnBefore = ({ nodes }: Forest, { number }: Node): Node | undefined => {
  let found: Node | undefined;
  for (const node of Object.values(nodes)) {
    if (node.number < number && node.number > (found?.number ?? 0)) found = node;
  }
  return found;
};

const timed = ({ decision }: Node, steps: readonly string[]): number =>
  (decision.trace?.timings ?? []).reduce((total, { step, ms }) => (steps.includes(step) ? total + ms : total), 0);
