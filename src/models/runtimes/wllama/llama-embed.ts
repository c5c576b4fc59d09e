import { ModelFailure } from '../../../engine/model-failure.ts';
import { meanVector, normalised } from '../../vector-mean.ts';
import { halves } from '../text-pieces.ts';
import { llamaFailure } from './llama-failure.ts';
import type { Llama } from './load-llama.ts';

/** Halvings of a text that is longer than the window; what then still is too long is a text without end. */
const MAX_HALVINGS = 4;

/** A text's normalised vector. One that is too long for the window is the mean of its parts, by their length. */
export const embedWith = async (
  llama: Llama,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> => {
  if (text.trim() === '') return new Float32Array(llama.dimensions);
  return normalised(await vectorOf(llama, text, signal, MAX_HALVINGS));
};

const vectorOf = async (
  llama: Llama,
  text: string,
  signal: AbortSignal,
  halvings: number,
): Promise<Float32Array<ArrayBuffer>> => {
  signal.throwIfAborted();
  try {
    const { data } = await llama.wllama.createEmbedding({ input: text });
    const found = data[0]?.embedding;
    if (!Array.isArray(found)) throw new ModelFailure('empty', 'The model gave no vector. Choose another embedder.');
    const vector = Float32Array.from(found);
    if (!vector.every(Number.isFinite) || vector.every((value) => value === 0)) {
      throw new ModelFailure('untrusted', 'The model gave a vector of no numbers. Choose another embedder.');
    }
    return vector;
  } catch (error) {
    const failure = llamaFailure(error);
    if (failure.kind !== 'too-long' || halvings === 0) throw failure;
    const parts = halves(text).filter((part) => part.trim() !== '');
    const vectors: { vector: Float32Array; weight: number }[] = [];
    for (const part of parts) {
      vectors.push({ vector: await vectorOf(llama, part, signal, halvings - 1), weight: part.length });
    }
    return meanVector(vectors, llama.dimensions);
  }
};
