import type { Machine, Offer } from '../../app/model-control.ts';
import { bytesInWords } from '../../domain/numbers.ts';
import { threadsFor } from '../runtimes/runtime.ts';

/** A model's requirements. */
export interface ModelRequirements {
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
export const gpuBudget = ({ memory }: Machine): number =>
  memory === null ? GPU_UNTOLD : memory === TOLD_AT_MOST ? GPU_USUAL : memory * 1e9 * GPU_PART;

/** Estimated memory available to WASM, in bytes. */
const wasmBudget = ({ memory }: Machine): number =>
  memory === null ? WASM_MOST : Math.min(WASM_MOST, memory === TOLD_AT_MOST ? WASM_MOST : memory * 1e9 * PAGE_PART);

/** Why there is no usable GPU and what would help; null if there is one. */
const gpuMissing = (machine: Machine): string | null => {
  const { webgpu } = machine;
  if (realGpu(machine) !== null) return null;
  if (webgpu.state === 'works') {
    return `It needs a GPU. Here the browser emulates one on the processor (${webgpu.adapter}), and a reply would take minutes. Switch on hardware acceleration in the browser’s settings, or choose a GGUF model.`;
  }
  return `It needs a GPU. ${webgpu.why} A recent Chrome, Edge or Safari on a machine with a GPU can run it. GGUF models run without one.`;
};

/** Why a model does not fit on the GPU; null if it does, as far as is known. */
export const gpuUnfit = (machine: Machine, needs: ModelRequirements, bindingBytes: number): string | null => {
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
export const wasmUnfit = (machine: Machine, needs: ModelRequirements): string | null => {
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
export const realGpu = ({ webgpu }: Machine): Extract<Machine['webgpu'], { state: 'works' }> | null =>
  webgpu.state === 'works' && !webgpu.software ? webgpu : null;

export const gpuPace = (weightBytes: number, gflops: number): Pace => {
  const reads = GPU_READS.find((one) => gflops >= one.gflops)?.bytes ?? 0;
  return paceOf(reads / weightBytes);
};

/** Never `fast`, because prefill on a CPU takes long. */
export const processorPace = (weightBytes: number, { threads, isolated }: Machine): Pace => {
  const pace = paceOf((THREAD_READS * threadsFor(threads, isolated)) / weightBytes);
  return pace === 'fast' ? 'medium' : pace;
};

const paceOf = (tokensASecond: number): Pace =>
  tokensASecond >= FAST ? 'fast' : tokensASecond >= MEDIUM ? 'medium' : 'slow';
