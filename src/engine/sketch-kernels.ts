import {
  ABOVE_F32,
  ADD,
  ADD_F32X4,
  ADD_I8,
  ADD_I16,
  AND,
  ANY,
  AT_LEAST,
  AT_LEAST_F32,
  AT_LEAST_F32X4,
  advance,
  bytes,
  type Code,
  constant,
  F32,
  FIRST_HALF,
  float,
  GREATER_F32X4,
  get,
  I32,
  instances,
  LAST_HALF,
  LESSER_F32X4,
  load,
  loadF32,
  loadI32,
  MULTIPLY_F32X4,
  moduleOf,
  NO_VALUES,
  SHIFT_LEFT,
  SHIFT_LEFT_I16,
  SHIFT_RIGHT_I16,
  SPLAT_F32X4,
  SUBTRACT_I16,
  SWIZZLE,
  set,
  store,
  storeF32,
  storeI32,
  TO_F32X4,
  V128,
  type WasmFunction,
  when,
  whileBelow,
} from './wasm-code.ts';

/** Vectors whose codes are interleaved in a block, and the bytes of their scales at its end. */
export const BLOCK = 16;
export const SCALES = BLOCK * 4;
/** The most that four signs may be worth: eight of them are summed in a byte. */
export const MOST_WORTH = 31;

/** The loops over all sketches. All parameters are byte addresses. */
export interface SketchKernel {
  readonly memory: WebAssembly.Memory;
  /**
   * Of each vector an estimate (f32) to `out`. Its sketch lies in a block with those of 15 others: 16 bytes hold one byte
   * of each (of the first eight at even places, of the others at odd ones), and after these come their 16 scales. Each
   * half byte looks its worth (0–31) up in 16 bytes of the table, one after the other; their sum by the step, from the
   * least on, by the scale is the estimate, −1…1. Step and least lie behind the table, four times each.
   */
  estimate(blocks: number, blocksEnd: number, table: number, tableEnd: number, out: number): void;
  /**
   * Finds for each group the highest estimate and its row, where it is above the one that is there. `groups` holds for
   * each row the number of its group (i32), or −1 for a row to pass over.
   */
  tally(estimates: number, end: number, groups: number, highest: number, rows: number): void;
  /** Writes the rows (i32) whose estimate is at least the float at `least`, and returns the end of what was written. */
  select(estimates: number, end: number, least: number, out: number): number;
}

/** Steps whose worths, two each, are summed in a byte; and how often that is written out one after the other. */
const SUMMED = 4;
const UNROLLED = 4;

const estimate = (): WasmFunction => {
  const [block, blocksEnd, table, tableEnd, out, entry, data, worth, sums, odd, fifteen] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const step = (k: number): Code => [
    ...set(data, get(block), load(16 * k)),
    ...set(
      worth,
      [...get(entry), ...load(32 * k), ...get(data), ...get(fifteen), ...AND, ...SWIZZLE],
      k % SUMMED === 0 ? [] : [...get(worth), ...ADD_I8],
      [...get(entry), ...load(32 * k + 16)],
      // No machine shifts bytes: pairs of them are shifted, and what comes in from the neighbour is masked.
      [...get(data), ...constant(4), ...SHIFT_RIGHT_I16, ...get(fifteen), ...AND, ...SWIZZLE],
      ADD_I8,
    ),
  ];
  const steps = (from: number): Code => [
    ...Array.from({ length: SUMMED }, (_, k) => step(from + k)).flat(),
    // Bytes are summed in pairs, as they lie, and those at odd places once more: the others are what is over.
    ...set(sums, get(sums), get(worth), ADD_I16),
    ...set(odd, get(odd), get(worth), constant(8), SHIFT_RIGHT_I16, ADD_I16),
  ];
  const write = (half: Code, from: number, k: number): Code => [
    ...get(out),
    ...[...get(from), ...half, ...TO_F32X4, ...get(tableEnd), ...load(0), ...MULTIPLY_F32X4],
    ...[...get(tableEnd), ...load(16), ...ADD_F32X4, ...get(block), ...load(16 * k), ...MULTIPLY_F32X4],
    ...[...float(1), ...SPLAT_F32X4, ...LESSER_F32X4, ...float(-1), ...SPLAT_F32X4, ...GREATER_F32X4],
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
          ...Array.from({ length: UNROLLED }, (_, k) => steps(k * SUMMED)),
          advance(block, 16 * SUMMED * UNROLLED),
          advance(entry, 32 * SUMMED * UNROLLED),
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
  const [estimates, end, groups, highest, rows, row, group, value] = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    parameters: 5,
    locals: [
      [2, I32],
      [1, F32],
    ],
    body: whileBelow(
      estimates,
      end,
      set(group, get(groups), loadI32()),
      when(
        [get(group), constant(0), AT_LEAST],
        set(group, get(group), constant(2), SHIFT_LEFT),
        set(value, get(estimates), loadF32()),
        when(
          [get(value), get(group), get(highest), ADD, loadF32(), ABOVE_F32],
          [...get(group), ...get(highest), ...ADD, ...get(value), ...storeF32()],
          [...get(group), ...get(rows), ...ADD, ...get(row), ...storeI32()],
        ),
      ),
      advance(estimates, 4),
      advance(groups, 4),
      advance(row, 1),
    ),
  };
};

const select = (): WasmFunction => {
  const [estimates, end, least, out, row] = [0, 1, 2, 3, 4];
  const four = [0, 1, 2, 3].map((lane) =>
    when(
      [get(estimates), loadF32(4 * lane), get(least), loadF32(), AT_LEAST_F32],
      [...get(out), ...get(row), ...constant(lane), ...ADD, ...storeI32()],
      advance(out, 4),
    ),
  );
  return {
    parameters: 4,
    returns: true,
    locals: [[1, I32]],
    body: [
      ...whileBelow(
        estimates,
        end,
        when([get(estimates), load(), get(least), loadF32(), SPLAT_F32X4, AT_LEAST_F32X4, ANY], ...four),
        advance(estimates, 16),
        advance(row, 4),
      ),
      ...get(out),
    ],
  };
};

export const sketchKernel = instances<SketchKernel>(() =>
  moduleOf({ estimate: estimate(), tally: tally(), select: select() }),
);
