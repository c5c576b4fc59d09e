import { applyEntries, frozen } from '../../domain/apply.ts';
import type { Context, Segment } from '../../domain/context.ts';
import type { Target } from '../../domain/decision.ts';
import { emptyForest, type Forest, type NodeId } from '../../domain/forest.ts';
import { nodeOf, pendingTurn, replyOf } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import type { EngineParts } from '../core.ts';
import { Engine } from '../engine.ts';
import type { Models } from '../ports.ts';
import type { Settings } from '../settings.ts';
import { firstWords, namedChat, plainModels, tagDecider } from './plain-models.ts';

/** Returns the forest of a life as it progresses: a life changes its forest in place, a host does not. */
const forestOf = (life: Life): (() => Forest) => {
  let known = { count: 0, forest: frozen(emptyForest()) };
  return () => {
    const come = life.entries.slice(known.count);
    if (come.length > 0) known = { count: life.entries.length, forest: applyEntries(known.forest, come) };
    return known.forest;
  };
};

/** An engine on an in-memory forest, a fresh one by default; messages are sent to it one by one. */
export const bareHost = (
  given: Partial<Models> = {},
  { version, policy, parameters, prompts, ...parts }: Partial<EngineParts> & Partial<Settings> = {},
  life = new Life(),
  forest = forestOf(life),
) => {
  const models = plainModels(given);
  let clock = 0;
  const engine = new Engine(
    {
      models: () => models,
      embedded: { chat: namedChat('quoting'), decide: tagDecider(), summarise: firstWords },
      vectors: { readVectors: async (_, hashes) => hashes.map(() => undefined), saveVectors: async () => undefined },
      now: () => clock++,
      newId: life.id,
      settings: () => ({
        version: version ?? 0,
        policy: policy ?? contextAgent,
        parameters: parameters ?? {},
        prompts: prompts ?? {},
      }),
      ...parts,
    },
    {
      forest,
      commit: async (intent) => life.do(intent),
      received: () => undefined,
      phase: () => undefined,
      time: () => life.time,
    },
  );
  const send = async (message: string, signal = new AbortController().signal, target: Target | null = null) => {
    const nodeId = life.send(message, life.id(), target);
    const pending = pendingTurn(life.forest);
    if (pending !== null) await engine.turn(pending, signal);
    return nodeId;
  };
  return { engine, life, models, send };
};

/** Returns the context of a turn's reply. */
export const contextOf = (forest: Forest, nodeId: NodeId): Context => {
  const context = replyOf(nodeOf(forest, nodeId))?.context;
  if (!context) throw new Error(`turn ${nodeId} was sent no context`);
  return context;
};

export const segmentsOf = <K extends Segment['kind']>({ segments }: Context, kind: K): (Segment & { kind: K })[] =>
  segments.filter((segment): segment is Segment & { kind: K } => segment.kind === kind);

/** Numbers of the turns sent in full, in the order sent. */
export const sentInFull = (forest: Forest, context: Context): number[] =>
  segmentsOf(context, 'turn').map(({ nodeId }) => nodeOf(forest, nodeId).number);

/** How many turns of the conversation the context says it left out. */
export const leftOut = (context: Context): number =>
  segmentsOf(context, 'history-left-out').reduce((sum, { turns }) => sum + turns, 0);
