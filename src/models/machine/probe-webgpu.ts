import type { Machine } from '../../app/model-control.ts';
import { halfWorks, matmulRun } from './matmul-run.ts';
import { adapterName, isSoftware } from './software-adapter.ts';

/** What a device is put through; exchanged in tests, for a device that computes wrongly is hard to come by. */
export interface Trials {
  matmul(device: GPUDevice): Promise<number>;
  half(device: GPUDevice): Promise<boolean>;
}

const REAL: Trials = { matmul: matmulRun, half: halfWorks };

/** Tries WebGPU: an adapter, a device, and a small computation whose result is checked. Never rejects. */
export const probeWebgpu = async (gpu: GPU | undefined, trials: Trials = REAL): Promise<Machine['webgpu']> => {
  if (gpu === undefined) {
    return { state: 'missing', why: 'This browser has no WebGPU (or the page is not served over HTTPS).' };
  }
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (adapter === null) {
    return { state: 'missing', why: 'The browser has WebGPU, but gives it no GPU of this machine.' };
  }
  const name = adapterName(adapter.info);
  try {
    const { device, half } = await deviceOf(adapter);
    try {
      return {
        state: 'works',
        adapter: name,
        software: isSoftware(adapter.info),
        shaderF16: half && (await checked(device, trials.half)),
        maxBuffer: Math.min(adapter.limits.maxBufferSize, adapter.limits.maxStorageBufferBindingSize),
        gflops: await checked(device, trials.matmul),
      };
    } finally {
      device.destroy();
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { state: 'broken', why: `${name} was found, but does not work: ${words}` };
  }
};

const deviceOf = async (adapter: GPUAdapter): Promise<{ device: GPUDevice; half: boolean }> => {
  const feature: GPUFeatureName = 'shader-f16';
  if (!adapter.features.has(feature)) return { device: await adapter.requestDevice(), half: false };
  return { device: await adapter.requestDevice({ requiredFeatures: [feature] }), half: true };
};

/** The trial's result; rejects if the device reported an error, or was lost, meanwhile. */
const checked = async <T>(device: GPUDevice, trial: (device: GPUDevice) => Promise<T>): Promise<T> => {
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('validation');
  const lost = device.lost.then(({ message, reason }): never => {
    throw new Error(`it was lost (${message || reason})`);
  });
  const result = await Promise.race([trial(device), lost]);
  const errors = await Promise.all([device.popErrorScope(), device.popErrorScope()]);
  const error = errors.find((each) => each !== null);
  if (error) throw new Error(error.message);
  return result;
};
