import { BLOCK, MOST_WORTH, PARTS, SCALES, type SketchKernel, sketchKernel } from './sketch-kernels.ts';
import { reserve } from './wasm-code.ts';

/** Signs kept of a vector, at least: a shorter one is spread over as many. */
const FEWEST_SIGNS = 512;
/** Beyond this a sum of looked-up worths would not fit its 16 bits. */
const MOST_SIGNS = 2048;

export interface Estimates {
  /** By row. */
  readonly all: Float32Array;
  /** The rows of an estimate that is so high. */
  from(least: number): Int32Array;
}

/** Of the places behind the last row, up to the end of the last part: they are not to be selected. */
const NO_ESTIMATE = -100;

/**
 * One bit for each direction of a rotated vector, 64 bytes for 512 dimensions, from which a cosine to any other vector
 * is estimated at a tenth of the time: without bias, with a standard error of 0.033 (RaBitQ, Gao and Long, SIGMOD 2024).
 * To find what is near; never to be reported. What is estimated lies in the kernel's memory, and is good until the
 * next vector is set or asked about.
 */
export class Sketches {
  readonly #kernel: SketchKernel;
  readonly #signs: number;
  readonly #flips: Float32Array;
  readonly #rotated: Float32Array;
  #rows = 0;
  /** What the memory holds the estimates of. */
  #estimated: Float32Array | null = null;

  private constructor(kernel: SketchKernel, signs: number) {
    this.#kernel = kernel;
    this.#signs = signs;
    this.#flips = randomSigns(signs);
    this.#rotated = new Float32Array(signs);
  }

  /** Null where they cannot be had: without WebAssembly with SIMD, or for longer vectors than any embedder here has. */
  static for(dimensions: number): Sketches | null {
    let signs = FEWEST_SIGNS;
    while (signs < dimensions) signs *= 2;
    const kernel = signs > MOST_SIGNS ? null : sketchKernel();
    return kernel === null ? null : new Sketches(kernel, signs);
  }

  set(row: number, vector: Float32Array): void {
    this.#rows = Math.max(this.#rows, row + 1);
    this.#estimated = null;
    const { memory } = this.#kernel;
    reserve(memory, this.#places.estimates);
    const block = this.#places.blocks + Math.floor(row / BLOCK) * this.#blockBytes;
    const within = row % BLOCK;
    const magnitude = setCode(this.#rotate(vector), new Uint8Array(memory.buffer, block), placeInBlock(within));
    let square = 0;
    for (let i = 0; i < vector.length; i++) square += (vector[i] as number) * (vector[i] as number);
    const scales = new Float32Array(memory.buffer, block + this.#blockBytes - SCALES, BLOCK);
    // The squared length of the vector by the sum of its rotated coordinates' magnitudes.
    scales[within] = magnitude === 0 ? 0 : square / magnitude;
  }

  /** Of every row, its cosine to a normalised vector, estimated. */
  estimates(to: Float32Array): Estimates {
    const { memory, estimate, select } = this.#kernel;
    const { table, worths, least, blocks, estimates, selected, end } = this.#places;
    reserve(memory, end);
    if (this.#estimated !== to) {
      const { step, least: lowest } = fillTable(this.#rotate(to), new Uint8Array(memory.buffer, table, worths));
      new Float32Array(memory.buffer, worths, 8).fill(step, 0, 4).fill(lowest, 4);
      estimate(blocks, (estimates - blocks) / PARTS, table, worths, estimates, (selected - estimates) / PARTS);
      new Float32Array(memory.buffer, estimates, (selected - estimates) / 4).fill(NO_ESTIMATE, this.#rows);
      this.#estimated = to;
    }
    return {
      all: new Float32Array(memory.buffer, estimates, this.#rows),
      from: (value) => {
        new Float32Array(memory.buffer, least, 1)[0] = value;
        const found = select(estimates, selected, least, selected);
        return new Int32Array(memory.buffer, selected, (found - selected) / 4);
      },
    };
  }

  get #blockBytes(): number {
    return (this.#signs / 8) * BLOCK + SCALES;
  }

  /** Where things lie in the memory: first what does not grow. */
  get #places() {
    const worths = this.#signs * 4;
    const least = worths + 32;
    const blocks = least + 16;
    const count = Math.ceil(this.#rows / BLOCK / PARTS) * PARTS;
    const estimates = blocks + count * this.#blockBytes;
    const selected = estimates + count * BLOCK * 4;
    return { table: 0, worths, least, blocks, estimates, selected, end: selected + count * BLOCK * 4 };
  }

  /** Random signs and a Hadamard transform: a rotation (times a constant) after which no direction stands out. */
  #rotate(vector: Float32Array): Float32Array {
    const [rotated, flips] = [this.#rotated, this.#flips];
    for (let i = 0; i < rotated.length; i++) rotated[i] = (vector[i] ?? 0) * (flips[i] as number);
    for (let half = 1; half < rotated.length; half *= 2) {
      for (let from = 0; from < rotated.length; from += 2 * half) {
        const end = from + half;
        for (let i = from; i < end; i++) {
          const a = rotated[i] as number;
          const b = rotated[i + half] as number;
          rotated[i] = a + b;
          rotated[i + half] = a - b;
        }
      }
    }
    return rotated;
  }
}

/** As the kernel reads them: the first eight at even places, the others at odd ones. */
const placeInBlock = (within: number): number => (within < BLOCK / 2 ? 2 * within : 2 * within - BLOCK + 1);

/** Returns the sum of the magnitudes. */
const setCode = (rotated: Float32Array, block: Uint8Array, place: number): number => {
  // Signs are read off their bits, without a branch: half of all guesses at a sign would be wrong.
  const bits = new Uint32Array(rotated.buffer);
  let magnitude = 0;
  for (let from = 0, at = place; from < rotated.length; from += 8, at += BLOCK) {
    let code = 0;
    for (let k = 0; k < 8; k++) {
      magnitude += Math.abs(rotated[from + k] as number);
      code |= (((bits[from + k] as number) >>> 31) ^ 1) << k;
    }
    block[at] = code;
  }
  return magnitude;
};

/** The table has 16 bytes for every four signs: what each combination of them is worth, in steps from the least. */
const fillTable = (rotated: Float32Array, table: Uint8Array): { step: number; least: number } => {
  let widest = 0;
  let least = 0;
  for (let from = 0; from < rotated.length; from += 4) {
    let magnitude = 0;
    for (let k = 0; k < 4; k++) magnitude += Math.abs(rotated[from + k] as number);
    widest = Math.max(widest, magnitude);
    least -= magnitude;
  }
  const step = (2 * widest) / MOST_WORTH || 1;
  const worth = new Float32Array(16);
  for (let from = 0; from < rotated.length; from += 4) {
    // Above the least, where each sign is against its coordinate, by twice the coordinates that it is with.
    worth[0] = 0;
    for (let k = 0; k < 4; k++) {
      const value = rotated[from + k] as number;
      const without = value < 0 ? 2 * -value : 0;
      const gained = 2 * value;
      for (let signs = 0; signs < 1 << k; signs++) {
        worth[signs + (1 << k)] = (worth[signs] as number) + without + gained;
        worth[signs] = (worth[signs] as number) + without;
      }
    }
    for (let signs = 0; signs < 16; signs++) table[from * 4 + signs] = (worth[signs] as number) / step + 0.5;
  }
  return { step, least };
};

/** Always the same ones (xorshift32, Marsaglia 2003). */
const randomSigns = (count: number): Float32Array => {
  let state = 0x9e3779b9;
  return Float32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state < 0 ? -1 : 1;
  });
};
