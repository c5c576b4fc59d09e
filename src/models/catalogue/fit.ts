import type { Machine, Offer } from '../../app/model-control.ts';
import { threadsFor } from '../runtimes/runtime.ts';
import { bytesInWords } from '../store/failures.ts';

/** What a model needs of a machine. */
export interface Needs {
  readonly downloadBytes: number;
  readonly memoryBytes: number;
}

/** Up to this many GB browsers told, whatever there was; newer ones tell more. */
const TOLD_AT_MOST = 8;
/** Bytes that a GPU can be asked for where the browser tells of no memory. */
const GPU_UNTOLD = 4e9;
/** A machine of 8 GB or more: a graphics card of its own, or memory that both share. */
const GPU_USUAL = 6e9;
/** Parts of the machine's memory that a page can have. */
const GPU_PART = 0.5;
const PAGE_PART = 0.5;
/** Bytes: WASM addresses no more. */
const WASM_MOST = 4 * 2 ** 30;

/** Bytes that the GPU can likely give a page. Browsers do not tell; what really fits is known when it is loaded. */
export const gpuBudget = ({ memory }: Machine): number =>
  memory === null ? GPU_UNTOLD : memory === TOLD_AT_MOST ? GPU_USUAL : memory * 1e9 * GPU_PART;

/** Bytes that WASM can likely have. */
const wasmBudget = ({ memory }: Machine): number =>
  memory === null ? WASM_MOST : Math.min(WASM_MOST, memory === TOLD_AT_MOST ? WASM_MOST : memory * 1e9 * PAGE_PART);

/** Why there is no GPU to run on, and what would help; null if there is one. */
const gpuMissing = (machine: Machine): string | null => {
  const { webgpu } = machine;
  if (realGpu(machine) !== null) return null;
  if (webgpu.state === 'works') {
    return `It needs a GPU. Here the browser emulates one on the processor (${webgpu.adapter}), and a reply would take minutes. Switch on hardware acceleration in the browser’s settings, or choose a GGUF model.`;
  }
  return `It needs a GPU. ${webgpu.why} A recent Chrome, Edge or Safari on a machine with a GPU would do; GGUF models run without.`;
};

/** Why a model does not fit on the GPU; null if it does, as far as can be told. */
export const gpuUnfit = (machine: Machine, needs: Needs, bindingBytes: number): string | null => {
  const missing = gpuMissing(machine) ?? storageUnfit(machine, needs);
  if (missing !== null) return missing;
  const gpu = realGpu(machine);
  if (gpu !== null && bindingBytes > gpu.maxBuffer) {
    return `It needs pieces of ${bytesInWords(bindingBytes)} on the GPU; this one takes at most ${bytesInWords(gpu.maxBuffer)}.`;
  }
  const budget = gpuBudget(machine);
  if (needs.memoryBytes <= budget) return null;
  return `It needs about ${bytesInWords(needs.memoryBytes)} on the GPU; this machine likely gives ${bytesInWords(budget)}.`;
};

/** Why a model does not fit in WASM; null if it does, as far as can be told. */
export const wasmUnfit = (machine: Machine, needs: Needs): string | null => {
  const full = storageUnfit(machine, needs);
  if (full !== null) return full;
  const budget = wasmBudget(machine);
  if (needs.memoryBytes <= budget) return null;
  return `It needs about ${bytesInWords(needs.memoryBytes)} of memory; this machine likely gives a page ${bytesInWords(budget)}.`;
};

/** Against the quota as a whole, not what is left of it: the model itself may be what takes it. */
const storageUnfit = ({ storage }: Machine, { downloadBytes }: Needs): string | null =>
  storage === null || downloadBytes <= storage.quota
    ? null
    : `It takes ${bytesInWords(downloadBytes)} on the disk; the browser gives this page ${bytesInWords(storage.quota)}. Free disk space would help.`;

/** How many tokens a second a model writes, by rule of thumb: every token reads all weights once. */
type Pace = NonNullable<Offer['speed']>;

/** Tokens a second: faster than most people read, and slower than is borne. */
const FAST = 20;
const MEDIUM = 6;

/**
 * Bytes of weights that a GPU reads in a second, by what it did in the probe's small run (10⁹ operations a second).
 * The classes are a discrete card, a good integrated one, and a phone or an old one; half of what such cards are sold
 * with. Rules of thumb, not measured here.
 */
const GPU_READS: readonly { readonly gflops: number; readonly bytes: number }[] = [
  { gflops: 1000, bytes: 100e9 },
  { gflops: 200, bytes: 25e9 },
  { gflops: 0, bytes: 7.5e9 },
];

/** Bytes a second that one thread of WASM reads: 135M in 8 bits wrote about 10 tokens a second (CRAFT.md). */
const THREAD_READS = 1.5e9;

/** A GPU that is none, or null: none that works. */
export const realGpu = ({ webgpu }: Machine): Extract<Machine['webgpu'], { state: 'works' }> | null =>
  webgpu.state === 'works' && !webgpu.software ? webgpu : null;

export const gpuPace = (weightBytes: number, gflops: number): Pace => {
  const reads = GPU_READS.find((one) => gflops >= one.gflops)?.bytes ?? 0;
  return paceOf(reads / weightBytes);
};

/** Never `fast`: before it writes, a processor takes long to read. */
export const processorPace = (weightBytes: number, { threads, isolated }: Machine): Pace => {
  const pace = paceOf((THREAD_READS * threadsFor(threads, isolated)) / weightBytes);
  return pace === 'fast' ? 'medium' : pace;
};

const paceOf = (tokensASecond: number): Pace =>
  tokensASecond >= FAST ? 'fast' : tokensASecond >= MEDIUM ? 'medium' : 'slow';
