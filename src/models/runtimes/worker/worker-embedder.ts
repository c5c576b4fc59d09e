import { languagesOf } from '../embedder-languages.ts';
import type { LoadedEmbedder } from '../runtime.ts';
import type { ModelWorker } from './model-worker.ts';
import type { ModelFacts } from './protocol.ts';

/** A loaded model's worker as an embedder. `theta` as in the port. */
export const workerEmbedder = <Spec>(
  worker: ModelWorker<Spec>,
  { name, dimensions }: ModelFacts,
  theta: number,
): LoadedEmbedder => ({
  name,
  dimensions: dimensions ?? 0,
  theta,
  languages: languagesOf(name),
  embed: (texts, signal) => worker.embed(texts, signal),
  close: () => worker.close(),
});
