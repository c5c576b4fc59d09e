import { ModelFailure } from '../../../engine/model-failure.ts';
import type { ModelFiles } from '../../store/model-files.ts';
import { forgetBroken } from '../forget-broken.ts';
import { keptModels } from '../kept-models.ts';
import { specKey, specName, type TransformersSpec } from '../model-spec.ts';
import type { LoadOptions, Runtime } from '../runtime.ts';
import { UNCALIBRATED_THETA } from '../uncalibrated-theta.ts';
import { ModelWorker } from '../worker/model-worker.ts';
import type { ModelFacts } from '../worker/protocol.ts';
import { workerEmbedder } from '../worker/worker-embedder.ts';
import { workerGenerator } from '../worker/worker-generator.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { type EmbeddingModel, knownEmbedder } from './embedding-models.ts';
import { gpuHere } from './gpu-here.ts';
import { poolingOf } from './pooling-of.ts';
import { proved } from './proved.ts';
import { Repo, type RepoFiles } from './repo-files.ts';
import type { RepoSpec } from './transformers-worker.ts';

interface Sources {
  readonly files: ModelFiles;
  /** Address of the model hub, no slash at the end. */
  hub(): string | Promise<string>;
}

interface Loaded {
  readonly worker: ModelWorker<RepoSpec>;
  readonly facts: ModelFacts;
}

interface Used extends Loaded {
  readonly how: EmbeddingModel | null;
}

/** Models of transformers.js (ONNX), on WebGPU or in WASM. Each load has a worker of its own, and so has each try of one. */
export const transformersRuntime = ({ files, hub }: Sources): Required<Runtime<TransformersSpec>> => {
  const load = (spec: TransformersSpec, options: LoadOptions): Promise<Used> => {
    const loading = tryAll(spec, options);
    return spec.source.kind === 'folder' ? loading : forgetBroken(files, specKey(spec), loading);
  };
  const tryAll = async (spec: TransformersSpec, options: LoadOptions): Promise<Used> => {
    const repo = new Repo(spec, files, await hub());
    const described = await repo.described(options);
    const how = spec.task === 'embed' ? await embedding(spec, described) : null;
    const candidates = candidatesOf(spec, await gpuHere(), how?.avoid);
    const config = JSON.parse((await described.get('config.json')?.text()) ?? '{}') as unknown;
    const failures: { candidate: Candidate; failure: ModelFailure }[] = [];
    for (const candidate of candidates) {
      if (
        failures.some(
          (failed) => NO_OTHER_FORMAT.has(failed.failure.kind) && failed.candidate.dtype !== candidate.dtype,
        )
      )
        continue;
      try {
        const weights = await repo.weights(candidate.dtype, config, options);
        const all: RepoFiles = new Map([...described, ...weights]);
        const start = (on: Candidate): Promise<Loaded> => started(spec, all, on, how, reasons(failures), options);
        const loaded = how === null ? await start(candidate) : await proved(candidate, start, repo, options);
        return { ...loaded, how };
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof ModelFailure) || !TRY_OTHERS.has(error.kind)) throw error;
        failures.push({ candidate, failure: error });
      }
    }
    throw worst(failures, spec);
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

/** After these, other weights or another device may do. */
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

/** After these, the same weights on another device may do; others would be one more download for nothing. */
const NO_OTHER_FORMAT: ReadonlySet<string> = new Set(['out-of-memory', 'worker-died', 'device-lost', 'unknown']);

const embedding = async (spec: TransformersSpec, described: RepoFiles): Promise<EmbeddingModel> => {
  const known = knownEmbedder(specName(spec));
  if (known !== null) return known;
  const config = JSON.parse((await described.get('1_Pooling/config.json')?.text()) ?? 'null') as unknown;
  return { pooling: poolingOf(config), prefix: '', theta: UNCALIBRATED_THETA, avoid: [] };
};

const started = async (
  spec: TransformersSpec,
  files: RepoFiles,
  candidate: Candidate,
  how: EmbeddingModel | null,
  because: string,
  options: LoadOptions,
): Promise<Loaded> => {
  const worker = new ModelWorker<RepoSpec>(
    new Worker(new URL('./transformers-worker.ts', import.meta.url), { type: 'module', name: 'transformers' }),
  );
  const on = candidate.device === 'webgpu' ? 'WebGPU' : 'WASM';
  const name = `${specName(spec)} (transformers.js, ${on}, ${candidate.dtype}${because})`;
  const embeds = how === null ? null : { pooling: how.pooling, prefix: how.prefix };
  return { worker, facts: await worker.load({ name, files, candidate, embeds }, options) };
};

/** What the name says of ways that were tried before; that a format is not in the repository is no news. */
const reasons = (failures: readonly { candidate: Candidate; failure: ModelFailure }[]): string => {
  const told = failures.findLast(({ failure }) => failure.kind !== 'not-found');
  if (told === undefined) return '';
  const { device, dtype } = told.candidate;
  const on = device === 'webgpu' ? 'WebGPU' : 'WASM';
  return `; ${on} ${dtype} ${told.failure.kind === 'untrusted' ? 'gave wrong results' : 'failed'}`;
};

/** The failure that tells most: any other than that one of the formats is not there. */
const worst = (failures: readonly { failure: ModelFailure }[], spec: TransformersSpec): ModelFailure =>
  failures.find(({ failure }) => failure.kind !== 'not-found')?.failure ??
  new ModelFailure(
    'not-found',
    `${specName(spec)} has no weights for transformers.js (onnx/model….onnx). Choose a model that has them, e.g. of onnx-community.`,
  );
