import { contentHash } from '../content-hash.ts';
import type { Embedder, Storage } from '../ports.ts';
import { embeddingText } from '../vectors/embedding-text.ts';

/**
 * An embedder that remembers what it made, and finds what was kept of earlier: a re-run embeds nothing twice. What is
 * new is embedded one text at a time, as it was when it was said.
 */
export const remembering = (
  embedder: Embedder,
  cache: Pick<Storage, 'readVectors' | 'saveVectors'>,
): Embedder & { recall(messages: readonly string[]): Promise<void> } => {
  const known = new Map<string, Float32Array>();
  const made = async (text: string, signal?: AbortSignal): Promise<Float32Array> => {
    const [vector] = await embedder.embed([text], signal);
    if (vector === undefined) throw new Error(`${embedder.name} gave no vector`);
    known.set(text, vector);
    return vector;
  };
  return {
    name: embedder.name,
    dimensions: embedder.dimensions,
    theta: embedder.theta,
    languages: embedder.languages ?? null,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(known.get(text) ?? (await made(text, signal)));
      return vectors;
    },
    /** Looks messages up among what is kept, all at once. */
    recall: async (messages) => {
      const texts = [...new Set(messages.map((message) => embeddingText({ message, reply: '' })))].filter(
        (text) => !known.has(text),
      );
      const found = await cache.readVectors(embedder.name, texts.map(contentHash));
      texts.forEach((text, at) => {
        const vector = found[at];
        if (vector !== undefined) known.set(text, vector);
      });
    },
  };
};
