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
   * For each row number (i32) in `rows…rowsEnd`, of which there is a multiple of `TOGETHER`, the dot product of that row of floats
   * with the query, as a float. All are byte addresses; `rowBytes` is a multiple of `LANES` floats.
   */
  dots(rows: number, rowsEnd: number, rowBytes: number, query: number, vectors: number, out: number): void;
}

/** Rows that are read side by side: while some wait for memory, others are summed. */
export const TOGETHER = 4;

const dots = (): WasmFunction => {
  const [rows, rowsEnd, rowBytes, query, vectors, out, xEnd, q, x] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [asked, sum] = [x + TOGETHER, x + TOGETHER + 1];
  // Four sums side by side for each row: one would wait for itself at every step.
  const sumsOf = Array.from({ length: TOGETHER }, (_, at) => ({
    row: x + at,
    sums: [0, 1, 2, 3].map((k) => sum + 4 * at + k),
  }));
  const written = sumsOf.flatMap(
    ({ sums: [first = sum, ...others] }, at): Code => [
      ...others.flatMap((local) => set(first, get(first), get(local), ADD_F32X4)),
      ...get(out),
      ...[0, 1, 2, 3].flatMap((lane): Code => [...get(first), ...laneF32(lane), ...(lane > 0 ? ADD_F32 : [])]),
      ...storeF32(4 * at),
    ],
  );
  return {
    parameters: 6,
    locals: [
      [2 + TOGETHER, I32],
      [1 + 4 * TOGETHER, V128],
    ],
    body: whileBelow(
      rows,
      rowsEnd,
      ...sumsOf.flatMap(({ row, sums }, at) => [
        set(row, get(rows), loadI32(4 * at), get(rowBytes), MULTIPLY, get(vectors), ADD),
        ...sums.map((local) => set(local, NO_VALUES)),
      ]),
      set(xEnd, get(x), get(rowBytes), ADD),
      set(q, get(query)),
      whileBelow(
        x,
        xEnd,
        ...[0, 1, 2, 3].flatMap((k) => [
          set(asked, get(q), load(16 * k)),
          ...sumsOf.map(({ row, sums }) => {
            const local = sums[k] as number;
            return set(local, get(local), get(row), load(16 * k), get(asked), MULTIPLY_F32X4, ADD_F32X4);
          }),
        ]),
        ...sumsOf.map(({ row }) => advance(row, 64)),
        advance(q, 64),
      ),
      written,
      advance(rows, 4 * TOGETHER),
      advance(out, 4 * TOGETHER),
    ),
  };
};

export const dotKernel = instances<DotKernel>(() => moduleOf({ dots: dots() }));
