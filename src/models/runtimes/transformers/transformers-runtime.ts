import * as z from 'zod/mini';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { gpuAdapter, isSoftware } from '../../machine/probe-webgpu.ts';
import type { ModelFiles } from '../../store/model-files.ts';
import { UNCALIBRATED_THETA } from '../embedding.ts';
import { specKey, specName, type TransformersSpec } from '../model-spec.ts';
import type { LoadOptions, Runtime } from '../runtime.ts';
import { forgetBroken, keptModels } from '../runtime-files.ts';
import { ModelWorker, workerEmbedder, workerGenerator } from '../worker/model-worker.ts';
import type { ModelFacts } from '../worker/protocol.ts';
import {
  type Candidate,
  candidatesOf,
  type EmbeddingModel,
  type GpuHere,
  knownEmbedder,
  type Pooling,
  Repo,
  type RepoFiles,
  type RepoSpec,
  sightOf,
  type VisionConfig,
} from './repo-files.ts';

interface Sources {
  readonly files: ModelFiles;
  /** URL of the model hub, without a trailing slash. */
  hub(): string | Promise<string>;
}

interface LoadedRepo {
  readonly worker: ModelWorker<RepoSpec>;
  readonly facts: ModelFacts;
}

interface ModelInUse extends LoadedRepo {
  readonly how: EmbeddingModel | null;
}

/** Runs transformers.js (ONNX) models on WebGPU or in WASM. Each load, and each attempt of one, has its own worker. */
export const transformersRuntime = ({ files, hub }: Sources): Required<Runtime<TransformersSpec>> => {
  const load = (spec: TransformersSpec, options: LoadOptions): Promise<ModelInUse> => {
    const loading = tryAll(spec, options);
    return spec.source.kind === 'folder' ? loading : forgetBroken(files, specKey(spec), loading);
  };
  const tryAll = async (spec: TransformersSpec, options: LoadOptions): Promise<ModelInUse> => {
    const repo = new Repo(spec, files, await hub());
    const described = await repo.described(options);
    const config = await repo.config(described);
    const how = spec.task === 'embed' ? await embedding(spec, repo, described) : null;
    const candidates = candidatesOf(spec, await gpuHere(), how?.avoid);
    const sight = how === null ? sightOf(config) : null;
    const failures: { candidate: Candidate; failure: ModelFailure }[] = [];
    for (const candidate of candidates) {
      if (
        failures.some(
          (failed) => NO_OTHER_FORMAT.has(failed.failure.kind) && failed.candidate.dtype !== candidate.dtype,
        )
      )
        continue;
      try {
        const { files: weights, dtypes } = await repo.weights(candidate, config, options);
        const all: RepoFiles = new Map([...described, ...weights]);
        const start = (on: Candidate): Promise<LoadedRepo> =>
          started(spec, { files: all, dtypes, sight }, on, how, reasons(failures), options);
        const loaded = how === null ? await start(candidate) : await proved(candidate, start, repo, options);
        return { ...loaded, how };
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof ModelFailure) || !TRY_OTHERS.has(error.kind)) throw error;
        failures.push({ candidate, failure: error });
      }
    }
    throw worst(failures, spec, sight);
  };
  return {
    loadGenerator: async (spec, options) => {
      const { worker, facts } = await load({ ...spec, task: 'generate' }, options);
      return workerGenerator(worker, facts);
    },
    loadEmbedder: async (spec, options) => {
      const { worker, facts, how } = await load({ ...spec, task: 'embed' }, options);
      return workerEmbedder(worker, facts, how?.theta ?? UNCALIBRATED_THETA);
    },
    ...keptModels(files, 'transformers'),
  };
};

/** Failures after which other weights or another device may work. */
const TRY_OTHERS: ReadonlySet<string> = new Set([
  'not-found',
  'unsupported',
  'untrusted',
  'out-of-memory',
  'worker-died',
  'device-lost',
  'no-webgpu',
  'no-shader-f16',
  'unknown',
]);

/** Failures after which the same weights may work on another device; other weights would be another download for nothing. */
const NO_OTHER_FORMAT: ReadonlySet<string> = new Set(['out-of-memory', 'worker-died', 'device-lost', 'unknown']);

const embedding = async (spec: TransformersSpec, repo: Repo, described: RepoFiles): Promise<EmbeddingModel> => {
  const known = knownEmbedder(specName(spec));
  if (known !== null) return known;
  const config = await repo.parsed(described, '1_Pooling/config.json');
  return { pooling: poolingOf(config), prefix: '', theta: UNCALIBRATED_THETA, avoid: [] };
};

const started = async (
  spec: TransformersSpec,
  given: Pick<RepoSpec, 'files' | 'dtypes' | 'sight'>,
  candidate: Candidate,
  how: EmbeddingModel | null,
  because: string,
  options: LoadOptions,
): Promise<LoadedRepo> => {
  const worker = new ModelWorker<RepoSpec>(
    new Worker(new URL('./transformers-worker.ts', import.meta.url), { type: 'module', name: 'transformers' }),
  );
  const on = candidate.device === 'webgpu' ? 'WebGPU' : 'WASM';
  const name = `${specName(spec)} (transformers.js, ${on}, ${candidate.dtype}${because})`;
  const embeds = how === null ? null : { pooling: how.pooling, prefix: how.prefix };
  return { worker, facts: await worker.load({ name, ...given, candidate, embeds }, options) };
};

/** A note for the model's name about earlier failed attempts; formats missing from the repository are not mentioned. */
const reasons = (failures: readonly { candidate: Candidate; failure: ModelFailure }[]): string => {
  const last = failures.findLast(({ failure }) => failure.kind !== 'not-found');
  if (last === undefined) return '';
  const { device, dtype } = last.candidate;
  const on = device === 'webgpu' ? 'WebGPU' : 'WASM';
  return `; ${on} ${dtype} ${last.failure.kind === 'untrusted' ? 'gave wrong results' : 'failed'}`;
};

/** The most informative failure: any other than a missing format. */
const worst = (
  failures: readonly { failure: ModelFailure }[],
  spec: TransformersSpec,
  sight: VisionConfig | null,
): ModelFailure => {
  const files = sight === null ? 'onnx/model….onnx' : 'onnx/decoder_model_merged….onnx and its other parts';
  return (
    failures.find(({ failure }) => failure.kind !== 'not-found')?.failure ??
    new ModelFailure(
      'not-found',
      `${specName(spec)} has no weights for transformers.js (${files}). Choose a model that has them, e.g. of onnx-community.`,
    )
  );
};

const Vectors = z.array(z.array(z.number()));

/**
 * Returns an embedder that gave the expected vectors for known texts, or rejects with `untrusted`. The expected vectors are
 * shipped for some models; for others they are computed once with the same weights in WASM, and stored with them.
 */
const proved = async (
  candidate: Candidate,
  start: (candidate: Candidate) => Promise<LoadedRepo>,
  repo: Repo,
  options: LoadOptions,
): Promise<LoadedRepo> => {
  const reference = await referenceFor(candidate, start, repo, options);
  const loaded = await start(candidate);
  try {
    const why = vectorProblem(await loaded.worker.embed(TRUST_TEXTS, options.signal), reference);
    if (why === null) return loaded;
    throw new ModelFailure(
      'untrusted',
      `${loaded.facts.name} gives unreliable results on this machine: ${why}. Choose another embedder or device.`,
    );
  } catch (error) {
    loaded.worker.close();
    throw error;
  }
};

const BEYOND_WASM: ReadonlySet<string> = new Set(['out-of-memory', 'unsupported']);

const referenceFor = async (
  { device, dtype }: Candidate,
  start: (candidate: Candidate) => Promise<LoadedRepo>,
  repo: Repo,
  options: LoadOptions,
): Promise<readonly ArrayLike<number>[] | null> => {
  const golden = GOLDEN[repo.ref.name];
  if (golden !== undefined) return golden;
  // WASM is the reference itself; its vectors are only checked for plausibility.
  if (device === 'wasm') return null;
  const name = `reference-${dtype}.json`;
  const kept = Vectors.safeParse(await repo.note(name).catch(() => null));
  if (kept.success) return kept.data;
  const started = await start({ device: 'wasm', dtype }).catch((error: unknown) => {
    // If WASM cannot hold or run the model, there is no reference; its vectors are still checked for plausibility.
    if (error instanceof ModelFailure && BEYOND_WASM.has(error.kind)) return null;
    throw error;
  });
  if (started === null) return null;
  const { worker } = started;
  try {
    const vectors = await worker.embed(TRUST_TEXTS, options.signal);
    const why = vectorProblem(vectors, null);
    if (why !== null)
      throw new ModelFailure('untrusted', `The model gives wrong results in WASM: ${why}. Choose another embedder.`);
    await repo.keepNote(
      name,
      vectors.map((vector) => [...vector]),
    );
    return vectors;
  } finally {
    worker.close();
  }
};

/**
 * The first components of a model's full-precision vectors for TRUST_TEXTS (measured in WASM, November 2026), by repository
 * name; only for models whose weights were at hand.
 */
const GOLDEN: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'use-lite-en': [
    [0.0053, -0.0579, -0.0443, -0.0574, 0.0509, -0.0557, -0.0021, -0.0546, -0.0291, -0.0303, -0.0102, -0.053],
    [0.0239, -0.0624, -0.0496, -0.0251, 0.0065, -0.0545, 0.0246, -0.0601, -0.0145, -0.0284, -0.0441, -0.0566],
    [-0.024, 0.0592, 0.0662, 0.0196, 0.014, 0.04, -0.0003, -0.0445, -0.0617, 0.0546, 0.0642, 0.0445],
    [-0.0575, 0.0457, -0.0599, -0.0557, -0.0387, -0.0456, 0.034, 0.0558, -0.0016, -0.0601, 0.0188, 0.0226],
  ],
  'glove-wink-100d-30k': [
    [-0.0318, 0.1442, 0.1333, -0.3315, -0.1382, 0.1191, -0.0099, -0.0644, 0.0136, -0.0587, 0.0559, -0.0112],
    [-0.1039, 0.184, 0.1618, -0.3225, -0.0862, 0.1051, 0.0209, -0.0151, 0.0443, -0.0565, 0.1084, 0.0452],
    [-0.17, 0.024, 0.002, -0.0399, -0.0234, 0.0329, 0.0612, 0.2183, -0.0457, -0.1184, 0.0972, 0.2244],
    [-0.0131, 0.0881, 0.0936, -0.1223, -0.0812, 0.1183, 0.0353, -0.0055, 0.0132, 0.1025, 0.0278, 0.0807],
  ],
};

/*
 * Quantised models can silently compute wrong results on a device: an embedder is trusted only once known texts gave the
 * expected vectors.
 */

/** A question, a paraphrase, and two unrelated sentences. */
const TRUST_TEXTS: readonly string[] = [
  'How do I sort a list in Python?',
  'How can a Python list be sorted?',
  'The ferry to the island leaves at nine in the morning.',
  'My grandmother grew tomatoes behind the old house.',
];

/** Minimum cosine similarity of a vector to its reference: 8-bit formats stay above 0.998 on the models measured here. */
const LEAST_COSINE = 0.99;

/** Why the vectors for TRUST_TEXTS cannot be trusted; null if they can. `reference`: whole vectors, or their first components. */
export const vectorProblem = (
  vectors: readonly Float32Array[],
  reference: readonly ArrayLike<number>[] | null,
): string | null => {
  const [question, again, ferry, tomatoes] = vectors;
  if (!question || !again || !ferry || !tomatoes) return 'it gave too few vectors';
  if (vectors.some((vector) => !vector.every(Number.isFinite))) return 'it gave vectors that are no numbers';
  if (vectors.some((vector) => Math.abs(Math.hypot(...vector) - 1) > 0.01)) return 'it gave vectors of no length';
  if (cosine(question, again) <= Math.max(cosine(question, ferry), cosine(question, tomatoes))) {
    return 'it finds the same thing said twice less alike than different things';
  }
  if (reference === null) return null;
  const least = Math.min(...vectors.map((vector, i) => cosine(vector, reference[i] ?? [])));
  return least >= LEAST_COSINE ? null : `its vectors are wrong (cosine ${least.toFixed(3)})`;
};

/** Over the components that both have. */
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const length = Math.min(a.length, b.length);
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < length; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
};

/** The GPU available to ONNX Runtime in this browser; null if there is none. */
const gpuHere = async (): Promise<GpuHere | null> => {
  // The WebGPU build suspends WASM while the GPU works.
  if (!('Suspending' in WebAssembly)) return null;
  const adapter = await gpuAdapter(navigator.gpu);
  if (adapter === null) return null;
  return { real: !isSoftware(adapter.info), shaderF16: adapter.features.has('shader-f16') };
};

/**
 * Reads the pooling of an unknown model from its sentence-transformers config (`1_Pooling/config.json`); defaults to mean,
 * which most models are trained with.
 */
const poolingOf = (config: unknown): Pooling => {
  if (typeof config !== 'object' || config === null) return 'mean';
  const says = config as Readonly<Record<string, unknown>>;
  if (says.pooling_mode_cls_token === true) return 'cls';
  if (says.pooling_mode_lasttoken === true) return 'last_token';
  return 'mean';
};
