import type { TextGenerator } from '../text-generator.ts';
import type { ModelWorker } from './model-worker.ts';
import type { ModelFacts } from './protocol.ts';

/** A loaded model's worker as a language model. */
export const workerGenerator = <Spec>(
  worker: ModelWorker<Spec>,
  { name, window, estimates }: ModelFacts,
): TextGenerator => ({
  name,
  window,
  estimates,
  generate: (request, signal) => worker.generate(request, signal),
  count: (texts) => worker.count(texts),
  close: () => worker.close(),
});
