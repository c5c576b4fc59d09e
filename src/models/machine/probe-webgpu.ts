import type { Machine } from '../../app/model-control.ts';
import { errorMessage } from '../../engine/model-failure.ts';

/** Milliseconds to wait before asking a browser that found no GPU again. */
const A_MOMENT = 100;

/**
 * The GPU adapter available to this page or worker; null if there is none. Asks twice, because Chromium may restart its GPU
 * process for the first page that asks and report no GPU in the meantime (seen on Linux). Never rejects.
 */
export const gpuAdapter = async (
  gpu: GPU | undefined,
  options: GPURequestAdapterOptions = {},
): Promise<GPUAdapter | null> => {
  if (gpu === undefined) return null;
  const ask = () => gpu.requestAdapter(options).catch(() => null);
  const found = await ask();
  if (found !== null) return found;
  await new Promise((resolve) => setTimeout(resolve, A_MOMENT));
  return ask();
};

/** The computations a device has to pass. Replaced in tests, since a device that computes wrongly is hard to come by. */
export interface GpuTests {
  matmul(device: GPUDevice): Promise<number>;
  half(device: GPUDevice): Promise<boolean>;
}

/** Probes WebGPU: requests an adapter and a device, and checks the result of a small computation. Never rejects. */
export const probeWebgpu = async (gpu: GPU | undefined, trials: GpuTests = REAL): Promise<Machine['webgpu']> => {
  if (gpu === undefined) {
    return { state: 'missing', why: 'This browser has no WebGPU (or the page is not served over HTTPS).' };
  }
  const adapter = await gpuAdapter(gpu, { powerPreference: 'high-performance' });
  if (adapter === null) {
    return { state: 'missing', why: 'The browser has WebGPU, but found no GPU on this machine.' };
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
    const words = errorMessage(error);
    return { state: 'broken', why: `${name} was found, but does not work: ${words}` };
  }
};

const deviceOf = async (adapter: GPUAdapter): Promise<{ device: GPUDevice; half: boolean }> => {
  const feature: GPUFeatureName = 'shader-f16';
  if (!adapter.features.has(feature)) return { device: await adapter.requestDevice(), half: false };
  return { device: await adapter.requestDevice({ requiredFeatures: [feature] }), half: true };
};

/** Runs a trial and returns its result; rejects if the device reports an error or is lost meanwhile. */
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

/** Names of software renderers: SwiftShader (Chromium), llvmpipe and lavapipe (Mesa), WARP (Windows). */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|\bwarp\b|software/i;

/** The fields of `GPUAdapterInfo` that identify the adapter. */
interface AdapterNames {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  readonly isFallbackAdapter?: boolean;
}

/** Whether an adapter runs on the CPU, judging by its own info; in older browsers that may be empty. */
export const isSoftware = (info: AdapterNames | undefined): boolean =>
  info !== undefined && (info.isFallbackAdapter === true || SOFTWARE.test(Object.values(namesOf(info)).join(' ')));

/** A display name for the adapter. Browsers may omit any of these fields to prevent fingerprinting. */
export const adapterName = (info: AdapterNames): string => {
  const { description, ...rest } = namesOf(info);
  const parts = description === '' ? Object.values(rest) : [description];
  return parts.filter((part) => part !== '').join(' ') || 'a GPU without a name';
};

const namesOf = ({ vendor, architecture, device, description }: AdapterNames) => ({
  vendor,
  architecture,
  device,
  description,
});

/** Side length of the square matrices; a multiple of the tile size. */
const N = 256;
const TILE = 16;
/** Number of rows of the product that are compared with the CPU result. */
const CHECKED = 4;
/** Milliseconds. Long enough to time with a clock that ticks every 0.1 ms, short enough not to keep anyone waiting. */
const LONG_ENOUGH = 40;
const MOST_REPEATS = 1024;

const SHADER = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> ta: array<array<f32, ${TILE}>, ${TILE}>;
var<workgroup> tb: array<array<f32, ${TILE}>, ${TILE}>;

@compute @workgroup_size(${TILE}, ${TILE})
fn main(@builtin(global_invocation_id) at: vec3u, @builtin(local_invocation_id) inside: vec3u) {
  var sum = 0.0;
  for (var step = 0u; step < ${N / TILE}u; step++) {
    ta[inside.y][inside.x] = a[at.y * ${N}u + step * ${TILE}u + inside.x];
    tb[inside.y][inside.x] = b[(step * ${TILE}u + inside.y) * ${N}u + at.x];
    workgroupBarrier();
    for (var k = 0u; k < ${TILE}u; k++) { sum += ta[inside.y][k] * tb[k][inside.x]; }
    workgroupBarrier();
  }
  c[at.y * ${N}u + at.x] = sum;
}`;

/** Exercises half precision the way a model does: in storage, in arithmetic and in conversion back. */
const HALF_SHADER = `enable f16;
@group(0) @binding(0) var<storage, read_write> halves: array<f16>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3u) {
  halves[at.x] = f16(at.x) * 0.25h;
  sums[at.x] = f32(halves[at.x] + 1.5h);
}`;

/** Flags from the WebGPU standard (§5.1 and §5.3); the DOM types lack the objects that name them. */
const USAGE = { mapRead: 0x1, copySrc: 0x4, copyDst: 0x8, storage: 0x80 };
const READ = 0x1;

/** Varied values that sum with little rounding error. */
const matrix = (seed: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: N * N }, (_, i) => (((i * 2654435761 + seed * 40503) >>> 16) % 17) / 16 - 0.5);

/**
 * Multiplies two matrices on the device, checks the product against the CPU and times it. Returns GFLOPS (10⁹ floating-point
 * operations per second); rejects if the device computes wrongly or not at all.
 */
const matmulRun = async (device: GPUDevice): Promise<number> => {
  const [left, right] = [matrix(1), matrix(2)];
  const pipeline = await pipelineOf(device, SHADER);
  const buffers = [upload(device, left), upload(device, right), empty(device, left.byteLength)] as const;
  const group = groupOf(device, pipeline, buffers);
  const run = async (repeats: number): Promise<number> => {
    const encoder = device.createCommandEncoder();
    for (let i = 0; i < repeats; i += 1) dispatch(encoder, pipeline, group, N / TILE, N / TILE);
    const begun = performance.now();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    return performance.now() - begun;
  };
  // The first run includes one-time setup.
  await run(1);
  const product = await download(device, buffers[2]);
  for (let row = 0; row < CHECKED; row += 1) {
    for (let column = 0; column < N; column += 1) {
      let sum = 0;
      for (let k = 0; k < N; k += 1) sum += (left[row * N + k] ?? 0) * (right[k * N + column] ?? 0);
      const got = product[row * N + column] ?? Number.NaN;
      if (!(Math.abs(got - sum) < 1e-3)) throw new Error(`it computes wrongly: ${got} instead of ${sum}`);
    }
  }
  let repeats = 1;
  let took = await run(repeats);
  while (took < LONG_ENOUGH && repeats < MOST_REPEATS) {
    repeats *= 4;
    took = await run(repeats);
  }
  return (2 * N ** 3 * repeats) / (took * 1e6);
};

/** Whether half precision works as it should; some devices claim it and compute wrongly. */
const halfWorks = async (device: GPUDevice): Promise<boolean> => {
  const pipeline = await pipelineOf(device, HALF_SHADER);
  const sums = empty(device, 64 * 4);
  const encoder = device.createCommandEncoder();
  dispatch(encoder, pipeline, groupOf(device, pipeline, [empty(device, 64 * 2), sums]), 1, 1);
  device.queue.submit([encoder.finish()]);
  return (await download(device, sums)).every((sum, i) => sum === i * 0.25 + 1.5);
};

const REAL: GpuTests = { matmul: matmulRun, half: halfWorks };

const pipelineOf = (device: GPUDevice, code: string): Promise<GPUComputePipeline> =>
  device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
  });

const empty = (device: GPUDevice, size: number): GPUBuffer =>
  device.createBuffer({ size, usage: USAGE.storage | USAGE.copySrc | USAGE.copyDst });

const upload = (device: GPUDevice, numbers: Float32Array<ArrayBuffer>): GPUBuffer => {
  const buffer = empty(device, numbers.byteLength);
  device.queue.writeBuffer(buffer, 0, numbers);
  return buffer;
};

const groupOf = (device: GPUDevice, pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[]): GPUBindGroup =>
  device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });

const dispatch = (
  encoder: GPUCommandEncoder,
  pipeline: GPUComputePipeline,
  group: GPUBindGroup,
  x: number,
  y: number,
): void => {
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(x, y);
  pass.end();
};

const download = async (device: GPUDevice, from: GPUBuffer): Promise<Float32Array> => {
  const into = device.createBuffer({ size: from.size, usage: USAGE.copyDst | USAGE.mapRead });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(from, 0, into, 0, from.size);
  device.queue.submit([encoder.finish()]);
  await into.mapAsync(READ);
  const numbers = new Float32Array(into.getMappedRange().slice(0));
  into.destroy();
  return numbers;
};
