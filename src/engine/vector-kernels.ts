import {
  ADD,
  ADD_F32,
  ADD_F32X4,
  advance,
  type Code,
  get,
  I32,
  instances,
  laneF32,
  load,
  loadI32,
  MULTIPLY,
  MULTIPLY_F32X4,
  moduleOf,
  NO_VALUES,
  set,
  storeF32,
  V128,
  type WasmFunction,
  whileBelow,
} from './wasm-code.ts';

/** Floats that the kernel reads before it looks where it is: rows are padded to a multiple. */
export const LANES = 16;

/**
 * The loop over vectors that JavaScript is too slow for, as WebAssembly with 128-bit SIMD: a dot product of 512 floats
 * takes 0.5–0.9 µs in JavaScript and at most 0.3 here, most of it for reading thousands of them from memory. In single
 * precision: the sums of 16 lanes differ from exact ones by some 1e-7, and doubles take twice the instructions.
 */
export interface DotKernel {
  readonly memory: WebAssembly.Memory;
  /**
   * For each row number (i32) in `rows…rowsEnd`, the dot product of that row of floats with the query, as a float. All
   * are byte addresses; `rowBytes` is a multiple of `LANES` floats.
   */
  dots(rows: number, rowsEnd: number, rowBytes: number, query: number, vectors: number, out: number): void;
}

const dots = (): WasmFunction => {
  const [rows, rowsEnd, rowBytes, query, vectors, out, x, xEnd, q, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  // Four sums side by side: one would wait for itself at every step.
  const sums = [sum, sum + 1, sum + 2, sum + 3];
  const lanes = [0, 1, 2, 3].flatMap((lane): Code => [...get(sum), ...laneF32(lane), ...(lane > 0 ? ADD_F32 : [])]);
  return {
    parameters: 6,
    locals: [
      [3, I32],
      [4, V128],
    ],
    body: whileBelow(
      rows,
      rowsEnd,
      set(x, get(rows), loadI32(), get(rowBytes), MULTIPLY, get(vectors), ADD),
      set(xEnd, get(x), get(rowBytes), ADD),
      set(q, get(query)),
      ...sums.map((local) => set(local, NO_VALUES)),
      whileBelow(
        x,
        xEnd,
        ...sums.map((local, k) =>
          set(local, get(local), get(x), load(16 * k), get(q), load(16 * k), MULTIPLY_F32X4, ADD_F32X4),
        ),
        advance(x, 64),
        advance(q, 64),
      ),
      ...sums.slice(1).map((local) => set(sum, get(sum), get(local), ADD_F32X4)),
      [...get(out), ...lanes, ...storeF32()],
      advance(rows, 4),
      advance(out, 4),
    ),
  };
};

export const dotKernel = instances<DotKernel>(() => moduleOf({ dots: dots() }));
