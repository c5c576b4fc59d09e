import type { TransformersSpec } from '../model-spec.ts';

export type Device = 'webgpu' | 'wasm';
export type Dtype = Exclude<TransformersSpec['dtype'], 'auto'>;

/** A way to run a model: which of its files, and on what. */
export interface Candidate {
  readonly device: Device;
  readonly dtype: Dtype;
}

export interface GpuHere {
  /** A real GPU, not one that the processor plays. */
  readonly real: boolean;
  readonly shaderF16: boolean;
}

/** Best first: small and exact enough on the processor, halves on a GPU that can. Weights of 4 bits serve text, hardly vectors. */
const ORDER: Readonly<Record<TransformersSpec['task'], Readonly<Record<Device, readonly Dtype[]>>>> = {
  embed: { webgpu: ['fp16', 'fp32', 'q8'], wasm: ['q8', 'int8', 'uint8', 'fp32', 'q4'] },
  generate: { webgpu: ['q4f16', 'q4', 'fp16', 'fp32'], wasm: ['q8', 'q4', 'int8', 'uint8', 'fp32'] },
};

const HALVES: readonly Dtype[] = ['fp16', 'q4f16'];

/**
 * Ways to run a model, the one asked for first; each next one is tried where those before are not there or not to be
 * trusted. `gpu` is null where there is none.
 */
export const candidatesOf = (
  { task, dtype, device }: Pick<TransformersSpec, 'task' | 'dtype' | 'device'>,
  gpu: GpuHere | null,
  avoid: readonly Dtype[] = [],
): readonly Candidate[] => {
  const wanted: readonly Device[] =
    gpu !== null && (device === 'webgpu' || (device === 'auto' && gpu.real)) ? ['webgpu', 'wasm'] : ['wasm'];
  const all = wanted.flatMap((on) => {
    const order = ORDER[task][on];
    const asked = dtype === 'auto' ? order : [dtype, ...order.filter((other) => other !== dtype)];
    return asked
      .filter((one) => !avoid.includes(one))
      .filter((one) => !(on === 'webgpu' && HALVES.includes(one) && gpu?.shaderF16 !== true))
      .map((one) => ({ device: on, dtype: one }));
  });
  return dtype === 'auto'
    ? all
    : [...all.filter((one) => one.dtype === dtype), ...all.filter((one) => one.dtype !== dtype)];
};

const SUFFIX: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/** The weights' file in a repository, as transformers.js names it. */
export const weightsPath = (dtype: Dtype): string => `onnx/model${SUFFIX[dtype]}.onnx`;
