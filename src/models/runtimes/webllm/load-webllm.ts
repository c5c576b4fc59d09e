import type * as webllm from '@mlc-ai/web-llm';
import type { ModelRecord } from '@mlc-ai/web-llm';
import { bytesInWords } from '../../../domain/numbers.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { gpuAdapter } from '../../machine/probe-webgpu.ts';
import { specKey, type WebLlmSpec } from '../model-spec.ts';
import type { LoadOptions } from '../runtime.ts';
import type { ServedModel } from '../worker/serve-model.ts';
import { downloadModel } from './download-model.ts';
import { explainFailure, failureFrom } from './failures.ts';
import { servedEngine, tokenizerOf, type WebLlmEngine } from './served-engine.ts';
import { type ChatConfig, dropFile, keptCaches, Template } from './webllm-cache.ts';

/** What a WebLLM worker is asked to load. */
export interface WebLlmLoad {
  readonly spec: WebLlmSpec;
  /** Replaces Hugging Face. */
  readonly hub: string;
}

type Library = typeof webllm;

/**
 * Loads a model in this worker: checks the GPU, chooses the build for it, downloads the files and starts the library's engine
 * on them. Rejects with a ModelFailure.
 */
export const loadWebLlm = async (
  { spec, hub }: WebLlmLoad,
  options: LoadOptions,
  importLibrary: () => Promise<Library>,
): Promise<ServedModel> => {
  const gpu = await findGpu(spec.modelId);
  // The library uses only the worker's `caches`, which are meant for data that users cannot get again.
  Object.defineProperty(self, 'caches', { value: await keptCaches(), configurable: true });
  const library = await importLibrary();
  const build = chooseBuild(spec, library.prebuiltAppConfig.model_list, hub, gpu.shaderF16);
  requireBinding(build.name, build.record.buffer_size_required_bytes, gpu);
  try {
    return await start(library, spec, build, options);
  } catch (error) {
    // If cancelled, the reason is the caller's.
    throw options.signal.aborted ? options.signal.reason : failureFrom(error, build.name);
  }
};

const start = async (library: Library, spec: WebLlmSpec, build: Build, options: LoadOptions): Promise<ServedModel> => {
  const { record, source, name } = build;
  const place = { folder: record.model, source, library: record.model_lib };
  const manifest = record.model_manifest ?? null;
  const files = await downloadModel({ ...place, key: specKey(spec), name: spec.modelId, manifest }, options);
  const window = windowOf(files.config, record);

  let lose: (failure: ModelFailure) => void = () => undefined;
  const lost = new Promise<ModelFailure>((resolve) => {
    lose = resolve;
  });
  watchDevices(name, lose);
  // A blob URL, because the library never caches code from `localhost` and would fetch it each time.
  const code = URL.createObjectURL(files.library);
  const engine = await startEngine(
    (onProgress) =>
      new library.MLCEngine({
        appConfig: { model_list: [{ ...record, model_lib: code }], cacheBackend: 'cache' },
        initProgressCallback: ({ progress }) => onProgress(progress),
        logLevel: 'SILENT',
      }),
    { id: record.model_id, name, bytes: files.total },
    lost,
    options,
  )
    .catch(async (failure: ModelFailure) => {
      if (failure.kind === 'corrupt') await dropUnproven(build);
      throw failure;
    })
    .finally(() => URL.revokeObjectURL(code));
  void lost.then(options.onLost);
  return servedEngine(
    engine,
    {
      name,
      window,
      template: templateOf(files.config, record),
      packaged: record.model_manifest !== undefined,
      tokenizer: tokenizerOf(engine, record.model_id),
      thinks: /^qwen3/i.test(record.model_id),
      sees: record.model_type === VISION,
    },
    lost,
    options.onLost,
  );
};

/** The library's list gives most models a smaller window than they support, since its memory is allocated up front. */
const windowOf = (config: ChatConfig, { overrides = {}, model_id }: webllm.ModelRecord): number => {
  const fixed = overrides.context_window_size ?? config.context_window_size;
  const window = fixed > 0 ? fixed : (overrides.sliding_window_size ?? config.sliding_window_size ?? 0);
  if (window > 0) return window;
  throw new ModelFailure(
    'corrupt',
    `The configuration of ${model_id} does not give a window size. Choose another model.`,
  );
};

const templateOf = ({ conv_template }: ChatConfig, { overrides }: webllm.ModelRecord): Template =>
  Template.parse({ ...conv_template, ...overrides?.conv_template, ...overrides?.conv_config });

/** The library's `ModelType.VLM`; the library itself is loaded later. */
const VISION = 2;

/** Drops files that the library may have found to be corrupt, so that they are fetched again. Shards were verified on download. */
const dropUnproven = async ({ record }: Build): Promise<void> => {
  const inFolder = (path: string): string => new URL(path, record.model).href;
  await Promise.all([
    dropFile({ scope: 'webllm/wasm', url: record.model_lib }),
    dropFile({ scope: 'webllm/config', url: inFolder('mlc-chat-config.json') }),
    dropFile({ scope: 'webllm/model', url: inFolder('tensor-cache.json') }),
    dropFile({ scope: 'webllm/model', url: inFolder('tokenizer.json') }),
    dropFile({ scope: 'webllm/model', url: inFolder('tokenizer.model') }),
  ]);
};

/** Creates the library's engine, not yet loaded; `onProgress` gets the loaded fraction, 0–1. */
type MakeEngine = (onProgress: (share: number) => void) => WebLlmEngine;

/**
 * Loads a model whose files are all stored into an engine. Rejects with a ModelFailure. `lost` resolves when the GPU is lost,
 * after which the library may wait forever.
 */
export const startEngine = async (
  make: MakeEngine,
  model: { readonly id: string; readonly name: string; readonly bytes: number },
  lost: Promise<ModelFailure>,
  { onProgress }: Pick<LoadOptions, 'onProgress'>,
): Promise<WebLlmEngine> => {
  const report = (share: number): void =>
    onProgress({ phase: 'preparing', loaded: Math.round(model.bytes * Math.min(1, share || 0)), total: model.bytes });
  report(0);
  const engine = make(report);
  const taken = lost.then((failure) => {
    throw failure;
  });
  // A later device loss is reported by `onLost`.
  taken.catch(() => undefined);
  try {
    await Promise.race([engine.reload(model.id), taken]);
  } catch (error) {
    throw await explainFailure(error, model.name, lost);
  }
  return engine;
};

/** The library's minimum GPU limits for any model (its detectGPUDevice). */
const NEEDED = {
  maxBufferSize: 1 << 28,
  maxStorageBufferBindingSize: 1 << 27,
  maxComputeWorkgroupStorageSize: 32 << 10,
  maxStorageBuffersPerShaderStage: 10,
} as const;

/** The GPU properties that determine which build of a model it runs. */
interface Gpu {
  readonly shaderF16: boolean;
  /** Maximum size of a single shader binding, in bytes. */
  readonly maxBinding: number;
}

/** Checks the GPU before gigabytes are downloaded for it. Rejects with `no-webgpu`. */
const findGpu = async (model: string): Promise<Gpu> => {
  if (!navigator.gpu) {
    throw noGpu(
      model,
      isSecureContext
        ? 'this browser does not have it. Use a recent Chrome or Edge'
        : 'browsers only offer it on secure pages. Open this page over https or from localhost',
    );
  }
  const adapter = await gpuAdapter(navigator.gpu, { powerPreference: 'high-performance' });
  if (adapter === null) throw noGpu(model, 'the browser found no usable GPU. Check its graphics settings');
  const short = Object.entries(NEEDED).find(([name, least]) => adapter.limits[name as keyof typeof NEEDED] < least);
  if (short !== undefined) throw noGpu(model, `this GPU is too small for WebLLM (${short[0]} below ${short[1]})`);
  return {
    shaderF16: adapter.features.has('shader-f16'),
    maxBinding: adapter.limits.maxStorageBufferBindingSize,
  };
};

const noGpu = (model: string, why: string): ModelFailure =>
  new ModelFailure('no-webgpu', `${model} needs WebGPU, and ${why}; or choose a model that runs without a GPU.`);

/** Throws if the model needs a larger binding than this GPU allows, as far as WebLLM's list tells. */
const requireBinding = (model: string, needed: number | undefined, { maxBinding }: Gpu): void => {
  if (needed === undefined || needed <= maxBinding) return;
  throw new ModelFailure(
    'out-of-memory',
    `${model} needs ${bytesInWords(needed)} of GPU memory in one piece, and this GPU gives ${bytesInWords(maxBinding)}. Choose a smaller model.`,
  );
};

/**
 * Reports the loss of any device created in this worker from now on. The library does not expose its device, and only unloads
 * the model when the device is lost, so pending requests would wait forever. It destroys the device itself when a buffer
 * allocation fails, which is reported as `out-of-memory`.
 */
const watchDevices = (model: string, onLost: (failure: ModelFailure) => void): void => {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, ...given) {
    const device = await requestDevice.apply(this, given);
    device.lost.then(({ reason, message }) => onLost(lostFailure(model, reason, message)));
    return device;
  };
};

const lostFailure = (model: string, reason: GPUDeviceLostReason, message: string): ModelFailure =>
  reason === 'destroyed'
    ? new ModelFailure(
        'out-of-memory',
        `The GPU does not have enough memory for ${model}. Close other tabs, or choose a smaller model.`,
      )
    : new ModelFailure(
        'device-lost',
        `${model} lost the GPU${message ? ` (${message})` : ''}: it ran out of memory, its driver restarted, or the machine slept. Try again; if it happens again, choose a smaller model.`,
      );

/** Host of WebLLM's own models. */
const HUGGING_FACE = 'https://huggingface.co/';

/** A model build to load. */
interface Build {
  /** In the library's format; `model` is the folder from which it requests the files. */
  readonly record: ModelRecord;
  /** URL that its files are fetched from; ends with a slash. */
  readonly source: string;
  /** Name for traces and messages; says if it is a different build from the requested one. */
  readonly name: string;
}

/**
 * Chooses the build of a model for this GPU. Without 16-bit shaders, the 32-bit build of the same model if there is one;
 * otherwise throws `no-shader-f16`. `list` is the library's own; `hub` replaces Hugging Face.
 */
export const chooseBuild = (
  { modelId, custom }: WebLlmSpec,
  list: readonly ModelRecord[],
  hub: string,
  shaderF16: boolean,
): Build => {
  if (custom !== null) {
    if (!shaderF16 && (isF16(modelId) || isF16(custom.library))) throw noF16(modelId, null);
    const source = folderOf(custom.weights, hub);
    // The library requests files under a hub-style URL, wherever they come from.
    const record = { model: inHubForm(source), model_id: modelId, model_lib: custom.library };
    return { record, source, name: nameOf(modelId) };
  }
  const record = list.find(({ model_id }) => model_id === modelId);
  if (record === undefined) {
    throw new ModelFailure('not-found', `WebLLM has no model named ${modelId}. Choose one from its list.`);
  }
  // 1: embedding models, which do not generate text (the library's ModelType).
  if (record.model_type === 1) {
    throw new ModelFailure('unsupported', `${modelId} compares texts and cannot write. Choose another model.`);
  }
  if (shaderF16 || !needsF16(record)) return built(record, hub, nameOf(modelId));
  const wide = modelId.replace(/(q\d)f16/, '$1f32');
  const other = list.find(({ model_id }) => model_id === wide && wide !== modelId);
  if (other === undefined) throw noF16(modelId, wide);
  return built(other, hub, nameOf(wide).replace('WebGPU', 'WebGPU without shader-f16'));
};

const built = (record: ModelRecord, hub: string, name: string): Build => {
  const model = inHubForm(record.model);
  const source = model.startsWith(HUGGING_FACE) ? new URL(model.slice(HUGGING_FACE.length), slashed(hub)).href : model;
  return { record: { ...record, model }, source, name };
};

const needsF16 = ({ model_id, required_features = [] }: ModelRecord): boolean =>
  required_features.includes('shader-f16') || isF16(model_id);

const isF16 = (modelId: string): boolean => /q\df16/.test(modelId);

const noF16 = (modelId: string, wide: string | null): ModelFailure =>
  new ModelFailure(
    'no-shader-f16',
    `${modelId} needs 16-bit shaders (shader-f16), which this GPU lacks${
      wide === null ? '. Choose a q4f32 build of it' : `, and WebLLM has no ${wide}`
    }, or another model.`,
  );

const nameOf = (modelId: string): string => `${modelId.replace(/-MLC$/, '')} (WebLLM, WebGPU)`;

/** The folder that the user named: a hub repository (`…/owner/name`), or any other URL as is. */
const folderOf = (weights: string, hub: string): string => {
  const url = new URL(slashed(weights));
  const onHub = [HUGGING_FACE, slashed(hub)].some((host) => url.origin === new URL(host).origin);
  const bare = /^\/[^/]+\/[^/]+\/$/.test(url.pathname);
  return onHub && bare ? inHubForm(url.href) : url.href;
};

/** Formats a model URL as the library does (its cleanModelUrl). */
const inHubForm = (url: string): string => {
  const folder = slashed(url);
  return new URL(/.+\/resolve\/.+\//.test(folder) ? folder : `${folder}resolve/main/`).href;
};

const slashed = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
