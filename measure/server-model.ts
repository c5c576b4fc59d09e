import { ModelFailure, type ModelFailureKind } from '../src/engine/model-failure.ts';
import type { TextGenerator } from '../src/models/runtimes/runtime.ts';
import { serverRuntime } from '../src/models/runtimes/server/server-runtime.ts';

/** What a model may fail with while the server that runs it is well. */
const UNUSABLE: readonly ModelFailureKind[] = ['nonsense', 'empty', 'timeout', 'too-long'];

export const isUnusable = (kind: ModelFailureKind | null): kind is ModelFailureKind =>
  kind !== null && UNUSABLE.includes(kind);

/** A language model of an OpenAI-compatible server, for a measurement. Rejects with a ModelFailure where there is none. */
export const serverModel = async (address: string, model: string, key: string): Promise<TextGenerator> =>
  askedTwice(
    await serverRuntime({ keyFor: () => key }).loadGenerator(
      { runtime: 'server', baseUrl: address, model },
      { signal: new AbortController().signal, onProgress: () => undefined, onLost: () => undefined },
    ),
  );

/** While a measurement computes, a server closes the idle connection that the next question then goes to. */
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

/** Answers of no use, counted by kind. */
export class Unusable {
  readonly #kinds = new Map<ModelFailureKind, number>();

  add(kind: ModelFailureKind): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  get count(): number {
    return [...this.#kinds.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Such as `nonsense 2, timeout 1`. */
  get told(): string {
    return [...this.#kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  }
}
