import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import { ModelFailure } from '../src/engine/model-failure.ts';
import type { PlacementSubject } from '../src/features/evaluate/measurement/placements.ts';
import { withStandIn } from '../src/features/evaluate/measurement/subjects.ts';
import { promptedDecider } from '../src/models/prompted/prompted-decider.ts';
import type { TextGenerator } from '../src/models/runtimes/runtime.ts';
import { serverRuntime } from '../src/models/runtimes/server/server-runtime.ts';

/** Loads a language model of an OpenAI-compatible server for a measurement. Rejects with a ModelFailure if there is none. */
export const serverModel = async (address: string, model: string, key: string): Promise<TextGenerator> =>
  askedTwice(
    await serverRuntime({ keyFor: () => key }).loadGenerator(
      { runtime: 'server', baseUrl: address, model },
      { signal: new AbortController().signal, onProgress: () => undefined, onLost: () => undefined },
    ),
  );

/** Retries once: while a measurement computes, the server closes the idle connection that the next request then uses. */
const askedTwice = (generator: TextGenerator): TextGenerator => ({
  name: generator.name,
  window: generator.window,
  estimates: generator.estimates,
  count: (texts) => generator.count(texts),
  close: () => generator.close(),
  async *generate(request, signal) {
    let begun = false;
    try {
      for await (const piece of generator.generate(request, signal)) {
        begun = true;
        yield piece;
      }
    } catch (error) {
      if (begun || !(error instanceof ModelFailure && error.kind === 'unreachable')) throw error;
      yield* generator.generate(request, signal);
    }
  },
});

/** A language model asked for every decision, as in the paper, and how its answers were. */
interface PromptedSubject {
  readonly placing: PlacementSubject;
  /** One sentence: how many questions it was asked, and how many answers were unusable. */
  summary(): string;
}

/** Makes the language model of an OpenAI-compatible server the subject `prompted`. */
export const promptedSubject = async (server: string, model: string, key: string): Promise<PromptedSubject> => {
  const { deciderFor, summary } = withStandIn(promptedDecider(await serverModel(server, model, key)));
  return {
    placing: { subject: 'prompted', policy: contextAgent, deciderFor },
    summary: () => `**prompted** is ${summary()}`,
  };
};
