import * as z from 'zod/mini';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { languagesOf } from '../embedder-languages.ts';
import type { LoadedEmbedder } from '../runtime.ts';
import { UNCALIBRATED_THETA } from '../uncalibrated-theta.ts';
import { hostOf } from './base-url.ts';
import { type Patience, Silence } from './patience.ts';
import { callServer, notJson, readJson, type ServerAccess } from './server-api.ts';
import { StatusFailure } from './status-failure.ts';

/** Texts of one request. */
const BATCH = 64;

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })),
});

/** An embedding model at an OpenAI-compatible server; what its vectors are like is learned from a first text. */
export const serverEmbedder = async (
  access: ServerAccess,
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  patience: Patience,
  signal: AbortSignal,
): Promise<LoadedEmbedder> => {
  const closing = new AbortController();
  const embedBatch = async (input: readonly string[], outer: readonly AbortSignal[]): Promise<Float32Array[]> => {
    const silence = new Silence(hostOf(baseUrl), [closing.signal, ...outer]);
    silence.wait(patience.first);
    const body = { model, input, encoding_format: 'float' };
    const call = { baseUrl, path: '/embeddings', body, model, signal: silence.signal };
    try {
      const parsed = Embeddings.safeParse(await readJson(await callServer(access, call), call));
      if (!parsed.success) throw notJson(baseUrl);
      const vectors = parsed.data.data
        .toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => normalised(embedding));
      if (vectors.length !== input.length || vectors.some((vector) => vector === null)) throw unusable(baseUrl, model);
      return vectors as Float32Array[];
    } catch (error) {
      throw error instanceof StatusFailure && isMissing(error.status) ? unable(baseUrl, model, error) : error;
    } finally {
      silence.end();
    }
  };

  const [first] = await embedBatch(['Which tram goes to the castle?'], [signal]);
  const dimensions = first?.length ?? 0;
  return {
    name: `${model} (${hostOf(baseUrl)})`,
    dimensions,
    theta: UNCALIBRATED_THETA,
    languages: languagesOf(model),
    embed: async (texts, outer) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        vectors.push(...(await embedBatch(texts.slice(at, at + BATCH), outer === undefined ? [] : [outer])));
      }
      if (vectors.some(({ length }) => length !== dimensions)) throw unusable(baseUrl, model);
      return vectors;
    },
    close: () => closing.abort(new ModelFailure('closed', `${model} was closed.`)),
  };
};

/** null for a vector that has no direction. */
const normalised = (vector: readonly number[]): Float32Array | null => {
  const norm = Math.hypot(...vector);
  return Number.isFinite(norm) && norm > 0 ? Float32Array.from(vector, (value) => value / norm) : null;
};

const isMissing = (status: number): boolean => status === 400 || status === 405 || status === 501;

const unable = (baseUrl: string, model: string, cause: StatusFailure): ModelFailure =>
  new ModelFailure(
    'unsupported',
    `${hostOf(baseUrl)} gives no embeddings of “${model}”. Choose an embedding model. (${cause.message})`,
    {
      cause,
    },
  );

const unusable = (baseUrl: string, model: string): ModelFailure =>
  new ModelFailure(
    'nonsense',
    `The embeddings of “${model}” at ${hostOf(baseUrl)} are of no use: some are missing, empty or of another length.`,
  );
