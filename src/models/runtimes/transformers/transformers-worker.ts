import {
  AutoModel,
  AutoTokenizer,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  type Tensor,
} from '@huggingface/transformers';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { meanVector, normalised } from '../../../engine/vectors/vector-math.ts';
import { fittingPieces } from '../embedding.ts';
import type { LoadOptions } from '../runtime.ts';
import { flushMessages } from '../worker/protocol.ts';
import { type ServedModel, serveModel } from '../worker/serve-model.ts';
import { loadTextModel } from './generate.ts';
import { isFatal, MODEL, onnxFailure, serveRepo, sessionOptions, watchDevice } from './load-repo.ts';
import type { Candidate, Pooling, RepoSpec } from './repo-files.ts';
import { withProcessorNamed } from './vision.ts';

/* Runs a transformers.js model in its own module worker, with the protocol of ../worker/protocol.ts. */

/** A failed request spoils the runtime, so the page is told and reloads the model on next use. */
const guard =
  ({ onLost }: Pick<LoadOptions, 'onLost'>) =>
  async <T>(work: () => Promise<T> | T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const failure = onnxFailure(error);
      if (isFatal(failure)) onLost(failure);
      throw failure;
    }
  };

serveModel<RepoSpec>(async (repo, options): Promise<ServedModel> => {
  const { name, files, candidate, embeds } = repo;
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  options.onProgress({ phase: 'preparing', loaded: bytes, total: bytes });
  const guarded = guard(options);
  // During loading, a failure rejects the load instead.
  const loaded = guard({ onLost: () => undefined });
  return loaded(async () => {
    serveRepo(repo.sight === null ? files : await withProcessorNamed(files), candidate);
    const served = embeds === null ? await textModel(repo, guarded) : await vectorModel(candidate, embeds, guarded);
    if (candidate.device === 'webgpu') void watchDevice(options.onLost);
    return { ...served, facts: { ...served.facts, name } };
  });
});

type Guard = ReturnType<typeof guard>;

const vectorModel = async (
  candidate: Candidate,
  embeds: NonNullable<RepoSpec['embeds']>,
  guarded: Guard,
): Promise<ServedModel> => {
  const model = await loadVectorModel(candidate, embeds);
  return {
    facts: { name: '', window: 0, estimates: false, dimensions: model.dimensions },
    embed: async (texts, signal) => {
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const text of texts) {
        await flushMessages();
        signal.throwIfAborted();
        vectors.push(await guarded(() => model.embed(text)));
      }
      return vectors;
    },
    count: (texts) => guarded(() => texts.map(model.count)),
  };
};

const textModel = async (repo: RepoSpec, guarded: Guard): Promise<ServedModel> => {
  const model = await loadTextModel(repo);
  return {
    facts: { name: '', window: model.window, sees: model.sees, estimates: false, dimensions: null },
    generate: (request, piece, signal) => guarded(() => model.generate(request, piece, signal)),
    count: (texts) => guarded(() => texts.map(model.count)),
  };
};

/** Maximum tokens per embedded piece. Longer pieces mix topics, and their cost grows quadratically. */
const MOST_TOKENS = 512;

interface VectorModel {
  readonly dimensions: number;
  /** Returns a text's normalised vector; the zero vector for an empty text. For a long text, the mean of its pieces' vectors. */
  embed(text: string): Promise<Float32Array<ArrayBuffer>>;
  count(text: string): number;
}

const loadVectorModel = async (
  candidate: Candidate,
  { pooling, prefix }: { readonly pooling: Pooling; readonly prefix: string },
): Promise<VectorModel> => {
  const tokenizer: PreTrainedTokenizer = await AutoTokenizer.from_pretrained(MODEL);
  const model: PreTrainedModel = await AutoModel.from_pretrained(MODEL, {
    ...candidate,
    session_options: sessionOptions(candidate, candidate.dtype),
  });
  const { max_position_embeddings: trained } = model.config as { readonly max_position_embeddings?: number };
  const { model_max_length: configured } = tokenizer as { readonly model_max_length?: number };
  const window = Math.min(MOST_TOKENS, trained ?? MOST_TOKENS, configured ?? MOST_TOKENS);
  const count = (text: string): number => tokenizer.encode(text).length;

  // One text at a time: batching would pad shorter texts, which changes the vectors of quantised models.
  const vectorOf = async (piece: string): Promise<Float32Array<ArrayBuffer>> => {
    const inputs = tokenizer(prefix + piece, { truncation: true, max_length: window });
    const outputs = (await model(inputs)) as Readonly<Record<string, Tensor | undefined>>;
    return normalised(await pooled(outputs, pooling));
  };

  const embed = async (text: string): Promise<Float32Array<ArrayBuffer>> => {
    const trimmed = text.trim();
    if (trimmed === '' || count(trimmed) === 0) return new Float32Array(dimensions);
    const room = window - count(prefix);
    const pieces = fittingPieces(trimmed, (part) => count(part) <= room);
    const vectors: Float32Array[] = [];
    for (const piece of pieces) vectors.push(await vectorOf(piece));
    const lengths = pieces.map(({ length }) => length);
    return normalised(meanVector(vectors, lengths));
  };

  const dimensions = (await vectorOf('a')).length;
  if (dimensions === 0) throw new ModelFailure('unsupported', 'The model gives no vectors. Choose another embedder.');
  return { dimensions, embed, count };
};

/**
 * Pools the outputs for a single unpadded text into one vector. If the model returns a sentence embedding itself (with layers
 * after the pooling, as in EmbeddingGemma), that is used.
 */
const pooled = async (
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
