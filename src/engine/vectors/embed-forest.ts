import type { Forest } from '../../domain/forest.ts';
import type { Embedder, Storage } from '../ports.ts';
import { NodeVectors } from './node-vectors.ts';

/** Nodes between two words on how far it has come. */
const STRIDE = 32;

/** Embeds every node of a forest by an embedder that is to answer soon, and caches the vectors. */
export const embedForest = async (
  forest: Forest,
  embedder: Embedder,
  cache: Pick<Storage, 'readVectors' | 'saveVectors'>,
  onDone: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const nodes = Object.values(forest.nodes);
  const vectors = new NodeVectors(embedder, cache);
  const { languageSpoken, latestMessages } = await import('../text/spoken-language.ts');
  const spoken = languageSpoken(latestMessages(forest));
  for (let done = 0; done < nodes.length; done += STRIDE) {
    onDone(done, nodes.length);
    const some = nodes.slice(done, done + STRIDE);
    await vectors.ensure(some, spoken, signal);
    await vectors.ensureReplies(some, spoken, signal);
    signal.throwIfAborted();
  }
  onDone(nodes.length, nodes.length);
};
