import { apply } from '../../src/domain/apply.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { emptyForest, type Forest, type Node, type NodeId } from '../../src/domain/forest.ts';
import { pendingTurn } from '../../src/domain/queries.ts';
import { sizeOf } from '../../src/domain/table.ts';
import { syntheticLog } from '../../src/domain/testing/synthetic-forest.ts';
import { contextAgent } from '../../src/engine/context/policies/context-agent.ts';
import { Retriever } from '../../src/engine/context/retrieval/retriever.ts';
import { memoryAccess } from '../../src/engine/memories/memory-access.ts';
import { defaultParameters } from '../../src/engine/parameters.ts';
import { ComparedMessage } from '../../src/engine/place/compared-message.ts';
import type { Decider } from '../../src/engine/ports.ts';
import { Stopwatch } from '../../src/engine/tasks.ts';
import { TokenCache } from '../../src/engine/text/token-cache.ts';
import { route } from '../../src/engine/turn/decide.ts';
import { ForestIndexCache } from '../../src/engine/vectors/forest-index.ts';
import { VectorTable } from '../../src/engine/vectors/vector-table.ts';
import { createEmbeddedDecider } from '../../src/models/embedded/embedded-decider.ts';
import { type Figure, median } from '../figure.ts';
import { madeUpModels } from './made-up-models.ts';

const MEASURED = 60;
const WINDOW = 32_768;
/** Embedding the message, deciding topic and branch, the previous turn's summary and the beginning of its reply. */
const CALLS = 5;

/**
 * Measures Context-Agent's own share of a turn: deciding its place and building its context. Uses a synthetic
 * conversation with forks and resumed topics, and the shipped decider. The baseline is what a linear history would
 * send.
 */
export const treeOfTurns = async (sizes: readonly number[], seed: number): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const turns of sizes) {
    const { placing, context, calls, tokens, fullHistory, topics } = await measured(turns, seed);
    const at = `context-agent at ${turns.toLocaleString('en')} turns`;
    figures.push(
      {
        name: `${at}, one placed`,
        value: median(placing),
        unit: 'ms',
        goal: null,
        baseline: null,
        note: `${topics} topics`,
      },
      { name: `${at}, its context built`, value: median(context), unit: 'ms', goal: null, baseline: null },
      {
        name: `${at}, tokens sent`,
        value: median(tokens),
        unit: 'a turn',
        goal: null,
        baseline: { name: 'full history', value: median(fullHistory) },
      },
      // “Maintenance costs close to O(log N)” (review of Context-Agent): here the number of model calls is the same as in a short
      // conversation.
      { name: `${at}, models asked for one`, value: calls / MEASURED, unit: 'a turn', goal: CALLS, baseline: null },
    );
  }
  return figures;
};

const measured = async (turns: number, seed: number) => {
  const models = madeUpModels();
  const forest = emptyForest();
  const table = new VectorTable(models.embed.dimensions);
  const index = new ForestIndexCache(table);
  const tokens = new TokenCache(models.tokens);
  const retriever = new Retriever();
  const now = () => performance.now();
  const memory = memoryAccess(models, tokens, now);
  const vectorOf = async (text: string) => (await models.embed.embed([text]))[0] as Float32Array;
  const asked = { calls: 0 };
  const decider = counting(createEmbeddedDecider(), asked);
  const found = {
    placing: [] as number[],
    context: [] as number[],
    tokens: [] as number[],
    fullHistory: [] as number[],
  };
  let ids = 0;
  /** Has the engine place the next message and build its context, then applies the log as the conversation went. */
  const measure = async ({ sent, placed, rest }: LoggedTurn) => {
    index.of(still(forest));
    apply(forest, sent.entry);
    const asking = still(forest);
    const pending = pendingTurn(asking);
    if (pending === null) throw new Error('a message is not pending');
    const vector = await vectorOf(sent.message);
    // Plus the previous turn's summary and the beginning of its reply.
    asked.calls += 3;
    const begun = now();
    const near = new ComparedMessage(sent.message, vector, table, models.embed.name, index);
    const { decision } = await route({
      forest: asking,
      pending,
      near,
      deciders: [decider],
      embedder: models.embed.name,
      theta: models.embed.theta,
      policy: contextAgent.name,
      parameters: defaultParameters,
      signal: new AbortController().signal,
      fallbacks: [],
      stopwatch: new Stopwatch(now),
    });
    found.placing.push(now() - begun);
    apply(forest, placed);
    const placedForest = still(forest);
    const node = placedForest.nodes[sent.nodeId] as Node;
    // What the decision left open is part of the context.
    placedForest.nodes[sent.nodeId] = { ...node, decision: { ...decision, topic: node.decision.topic } };
    const [from, elsewhere] = [now(), models.spent.ms];
    const { context, overview } = await contextAgent.build({
      forest: placedForest,
      nodeId: sent.nodeId,
      nearness: (id) => near.to(id),
      retrieve: retriever.for({ forest: placedForest, nodeId: sent.nodeId, nearness: (id) => near.to(id) }),
      tokens,
      window: WINDOW,
      parameters: defaultParameters,
      newId: () => `o${++ids}`,
      memory,
    });
    found.context.push(now() - from - (models.spent.ms - elsewhere));
    found.tokens.push(context.tokens);
    found.fullHistory.push(context.fullHistoryTokens);
    table.set(sent.nodeId, vector);
    if (overview !== null) apply(forest, { ...placed, event: { type: 'overview-built', overview } });
    for (const entry of rest) {
      const { event } = entry;
      apply(forest, event.type === 'reply-started' ? { ...entry, event: { ...event, context } } : entry);
    }
  };
  for (const [at, turn] of turnsOf(syntheticLog(turns + MEASURED, seed)).entries()) {
    if (at >= turns) {
      await measure(turn);
      continue;
    }
    for (const entry of [turn.sent.entry, turn.placed, ...turn.rest]) apply(forest, entry);
    table.set(turn.sent.nodeId, await vectorOf(turn.sent.message));
  }
  return { ...found, calls: asked.calls, topics: sizeOf(forest.trees) };
};

interface LoggedTurn {
  readonly sent: { readonly entry: Entry; readonly nodeId: NodeId; readonly message: string };
  readonly placed: Entry;
  readonly rest: readonly Entry[];
}

/** Splits a synthetic log into turns: the message, its placement, and what came after. */
const turnsOf = (log: readonly Entry[]): LoggedTurn[] => {
  const starts = log.flatMap(({ event }, at) => (event.type === 'message-sent' ? [at] : []));
  return starts.map((start, turn) => {
    const [entry, placed, ...rest] = log.slice(start, starts[turn + 1]) as [Entry, Entry, ...Entry[]];
    if (entry.event.type !== 'message-sent') throw new Error('a turn begins with its message');
    const { nodeId, message } = entry.event;
    return { sent: { entry, nodeId, message }, placed, rest };
  });
};

const counting = (decider: Decider, asked: { calls: number }): Decider => {
  const counted = <T>(answer: T): T => {
    asked.calls++;
    return answer;
  };
  return {
    ...decider,
    topic: (question, signal) => counted(decider.topic(question, signal)),
    branch: (question, signal) => counted(decider.branch(question, signal)),
  };
};

/** Copies the forest: the log is folded in place, and some results are cached by a forest's identity. */
const still = (forest: Forest): Forest => ({ ...forest, nodes: { ...forest.nodes }, trees: { ...forest.trees } });
