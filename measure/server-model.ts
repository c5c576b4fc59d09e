import { sum } from '../src/domain/numbers.ts';
import { contextAgent } from '../src/engine/context/policies/context-agent.ts';
import { ModelFailure, type ModelFailureKind } from '../src/engine/model-failure.ts';
import { askPath } from '../src/engine/place/topic-by-paths.ts';
import type { Decider } from '../src/engine/ports.ts';
import { learnedFor } from '../src/features/evaluate/held-out/held-out-deciders.ts';
import type { PlacementSubject } from '../src/features/evaluate/measurement/placements.ts';
import { promptedDecider } from '../src/models/prompted/prompted-decider.ts';
import type { TextGenerator } from '../src/models/runtimes/runtime.ts';
import { serverRuntime } from '../src/models/runtimes/server/server-runtime.ts';

/** Failures of a model while its server is fine. */
const UNUSABLE: readonly ModelFailureKind[] = ['nonsense', 'empty', 'timeout', 'too-long'];

export const isUnusable = (kind: ModelFailureKind | null): kind is ModelFailureKind =>
  kind !== null && UNUSABLE.includes(kind);

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

/** Counts unusable answers by kind. */
export class Unusable {
  readonly #kinds = new Map<ModelFailureKind, number>();

  add(kind: ModelFailureKind): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  get count(): number {
    return sum([...this.#kinds.values()]);
  }

  /** For example `nonsense 2, timeout 1`. */
  get breakdown(): string {
    return [...this.#kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  }
}

/**
 * Time limit of an answer in milliseconds: slightly less than the engine's own, so that a slow answer is counted here and does not
 * end the measurement.
 */
const PATIENCE = 18_000;

/** A language model asked for every decision, as in the paper, and how its answers were. */
interface PromptedSubject {
  readonly placing: PlacementSubject;
  /** One sentence: how many questions it was asked, and how many answers were unusable. */
  summary(): string;
}

/**
 * Makes the language model of an OpenAI-compatible server the subject `prompted`. If an answer is unusable, the learned decider
 * stands in, as in the app, and it is counted; any other failure ends the measurement.
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
    summary: () => {
      const { count: lost, breakdown } = unusable;
      const rest =
        lost === 0 ? 'every answer was of use' : `${lost} answers of no use (${breakdown}), where learned stood in`;
      return `**prompted** is ${decider.name}: ${asked} questions, ${rest}.`;
    },
  };
};
