import type { Segment } from '../../domain/context.ts';
import type { Trace } from '../../domain/decision.ts';
import { type Forest, type Node, type NodeId, PERSON } from '../../domain/forest.ts';
import { replyOf } from '../../domain/queries.ts';
import { changedIds } from '../../domain/table.ts';
import { placeOf, turnsBefore, turnsFrom, turnsInOrder } from '../../domain/turns-in-order.ts';
import type { TokenCounter } from '../ports.ts';
import { breathing } from '../tasks.ts';
import { instructionsOf, isUnanswered, replyText, sentReply } from './context-text.ts';
import { briefMessage, sentMessage } from './sent-message.ts';

/** Token counts by text, asked for in one batch and then read without waiting. */
export class TokenCache {
  readonly #counter: TokenCounter;
  readonly #counts = new Map<string, number>([['', 0]]);

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** Name of the tokenizer: the unit of every count. */
  get unit(): string {
    return this.#counter.name;
  }

  /** Counts what has not been counted yet. */
  async prepare(texts: Iterable<string>): Promise<void> {
    // One by one: of a long conversation's thousands all but a few have been counted.
    const unknown = new Set<string>();
    for (const text of texts) if (!this.#counts.has(text)) unknown.add(text);
    if (unknown.size === 0) return;
    const missing = [...unknown];
    const counts = await this.#counter.count(missing);
    missing.forEach((text, i) => {
      this.#counts.set(text, counts[i] as number);
    });
  }

  /** Throws for a text that was not prepared. */
  count(text: string): number {
    const count = this.#counts.get(text);
    if (count === undefined) throw new Error('a text was not prepared for counting');
    return count;
  }
}

/** Tokens of a turn sent in full: its message and the reply that counts. Their texts must be prepared. */
export const turnTokens = (node: Node, tokens: TokenCache): number =>
  tokens.count(sentMessage(node)) + tokens.count(sentReply(node));

/** The sum made last: policies that are compared ask for that of the same turn, and the next turn adds what has changed since. */
let last: {
  readonly of: Forest;
  readonly turn: Node;
  readonly by: TokenCache;
  /** Of the turns before it. */
  readonly tokens: number;
} | null = null;

/** What sending everything before a turn, and its message, would cost. Prepares the texts on the way. */
export const fullHistoryTokens = async (forest: Forest, turn: Node, tokens: TokenCache): Promise<number> => {
  const own = [instructionsOf(forest), sentMessage(turn)];
  const known = last?.by === tokens ? last : null;
  const { from, gone, come } = earlierSince(known, forest, turn);
  await tokens.prepare(own);
  const earlier = from - (await sumOfTurns(gone, tokens)) + (await sumOfTurns(come, tokens));
  last = { of: forest, turn, by: tokens, tokens: earlier };
  return own.reduce((total, text) => total + tokens.count(text), earlier);
};

/** Turns whose texts are counted in one batch: each is shown as work of the model that counts. */
const BATCH = 4_096;

/** Each text is read once: those of a long conversation may have to be unpacked. */
const sumOfTurns = async (turns: readonly Node[], tokens: TokenCache): Promise<number> => {
  const breathe = breathing(() => performance.now());
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

/** Numbers between two turns up to which the sum for one is made of that for the other: what would be sent next is counted while a message waits. */
const MOST_BETWEEN = 64;

/** The sum of the turns before one as far as it is known, which turns it has that do not count any more, and which it lacks. */
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

/** A turn in full, with its reply as far as it has come, or a mark where that answers nothing. Its texts must be prepared. */
export const turnSegment = (node: Node, tokens: TokenCache): Extract<Segment, { kind: 'turn' }> => ({
  kind: 'turn',
  nodeId: node.id,
  replyId: node.replyId,
  replyLength: replyOf(node)?.text.length ?? 0,
  ...(isUnanswered(node) && { unanswered: true }),
  tokens: turnTokens(node, tokens),
});

/**
 * What a policy's own bookkeeping cost between the context before and this one: taking in the turn before, and finding
 * what to send. What is sent itself is not part of it.
 */
export interface Cost {
  /** Times that a model was asked, whatever its role. */
  readonly calls: number;
  /** Tokens of what models were given to read for it, as the chat model counts them. */
  readonly read: number;
  /** Milliseconds that it took while the context was built: now, and here. */
  readonly ms: number;
  /** Milliseconds that the log has of it: what it took when the turn was sent, by the models and on the device of then. */
  readonly logged: number;
}

/** Of a policy that keeps no books. */
export const NO_COST: Cost = { calls: 0, read: 0, ms: 0, logged: 0 };

export const sumCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce(
    (a, b) => ({ calls: a.calls + b.calls, read: a.read + b.read, ms: a.ms + b.ms, logged: a.logged + b.logged }),
    NO_COST,
  );

/** Of finding turns by their similarity to the message: that is embedded, and the turns before have been as theirs were. */
export const searchCost = (forest: Forest, nodeId: NodeId, tokens: TokenCache): Cost => {
  const node = forest.nodes[nodeId];
  if (node === undefined) return NO_COST;
  return { calls: 1, read: tokens.count(node.message), ms: 0, logged: timed(node, ['embed']) };
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
  const before = turnBefore(forest, node);
  await tokens.prepare([...prompts, node.message, before === undefined ? '' : briefMessage(before)]);
  const read = prompts.reduce((total, text) => total + tokens.count(text), 0);
  const asked = answers.length + (trace?.fallbacks.length ?? 0);
  const deciding = { calls: asked, read, ms: 0, logged: timed(node, ['topic', 'branch']) };
  return sumCosts([searchCost(forest, nodeId, tokens), deciding, digestCost(before, tokens)]);
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
    read: calls * (tokens.count(briefMessage(node)) + tokens.count(replyText(node))),
    ms: 0,
    logged: node.summary.ms ?? 0,
  };
};

/** The turn that was sent before. */
export const turnBefore = (forest: Forest, { number }: Node): Node | undefined => {
  const turns = turnsInOrder(forest);
  return turns[placeOf(turns, number) - 1];
};

const timed = ({ decision }: Node, steps: readonly string[]): number =>
  (decision.trace?.timings ?? []).reduce((total, { step, ms }) => (steps.includes(step) ? total + ms : total), 0);
