import {
  ABOVE_F32,
  ADD,
  ADD_F32,
  ADD_F32X4,
  ADD_I8,
  ADD_I16,
  AND,
  AT_LEAST,
  advance,
  bytes,
  type Code,
  constant,
  F32,
  FIRST_HALF,
  float,
  get,
  I32,
  instances,
  LAST_HALF,
  load,
  loadF32,
  loadI32,
  MAXIMUM_F32,
  MINIMUM_F32,
  MULTIPLY_F32,
  MULTIPLY_F32X4,
  moduleOf,
  NO_VALUES,
  SHIFT_LEFT,
  SHIFT_LEFT_I16,
  SHIFT_RIGHT_I16,
  SUBTRACT_I16,
  SWIZZLE,
  set,
  store,
  storeF32,
  storeI32,
  TO_F32X4,
  TRUNCATE,
  V128,
  type WasmFunction,
  when,
  whileBelow,
} from './wasm-code.ts';

/** Vectors whose codes are interleaved in a block, and the bytes of their scales at its end. */
export const BLOCK = 16;
export const SCALES = BLOCK * 4;
/** Classes that estimates from −1 to 1 are counted in. */
export const CLASSES = 1_024;

/** The loops over all sketches. All parameters are byte addresses. */
export interface SketchKernel {
  readonly memory: WebAssembly.Memory;
  /**
   * Of each vector an estimate (f32) to `out`. Its sketch lies in a block with those of 15 others: 16 bytes hold one byte
   * of each (of the first eight at even places, of the others at odd ones), and after these come their 16 scales. Each
   * half byte looks its worth (0–127) up in 16 bytes of the table, one after the other; their sum by the step, from the
   * least on, by the scale is the estimate. Step and least lie behind the table, four times each.
   */
  estimate(blocks: number, blocksEnd: number, table: number, tableEnd: number, out: number): void;
  /**
   * Counts the estimates in classes (i32), and finds for each group the highest one and its row. `groups` holds for each
   * row the number of its group (i32), or −1 for a row to pass over.
   */
  tally(estimates: number, end: number, groups: number, counts: number, highest: number, rows: number): void;
}

/** Steps of the inner loop that are written out one after the other: half as fast without. */
const UNROLLED = 8;

const estimate = (): WasmFunction => {
  const [block, blocksEnd, table, tableEnd, out, entry, data, worth, sums, odd, fifteen] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const step = (k: number): Code => [
    ...set(data, get(block), load(16 * k)),
    ...set(
      worth,
      [...get(entry), ...load(32 * k), ...get(data), ...get(fifteen), ...AND, ...SWIZZLE],
      [...get(entry), ...load(32 * k + 16)],
      // No machine shifts bytes: pairs of them are shifted, and what comes in from the neighbour is masked.
      [...get(data), ...constant(4), ...SHIFT_RIGHT_I16, ...get(fifteen), ...AND, ...SWIZZLE],
      ADD_I8,
    ),
    // Bytes are summed in pairs, as they lie, and those at odd places once more: the others are what is over.
    ...set(sums, get(sums), get(worth), ADD_I16),
    ...set(odd, get(odd), get(worth), constant(8), SHIFT_RIGHT_I16, ADD_I16),
  ];
  const write = (half: Code, from: number, k: number): Code => [
    ...get(out),
    ...[...get(from), ...half, ...TO_F32X4, ...get(tableEnd), ...load(0), ...MULTIPLY_F32X4],
    ...[...get(tableEnd), ...load(16), ...ADD_F32X4, ...get(block), ...load(16 * k), ...MULTIPLY_F32X4],
    ...store(16 * k),
  ];
  return {
    parameters: 5,
    locals: [
      [1, I32],
      [5, V128],
    ],
    body: [
      ...set(fifteen, bytes(15)),
      ...whileBelow(
        block,
        blocksEnd,
        set(entry, get(table)),
        set(sums, NO_VALUES),
        set(odd, NO_VALUES),
        whileBelow(
          entry,
          tableEnd,
          ...Array.from({ length: UNROLLED }, (_, k) => step(k)),
          advance(block, 16 * UNROLLED),
          advance(entry, 32 * UNROLLED),
        ),
        set(sums, get(sums), get(odd), constant(8), SHIFT_LEFT_I16, SUBTRACT_I16),
        write(FIRST_HALF, sums, 0),
        write(LAST_HALF, sums, 1),
        write(FIRST_HALF, odd, 2),
        write(LAST_HALF, odd, 3),
        advance(block, SCALES),
        advance(out, BLOCK * 4),
      ),
    ],
  };
};

const tally = (): WasmFunction => {
  const [estimates, end, groups, counts, highest, rows, row, group, at, value] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const inClasses = [float(CLASSES / 2), MULTIPLY_F32, float(0), MAXIMUM_F32, float(CLASSES - 1), MINIMUM_F32].flat();
  return {
    parameters: 6,
    locals: [
      [3, I32],
      [1, F32],
    ],
    body: whileBelow(
      estimates,
      end,
      set(group, get(groups), loadI32()),
      when(
        [get(group), constant(0), AT_LEAST],
        set(value, get(estimates), loadF32()),
        set(at, get(value), float(1), ADD_F32, inClasses, TRUNCATE, constant(2), SHIFT_LEFT, get(counts), ADD),
        [...get(at), ...get(at), ...loadI32(), ...constant(1), ...ADD, ...storeI32()],
        set(at, get(group), constant(2), SHIFT_LEFT),
        when(
          [get(value), get(at), get(highest), ADD, loadF32(), ABOVE_F32],
          [...get(at), ...get(highest), ...ADD, ...get(value), ...storeF32()],
          [...get(at), ...get(rows), ...ADD, ...get(row), ...storeI32()],
        ),
      ),
      advance(estimates, 4),
      advance(groups, 4),
      advance(row, 1),
    ),
  };
};

export const sketchKernel = instances<SketchKernel>(() => moduleOf({ estimate: estimate(), tally: tally() }));
