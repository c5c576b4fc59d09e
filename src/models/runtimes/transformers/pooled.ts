import type { Tensor } from '@huggingface/transformers';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { Pooling } from './embedding-models.ts';

/**
 * The one vector of a single text that was not padded. A model that gives a sentence's vector by itself (with layers after
 * the pooling, as EmbeddingGemma has) is taken at its word.
 */
export const pooled = async (
  outputs: Readonly<Record<string, Tensor | undefined>>,
  pooling: Pooling,
): Promise<Float32Array<ArrayBuffer>> => {
  const whole = outputs.sentence_embedding;
  if (whole !== undefined) return floats(whole);
  const tokens = outputs.last_hidden_state ?? outputs.token_embeddings ?? outputs.logits;
  if (tokens === undefined || tokens.dims.length !== 3) {
    throw new ModelFailure('unsupported', 'The model gives no vectors of its tokens. Choose another embedder.');
  }
  const all = await floats(tokens);
  const [, count = 0, width = 0] = tokens.dims;
  if (pooling === 'cls') return all.slice(0, width);
  if (pooling === 'last_token') return all.slice((count - 1) * width);
  const mean = new Float32Array(width);
  for (let i = 0; i < all.length; i += 1) mean[i % width] = (mean[i % width] ?? 0) + (all[i] ?? 0) / count;
  return mean;
};

const floats = async (tensor: Tensor): Promise<Float32Array<ArrayBuffer>> => {
  const here = tensor.to('float32');
  const data = (await here.ort_tensor.getData(true)) as ArrayLike<number>;
  return Float32Array.from(data);
};
