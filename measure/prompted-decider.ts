import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import { ModelFailure } from '../src/engine/model-failure.ts';
import { askPath } from '../src/engine/place/ask-path.ts';
import type { Decider } from '../src/engine/ports.ts';
import { learnedFor } from '../src/features/evaluate/held-out/held-out.ts';
import type { Placing } from '../src/features/evaluate/measurement/placements.ts';
import { promptedDecider } from '../src/models/prompted/prompted-decider.ts';
import { isUnusable, serverModel, Unusable } from './server-model.ts';

/**
 * Milliseconds that an answer may take: a little less than the engine's own patience, so that a slow answer is counted
 * here and does not end the measurement.
 */
const PATIENCE = 18_000;

/** A language model that is asked for every decision, as in the paper, and how its answers were. */
export interface PromptedSubject {
  readonly placing: Placing;
  /** How many questions it was asked, and how many answers were of no use, in a sentence. */
  told(): string;
}

/**
 * The language model of an OpenAI-compatible server as a subject `prompted`. Where an answer is of no use the learned decider
 * stands in, as in the app, and it is counted; whatever else goes wrong ends the measurement.
 */
export const promptedSubject = async (server: string, model: string, key: string): Promise<PromptedSubject> => {
  const decider = promptedDecider(await serverModel(server, model, key));
  const unusable = new Unusable();
  let asked = 0;
  const usable = async <A>(
    ask: (decider: Decider, signal: AbortSignal) => Promise<A>,
    standIn: Decider,
    outer?: AbortSignal,
  ) => {
    asked++;
    const patience = AbortSignal.timeout(PATIENCE);
    const signal = outer === undefined ? patience : AbortSignal.any([outer, patience]);
    try {
      return await ask(decider, signal);
    } catch (error) {
      const kind = patience.aborted ? 'timeout' : error instanceof ModelFailure ? error.kind : 'unknown';
      if (!isUnusable(kind)) throw error;
      unusable.add(kind);
      return ask(standIn, outer ?? new AbortController().signal);
    }
  };
  return {
    placing: {
      subject: 'prompted',
      policy: contextAgent,
      deciderFor: (dialogue) => {
        const standIn = learnedFor(dialogue);
        return {
          name: decider.name,
          topic: (question, signal) => usable((one, inner) => one.topic(question, inner), standIn, signal),
          path: (question, signal) => usable((one, inner) => askPath(one, question, inner), standIn, signal),
          branch: (question, signal) => usable((one, inner) => one.branch(question, inner), standIn, signal),
        };
      },
    },
    told: () => {
      const { count: lost, told: kinds } = unusable;
      const rest =
        lost === 0 ? 'every answer was of use' : `${lost} answers of no use (${kinds}), where learned stood in`;
      return `**prompted** is ${decider.name}: ${asked} questions, ${rest}.`;
    },
  };
};
