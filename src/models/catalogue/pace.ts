import type { Machine, Offer } from '../../app/model-control.ts';
import { threadsFor } from '../runtimes/threads.ts';

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
