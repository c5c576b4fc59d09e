import type { Machine, Offer, RecommendedSet } from '../../app/model-control.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import {
  type ModelSpec,
  specKey,
  specName,
  type TransformersSpec,
  type WebLlmSpec,
  type WllamaSpec,
} from '../runtimes/model-spec.ts';
import { candidatesOf, type Dtype, knownEmbedder } from '../runtimes/transformers/repo-files.ts';
import models from './known-models.json';
import builds from './webllm-builds.json';

const WRITES: Offer['roles'] = ['chat', 'decide', 'summarise'];
const UNMEASURED = 'Its θ is an estimate, not measured on labelled forks.';

const jobOf = (embeds: boolean, about: string): Pick<Offer, 'roles' | 'about'> =>
  embeds ? { roles: ['embed'], about: `${about} ${UNMEASURED}` } : { roles: WRITES, about };

/**
 * Memory of ONNX and GGUF models beyond their weights: a fraction of these for computation, and bytes for a cache of about
 * 4,000 tokens.
 */
const BESIDE_WEIGHTS = { part: 0.15, bytes: 250e6 };

/** All catalogue models for this machine: first those that fit, from small to large. */
export const knownModels = (machine: Machine): readonly KnownModel[] => {
  const all = [
    promptApiModel(machine),
    ...webLlmModels.map((model) => webLlm(model, machine)),
    ...ggufModels.map((model) => gguf(model, machine)),
    ...onnxModels.map((model) => onnx(model, machine)),
  ];
  const fit = all.filter(({ offer }) => offer.unfit === null);
  const unfit = all.filter(({ offer }) => offer.unfit !== null).map((model) => withWhatFits(model, fit));
  return [...fit, ...unfit];
};

/** The specs of all catalogue models. They are the same on every machine, so nothing is probed for them. */
export const knownSpecs = (): readonly ModelSpec[] => [
  PROMPT_API,
  ...[...webLlmModels, ...ggufModels, ...onnxModels].map(({ spec }) => spec),
];

const known = (
  spec: ModelSpec,
  facts: Pick<Offer, 'name' | 'roles' | 'about' | 'speed' | 'licence' | 'unfit'> & ModelRequirements,
): KnownModel => ({
  spec,
  offer: { key: specKey(spec), runtime: spec.runtime, own: false, leavesFor: null, ...facts },
});

const webLlm = (model: WebLlmModel, machine: Machine): KnownModel => {
  const gpu = realGpu(machine);
  const fitting = buildFor(model, gpu?.shaderF16 ?? true);
  // Falls back to the existing build if there is none for this GPU.
  const build = fitting ?? buildFor(model, true);
  if (build === null) throw new Error(`WebLLM has no ${model.spec.modelId}`);
  const needs: ModelRequirements = { downloadBytes: downloadOf(model, build), memoryBytes: build.vramMB * 1e6 };
  const noBuild = 'It needs 16-bit shaders (shader-f16), which this GPU lacks, and no other build is available.';
  return known(model.spec, {
    ...model,
    ...needs,
    roles: WRITES,
    speed: gpu === null ? null : gpuPace(needs.downloadBytes, gpu.gflops),
    unfit: fitting === null ? noBuild : gpuUnfit(machine, needs, build.bindingBytes),
  });
};

const gguf = (model: GgufModel, machine: Machine): KnownModel => {
  const gpu = realGpu(machine);
  const needs = needsOf(model.bytes, 0);
  return known(model.spec, {
    name: model.name,
    ...jobOf(model.spec.embeds, model.about),
    licence: model.licence,
    ...needs,
    // llama.cpp uses a GPU only if it has 16-bit shaders.
    speed: gpu?.shaderF16 ? gpuPace(model.bytes, gpu.gflops) : processorPace(model.bytes, machine),
    unfit: machine.memory64 ? wasmUnfit(machine, needs) : NO_MEMORY64,
  });
};

const NO_MEMORY64 =
  'This browser lacks 64-bit WebAssembly, which GGUF models need. A current Chrome, Edge or Firefox has it.';

const onnx = (model: OnnxModel, machine: Machine): KnownModel => {
  const gpu = realGpu(machine);
  const { spec } = model;
  const avoid = spec.source.kind === 'hub' ? (knownEmbedder(spec.source.repo)?.avoid ?? []) : [];
  const tried = candidatesOf(spec, gpu && { real: true, shaderF16: gpu.shaderF16 }, avoid);
  const chosen = tried.find(({ dtype }) => model.weights[dtype] !== undefined);
  const weights = (chosen && model.weights[chosen.dtype]) ?? 0;
  const needs = needsOf(weights, model.beside);
  const onGpu = gpu !== null && chosen?.device === 'webgpu';
  return known(spec, {
    name: model.name,
    ...jobOf(spec.task === 'embed', model.about),
    licence: model.licence,
    ...needs,
    speed: onGpu ? gpuPace(weights, gpu.gflops) : processorPace(weights, machine),
    unfit: onGpu ? gpuUnfit(machine, needs, 0) : wasmUnfit(machine, needs),
  });
};

const needsOf = (weights: number, beside: number): ModelRequirements => ({
  downloadBytes: weights + beside,
  memoryBytes: Math.round(weights * (1 + BESIDE_WEIGHTS.part) + BESIDE_WEIGHTS.bytes),
});

/** Adds the largest model of the same kind that fits to the reason why a model does not. */
const withWhatFits = (model: KnownModel, fit: readonly KnownModel[]): KnownModel => {
  const { runtime, roles, unfit } = model.offer;
  const kin = fit.filter(({ offer }) => offer.runtime === runtime && offer.roles.join() === roles.join());
  const largest = kin.toSorted((a, b) => (b.offer.memoryBytes ?? 0) - (a.offer.memoryBytes ?? 0))[0];
  return largest === undefined
    ? model
    : { ...model, offer: { ...model.offer, unfit: `${unfit} ${largest.offer.name} fits.` } };
};

const WHY: Readonly<Record<'missing' | 'unavailable', string>> = {
  missing: 'This browser has no model of its own. Chrome and Edge on a desktop have one (the Prompt API).',
  unavailable:
    'This browser has a model of its own, but it needs a GPU with more than 4 GB or 16 GB of memory, and 22 GB of free disk space.',
};

const PROMPT_API = { runtime: 'prompt-api' } as const;

/** The browser's own model. Its identity, size and terms are up to the browser vendor. */
const promptApiModel = ({ promptApi }: Machine): KnownModel => {
  return {
    spec: PROMPT_API,
    offer: {
      key: specKey(PROMPT_API),
      name: specName(PROMPT_API),
      runtime: 'prompt-api',
      roles: ['chat', 'decide', 'summarise'],
      about:
        promptApi === 'available'
          ? 'Comes with this browser. Ready to use.'
          : 'Comes with this browser, which downloads it once for all pages.',
      downloadBytes: promptApi === 'available' ? 0 : null,
      memoryBytes: null,
      speed: null,
      licence: null,
      unfit: promptApi === 'missing' || promptApi === 'unavailable' ? WHY[promptApi] : null,
      own: false,
      leavesFor: null,
    },
  };
};

/** A single-file GGUF model, run by llama.cpp on the CPU or on a GPU with 16-bit shaders. */
interface GgufModel {
  readonly spec: WllamaSpec;
  readonly name: string;
  /** File size in bytes. */
  readonly bytes: number;
  readonly licence: string;
  readonly about: string;
}

/**
 * From small to large, as all lists here. Names and sizes as in the repositories (each found with its size in a published list
 * with SHA-256, November 2026). None exceeds 2 GiB: wllama cannot read larger files, and WASM is limited to 4 GiB.
 */
const ggufModels: readonly GgufModel[] = models.wllama.map(({ repo, file, embeds, ...facts }) => ({
  ...facts,
  spec: { runtime: 'wllama', source: { kind: 'hub', repo, file }, embeds },
}));

/** An ONNX model, run by transformers.js. */
interface OnnxModel {
  readonly spec: TransformersSpec;
  readonly name: string;
  /** Approximate weight sizes in bytes by format; only formats of known size. */
  readonly weights: Readonly<Partial<Record<Dtype, number>>>;
  /** Approximate bytes of tokenizer and configuration. */
  readonly beside: number;
  readonly licence: string;
  readonly about: string;
}

/** Sizes from the hub's file lists (rounded there), November 2026. The test checks the names of tasks and formats. */
const onnxModels = models.transformers.map(({ repo, task, dtype, ...facts }) => ({
  ...facts,
  spec: { runtime: 'transformers', task, source: { kind: 'hub', repo }, dtype, device: 'auto' },
})) as readonly OnnxModel[];

/** A model that WebLLM provides. */
interface WebLlmModel {
  readonly spec: WebLlmSpec;
  readonly name: string;
  /** Of the whole model; the download size is derived from it. */
  readonly parameters: number;
  readonly licence: string;
  readonly about: string;
}

/** A model build as listed by the installed library (webllm-builds.json; a test keeps them in sync). */
interface WebLlmBuild {
  readonly id: string;
  /** MB on the GPU, with a cache for 4,096 tokens. */
  readonly vramMB: number;
  /** Required size of a single binding in bytes; 0 if the usual 128 MiB suffice. */
  readonly bindingBytes: number;
}

/** Approximate bytes of tokenizer, configuration and compiled library. */
const WEBLLM_BESIDE_WEIGHTS = 22e6;
/** Bits per weight including scales: each group of 32 weights shares one of 16 or 32 bits. */
const BITS = { q4f16: 4.5, q4f32: 5 };

/**
 * The build that would be loaded: the 32-bit one, if any, without 16-bit shaders. The spec always names the 16-bit build, so
 * that a choice stays the same whatever the GPU supports that day (the runtime chooses the same way).
 */
export const buildFor = ({ spec }: WebLlmModel, shaderF16: boolean): WebLlmBuild | null => {
  const id = shaderF16 ? spec.modelId : spec.modelId.replace('q4f16', 'q4f32');
  return builds.find((build) => build.id === id) ?? null;
};

/** Download size in bytes. Within 1 % of the three known exactly (Qwen3 0.6B, 1.7B, 4B). */
export const downloadOf = ({ parameters }: WebLlmModel, build: WebLlmBuild): number =>
  Math.round((parameters * (build.id.includes('q4f32') ? BITS.q4f32 : BITS.q4f16)) / 8 + WEBLLM_BESIDE_WEIGHTS);

/** Parameter counts from the model cards. */
export const webLlmModels: readonly WebLlmModel[] = models.webllm.map(({ base, billions, ...facts }) => ({
  ...facts,
  spec: { runtime: 'webllm', modelId: `${base}-q4f16_1-MLC`, custom: null },
  parameters: billions * 1e9,
}));

/** Chat models for a GPU, best first: the first one that fits and is not slow is used. */
const ON_GPU = ['Qwen3-4B-q4f16_1-MLC', 'Qwen3-1.7B-q4f16_1-MLC', 'Qwen3-0.6B-q4f16_1-MLC'].map((id) => `webllm:${id}`);

/** Chat model without a GPU: the largest whose first token does not take minutes. */
const ON_PROCESSOR = 'wllama:bartowski/SmolLM2-360M-Instruct-GGUF/SmolLM2-360M-Instruct-Q4_K_M.gguf';
/** Minimum threads; with fewer, the embedded models work better. */
const ENOUGH_THREADS = 3;

const EMBEDDED = { kind: 'embedded' } as const;

/**
 * A recommended set for all four roles; null if nothing beats the shipped models. Decisions and comparison always stay
 * embedded: the embedded decider is trained on the embedded embedder's similarities, both are measured (docs/results.md) and
 * take milliseconds; no other embedder's θ has been measured.
 */
export const recommend = (machine: Machine): RecommendedSet | null => {
  const fitting = knownModels(machine).filter(({ offer }) => offer.unfit === null);
  const find = (key: string): KnownModel | undefined => fitting.find(({ offer }) => offer.key === key);
  if (realGpu(machine) !== null) {
    const chat = ON_GPU.map(find).find((model) => model !== undefined && model.offer.speed !== 'slow');
    if (chat !== undefined) return onGpu(chat, machine);
  }
  const browsers = find('prompt-api');
  if (browsers !== undefined && machine.promptApi === 'available') {
    return setOf(browsers, false, 'The browser’s own model writes the replies, so there is nothing to download.');
  }
  const small = find(ON_PROCESSOR);
  if (small === undefined || machine.modelThreads < ENOUGH_THREADS) return null;
  const gpu = realGpu(machine);
  const why =
    gpu === null ? 'No GPU can be used here' : 'The larger models recommended for a GPU do not fit on this machine';
  return setOf(
    small,
    false,
    // llama.cpp uses a GPU only if it has 16-bit shaders.
    gpu?.shaderF16
      ? `${why}, so ${small.offer.name} runs on the GPU and answers in simple English.`
      : `${why}, so ${small.offer.name} runs on the processor: a few words a second, in simple English, and in a long conversation its first word can take half a minute or more.`,
  );
};

const onGpu = (chat: KnownModel, machine: Machine): RecommendedSet => {
  // Summaries run on their own engine, so that the chat's keeps its conversation cache.
  const twice = 2 * (chat.offer.memoryBytes ?? Number.POSITIVE_INFINITY) <= gpuBudget(machine);
  return setOf(
    chat,
    twice,
    `${chat.offer.name} writes the replies${twice ? ' and summaries' : ''} on this machine’s GPU.`,
  );
};

const setOf = (chat: KnownModel, summarises: boolean, about: string): RecommendedSet => ({
  choices: {
    chat: { kind: 'model', key: chat.offer.key },
    decide: EMBEDDED,
    summarise: summarises ? { kind: 'same-as-chat' } : EMBEDDED,
    embed: EMBEDDED,
  },
  about: `${about} ${summarises ? 'Decisions and comparison' : 'Decisions, summaries and comparison'} stay with the embedded models, which are measured and instant.`,
  downloadBytes: chat.offer.downloadBytes ?? 0,
});

/** An available model, and the spec that loads it. */
export interface KnownModel {
  readonly spec: ModelSpec;
  readonly offer: Offer;
}

/** A model's requirements. */
interface ModelRequirements {
  readonly downloadBytes: number;
  readonly memoryBytes: number;
}

/** Browsers used to cap the reported memory at this many GB; newer ones report more. */
const TOLD_AT_MOST = 8;
/** Assumed GPU budget in bytes if the browser does not report memory. */
const GPU_UNTOLD = 4e9;
/** GPU budget in bytes for a machine with 8 GB or more: a dedicated card, or shared memory. */
const GPU_USUAL = 6e9;
/** Fractions of the machine's memory available to a page. */
const GPU_PART = 0.5;
const PAGE_PART = 0.5;
/** Bytes; the WASM address space is limited to this. */
const WASM_MOST = 4 * 2 ** 30;

/** Estimated GPU memory for a page, in bytes. Browsers do not report it; what really fits shows on loading. */
const gpuBudget = ({ memory }: Machine): number =>
  memory === null ? GPU_UNTOLD : memory === TOLD_AT_MOST ? GPU_USUAL : memory * 1e9 * GPU_PART;

/** Estimated memory available to WASM, in bytes. */
const wasmBudget = ({ memory }: Machine): number =>
  memory === null ? WASM_MOST : Math.min(WASM_MOST, memory === TOLD_AT_MOST ? WASM_MOST : memory * 1e9 * PAGE_PART);

/** Why there is no usable GPU and what would help; null if there is one. */
const gpuMissing = (machine: Machine): string | null => {
  const { webgpu } = machine;
  if (realGpu(machine) !== null) return null;
  if (webgpu.state === 'works') {
    return `It needs a GPU. Here the browser emulates one on the processor (${webgpu.adapter}), and a reply would take minutes. Switch on hardware acceleration in the browser’s settings${machine.memory64 ? ', or choose a GGUF model' : ''}.`;
  }
  return `It needs a GPU. ${webgpu.why} A recent Chrome, Edge or Safari on a machine with a GPU can run it.${machine.memory64 ? ' GGUF models run without one.' : ''}`;
};

/** Why a model does not fit on the GPU; null if it does, as far as is known. */
const gpuUnfit = (machine: Machine, needs: ModelRequirements, bindingBytes: number): string | null => {
  const missing = gpuMissing(machine) ?? storageUnfit(machine, needs);
  if (missing !== null) return missing;
  const gpu = realGpu(machine);
  if (gpu !== null && bindingBytes > gpu.maxBuffer) {
    return `It needs GPU buffers of ${bytesInWords(bindingBytes)}; this GPU allows at most ${bytesInWords(gpu.maxBuffer)}.`;
  }
  const budget = gpuBudget(machine);
  if (needs.memoryBytes <= budget) return null;
  return `It needs about ${bytesInWords(needs.memoryBytes)} on the GPU; this machine likely gives ${bytesInWords(budget)}.`;
};

/** Why a model does not fit in WASM; null if it does, as far as is known. */
const wasmUnfit = (machine: Machine, needs: ModelRequirements): string | null => {
  const full = storageUnfit(machine, needs);
  if (full !== null) return full;
  const budget = wasmBudget(machine);
  if (needs.memoryBytes <= budget) return null;
  return `It needs about ${bytesInWords(needs.memoryBytes)} of memory; this machine likely gives a page ${bytesInWords(budget)}.`;
};

/** Compares with the total quota rather than the free space, which the model itself may already be using. */
const storageUnfit = ({ storage }: Machine, { downloadBytes }: ModelRequirements): string | null =>
  storage === null || downloadBytes <= storage.quota
    ? null
    : `It needs ${bytesInWords(downloadBytes)} of disk space, but the browser gives this page ${bytesInWords(storage.quota)}. Try freeing disk space.`;

/** Generation speed class, by rule of thumb: each token reads all weights once. */
type Pace = NonNullable<Offer['speed']>;

/** Tokens per second: `FAST` is faster than most people read; below `MEDIUM` is slower than people tolerate. */
const FAST = 20;
const MEDIUM = 6;

/**
 * Bytes of weights that a GPU reads per second, by its result in the probe (10⁹ operations per second). The classes are a
 * discrete GPU, a good integrated one, and a phone or an old one; half of the bandwidth such GPUs are sold with. Rules of
 * thumb, not measured here.
 */
const GPU_READS: readonly { readonly gflops: number; readonly bytes: number }[] = [
  { gflops: 1000, bytes: 100e9 },
  { gflops: 200, bytes: 25e9 },
  { gflops: 0, bytes: 7.5e9 },
];

/** Bytes per second that one WASM thread reads: a 135M 8-bit model generated about 10 tokens per second. */
const THREAD_READS = 1.5e9;

/** The GPU if it works and is not emulated in software; otherwise null. */
const realGpu = ({ webgpu }: Machine): Extract<Machine['webgpu'], { state: 'works' }> | null =>
  webgpu.state === 'works' && !webgpu.software ? webgpu : null;

const gpuPace = (weightBytes: number, gflops: number): Pace => {
  const reads = GPU_READS.find((one) => gflops >= one.gflops)?.bytes ?? 0;
  return paceOf(reads / weightBytes);
};

/** Never `fast`, because prefill on a CPU takes long. */
const processorPace = (weightBytes: number, { modelThreads }: Machine): Pace => {
  const pace = paceOf((THREAD_READS * modelThreads) / weightBytes);
  return pace === 'fast' ? 'medium' : pace;
};

const paceOf = (tokensASecond: number): Pace =>
  tokensASecond >= FAST ? 'fast' : tokensASecond >= MEDIUM ? 'medium' : 'slow';
