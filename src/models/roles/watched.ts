import type { LoadedEmbedder } from '../runtimes/runtime.ts';
import type { TextGenerator } from '../runtimes/text-generator.ts';

type OnActive = (active: boolean) => void;

/** The same model, telling when it begins and ends to work. */
export const watchedGenerator = (generator: TextGenerator, onActive: OnActive): TextGenerator => ({
  name: generator.name,
  window: generator.window,
  estimates: generator.estimates,
  count: (texts) => generator.count(texts),
  close: () => generator.close(),
  async *generate(request, signal) {
    onActive(true);
    try {
      yield* generator.generate(request, signal);
    } finally {
      onActive(false);
    }
  },
});

export const watchedEmbedder = (embedder: LoadedEmbedder, onActive: OnActive): LoadedEmbedder => ({
  name: embedder.name,
  dimensions: embedder.dimensions,
  theta: embedder.theta,
  languages: embedder.languages ?? null,
  close: () => embedder.close(),
  embed: async (texts, signal) => {
    onActive(true);
    try {
      return await embedder.embed(texts, signal);
    } finally {
      onActive(false);
    }
  },
});
