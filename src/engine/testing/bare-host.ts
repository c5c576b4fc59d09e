import type { Target } from '../../domain/decision.ts';
import { pendingTurn } from '../../domain/queries.ts';
import { Life } from '../../domain/testing/random-life.ts';
import { contextAgent } from '../context/policies/context-agent.ts';
import type { EngineParts } from '../core.ts';
import { Engine } from '../engine.ts';
import type { Models } from '../ports.ts';
import type { Settings } from '../settings.ts';
import { firstWords, namedChat, plainModels, tagDecider } from './plain-models.ts';

/** An engine on a forest that lives in memory, a fresh one if none is given, with messages sent to it one by one. */
export const bareHost = (
  given: Partial<Models> = {},
  { version, policy, parameters, prompts, ...parts }: Partial<EngineParts> & Partial<Settings> = {},
  life = new Life(),
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
      // The life changes in place, and a host's forest does not.
      forest: () => ({ ...life.forest, nodes: { ...life.forest.nodes }, trees: { ...life.forest.trees } }),
      commit: async (intent) => life.do(intent),
      received: () => undefined,
      phase: () => undefined,
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
