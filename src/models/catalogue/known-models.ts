import type { Machine, Offer } from '../../app/model-control.ts';
import type { KnownModel } from '../roles/model-library.ts';
import { type ModelSpec, specKey } from '../runtimes/model-spec.ts';
import { candidatesOf } from '../runtimes/transformers/candidates.ts';
import { knownEmbedder } from '../runtimes/transformers/embedding-models.ts';
import { gpuUnfit, type Needs, wasmUnfit } from './fit.ts';
import { type GgufModel, ggufModels } from './gguf-models.ts';
import { type OnnxModel, onnxModels } from './onnx-models.ts';
import { gpuPace, processorPace, realGpu } from './pace.ts';
import { promptApiModel } from './prompt-api-model.ts';
import { buildFor, downloadOf, type WebLlmModel, webLlmModels } from './webllm-models.ts';

const WRITES: Offer['roles'] = ['chat', 'decide', 'summarise'];
/** What ONNX and GGUF models take besides their weights: a part of them for what is computed, and a cache of some 4,000 tokens. */
const BESIDE_WEIGHTS = { part: 0.15, bytes: 250e6 };

/** Every model of the catalogue for this machine; those that fit first, and among them from small to large. */
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

const known = (
  spec: ModelSpec,
  told: Pick<Offer, 'name' | 'roles' | 'about' | 'speed' | 'licence' | 'unfit'> & Needs,
): KnownModel => ({
  spec,
  offer: { key: specKey(spec), runtime: spec.runtime, own: false, leavesFor: null, ...told },
});

const webLlm = (model: WebLlmModel, machine: Machine): KnownModel => {
  const gpu = realGpu(machine);
  const fitting = buildFor(model, gpu?.shaderF16 ?? true);
  // Told of the build that there is, where the one for this GPU is missing.
  const build = fitting ?? buildFor(model, true);
  if (build === null) throw new Error(`WebLLM has no ${model.spec.modelId}`);
  const needs: Needs = { downloadBytes: downloadOf(model, build), memoryBytes: build.vramMB * 1e6 };
  const noBuild = 'It needs 16-bit shaders (shader-f16), which this GPU lacks, and has no build without.';
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
    roles: model.spec.embeds ? ['embed'] : WRITES,
    about: model.about,
    licence: model.licence,
    ...needs,
    // llama.cpp uses a GPU only if it has 16-bit shaders.
    speed: gpu?.shaderF16 ? gpuPace(model.bytes, gpu.gflops) : processorPace(model.bytes, machine),
    unfit: wasmUnfit(machine, needs),
  });
};

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
    roles: spec.task === 'embed' ? ['embed'] : WRITES,
    about: model.about,
    licence: model.licence,
    ...needs,
    speed: onGpu ? gpuPace(weights, gpu.gflops) : processorPace(weights, machine),
    unfit: onGpu ? gpuUnfit(machine, needs, 0) : wasmUnfit(machine, needs),
  });
};

const needsOf = (weights: number, beside: number): Needs => ({
  downloadBytes: weights + beside,
  memoryBytes: Math.round(weights * (1 + BESIDE_WEIGHTS.part) + BESIDE_WEIGHTS.bytes),
});

/** What does not fit for its size names the largest of its kind that does. */
const withWhatFits = (model: KnownModel, fit: readonly KnownModel[]): KnownModel => {
  const { runtime, roles, unfit } = model.offer;
  const kin = fit.filter(({ offer }) => offer.runtime === runtime && offer.roles.join() === roles.join());
  const largest = kin.toSorted((a, b) => (b.offer.memoryBytes ?? 0) - (a.offer.memoryBytes ?? 0))[0];
  return largest === undefined
    ? model
    : { ...model, offer: { ...model.offer, unfit: `${unfit} ${largest.offer.name} fits.` } };
};
