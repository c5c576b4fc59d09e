import { ModelFailure } from '../../../engine/model-failure.ts';
import { bytesInWords } from '../../store/words.ts';

/** What the library asks of every GPU, whatever the model (its detectGPUDevice). */
const NEEDED = {
  maxBufferSize: 1 << 28,
  maxStorageBufferBindingSize: 1 << 27,
  maxComputeWorkgroupStorageSize: 32 << 10,
  maxStorageBuffersPerShaderStage: 10,
} as const;

/** What of a GPU decides which build of a model it runs. */
export interface Gpu {
  readonly shaderF16: boolean;
  /** Bytes that a shader can be given in one piece. */
  readonly maxBinding: number;
}

/** Looks at the GPU before gigabytes are downloaded for it. Rejects with `no-webgpu`. */
export const findGpu = async (model: string): Promise<Gpu> => {
  if (!navigator.gpu) {
    throw noGpu(
      model,
      isSecureContext
        ? 'this browser has none. Use a recent Chrome or Edge'
        : 'browsers give it to pages of secure addresses alone. Open this page by https or from localhost',
    );
  }
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (adapter === null) throw noGpu(model, 'the browser finds no GPU that it can use. Check its graphics settings');
  const short = Object.entries(NEEDED).find(([name, least]) => adapter.limits[name as keyof typeof NEEDED] < least);
  if (short !== undefined) throw noGpu(model, `this GPU is too small for WebLLM (${short[0]} below ${short[1]})`);
  return {
    shaderF16: adapter.features.has('shader-f16'),
    maxBinding: adapter.limits.maxStorageBufferBindingSize,
  };
};

const noGpu = (model: string, why: string): ModelFailure =>
  new ModelFailure('no-webgpu', `${model} needs WebGPU, and ${why}; or choose a model that runs without a GPU.`);

/** Rejects a model that this GPU cannot hold in one piece, as far as WebLLM's list tells. */
export const requireBinding = (model: string, needed: number | undefined, { maxBinding }: Gpu): void => {
  if (needed === undefined || needed <= maxBinding) return;
  throw new ModelFailure(
    'out-of-memory',
    `${model} needs ${bytesInWords(needed)} of GPU memory in one piece, and this GPU gives ${bytesInWords(maxBinding)}. Choose a smaller model.`,
  );
};

/**
 * Tells when a device that is made in this worker from now on is lost. The library keeps its device to itself, and
 * when it is lost only puts the model away, so what was under way would wait for ever. It destroys the device itself
 * when memory for a buffer was refused: that is told as `out-of-memory`.
 */
export const watchDevices = (model: string, onLost: (failure: ModelFailure) => void): void => {
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
        `The GPU has not enough memory for ${model}. Close other tabs, or choose a smaller model.`,
      )
    : new ModelFailure(
        'device-lost',
        `The GPU was taken away from ${model}${message ? ` (${message})` : ''}: it ran out of memory, its driver restarted, or the machine slept. Try again; if it happens again, choose a smaller model.`,
      );
