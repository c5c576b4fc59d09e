import {
  ADD,
  ADD_F32X4,
  ADD_I8,
  ADD_I16,
  AND,
  ANY,
  AT_LEAST_F32,
  AT_LEAST_F32X4,
  advance,
  bytes,
  type Code,
  constant,
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
  MULTIPLY_F32X4,
  moduleOf,
  NO_VALUES,
  SHIFT_LEFT_I16,
  SHIFT_RIGHT_I16,
  SPLAT_F32X4,
  SUBTRACT_I16,
  SWIZZLE,
  set,
  store,
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
/**
 * Parts that are read side by side. The sketches of a large forest lie in no cache: from four places at once memory
 * gives them in two thirds of the time that it takes from one, for each page begins with a wait.
 */
export const PARTS = 4;
/** The most that four signs may be worth: a byte has room for the sum of eight. */
export const MOST_WORTH = 31;

/** The loops over all sketches. All parameters are byte addresses. */
export interface SketchKernel {
  readonly memory: WebAssembly.Memory;
  /**
   * Of each vector an estimate (f32) to `out`. Its sketch lies in a block with those of 15 others: 16 bytes hold one byte
   * of each (of the first eight at even places, of the others at odd ones), and after these come their 16 scales. Each
   * half byte looks its worth (0–31) up in 16 bytes of the table, one after the other; their sum by the step, from the
   * least on, by the scale is the estimate, −1…1. Step and least lie behind the table, four times each. `partBytes` and
   * `outBytes`: of a part of the blocks, and of its estimates; there are `PARTS` of them.
   */
  estimate(blocks: number, partBytes: number, table: number, tableEnd: number, out: number, outBytes: number): void;
  /** Writes the rows (i32) whose estimate is at least the float at `least`, and returns the end of what was written. */
  select(estimates: number, end: number, least: number, out: number): number;
}

/**
 * Steps whose worths, two each, are summed in a byte. Four would fit, but compilers load all that a loop's body names
 * before they add anything: the more it names, the more of it they put aside, which takes longer than adding.
 */
const SUMMED = 2;

const estimate = (): WasmFunction => {
  const [blocks, partBytes, table, tableEnd, out, outBytes, entry, end] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [data, low, high, fifteen] = [6 + 2 * PARTS, 7 + 2 * PARTS, 8 + 2 * PARTS, 9 + 2 * PARTS];
  const parts = Array.from({ length: PARTS }, (_, at) => {
    const worth = 10 + 2 * PARTS + 3 * at;
    const [block, written] = at === 0 ? [blocks, out] : [6 + 2 * at, 7 + 2 * at];
    return { block, written, worth, sums: worth + 1, odd: worth + 2 };
  });
  const begin = parts.slice(1).flatMap(({ block, written }, before): Code => {
    const last = parts[before] as (typeof parts)[number];
    return [
      ...set(block, get(last.block), get(partBytes), ADD),
      ...set(written, get(last.written), get(outBytes), ADD),
    ];
  });
  const step = (k: number): Code => [
    ...set(low, get(entry), load(32 * k)),
    ...set(high, get(entry), load(32 * k + 16)),
    ...parts.flatMap(({ block, worth }) => [
      ...set(data, get(block), load(16 * k)),
      ...set(
        worth,
        [...get(low), ...get(data), ...get(fifteen), ...AND, ...SWIZZLE],
        k === 0 ? [] : [...get(worth), ...ADD_I8],
        // No machine shifts bytes: pairs of them are shifted, and what comes in from the neighbour is masked.
        [...get(high), ...get(data), ...constant(4), ...SHIFT_RIGHT_I16, ...get(fifteen), ...AND, ...SWIZZLE],
        ADD_I8,
      ),
    ]),
  ];
  const write = (half: Code, from: number, { block, written }: (typeof parts)[number], k: number): Code => [
    ...get(written),
    ...[...get(from), ...half, ...TO_F32X4, ...get(tableEnd), ...load(0), ...MULTIPLY_F32X4],
    ...[...get(tableEnd), ...load(16), ...ADD_F32X4, ...get(block), ...load(16 * k), ...MULTIPLY_F32X4],
    ...[...float(1), ...SPLAT_F32X4, ...LESSER_F32X4, ...float(-1), ...SPLAT_F32X4, ...GREATER_F32X4],
    ...store(16 * k),
  ];
  return {
    parameters: 6,
    locals: [
      [2 * PARTS, I32],
      [4 + 3 * PARTS, V128],
    ],
    body: [
      ...set(fifteen, bytes(15)),
      ...set(end, get(blocks), get(partBytes), ADD),
      ...begin,
      ...whileBelow(
        blocks,
        end,
        set(entry, get(table)),
        ...parts.flatMap(({ sums, odd }) => [set(sums, NO_VALUES), set(odd, NO_VALUES)]),
        whileBelow(
          entry,
          tableEnd,
          ...Array.from({ length: SUMMED }, (_, k) => step(k)),
          // Bytes are summed in pairs, as they lie, and those at odd places once more: the others are what is over.
          ...parts.flatMap(({ block, worth, sums, odd }) => [
            set(sums, get(sums), get(worth), ADD_I16),
            set(odd, get(odd), get(worth), constant(8), SHIFT_RIGHT_I16, ADD_I16),
            advance(block, 16 * SUMMED),
          ]),
          advance(entry, 32 * SUMMED),
        ),
        ...parts.flatMap((part) => [
          set(part.sums, get(part.sums), get(part.odd), constant(8), SHIFT_LEFT_I16, SUBTRACT_I16),
          write(FIRST_HALF, part.sums, part, 0),
          write(LAST_HALF, part.sums, part, 1),
          write(FIRST_HALF, part.odd, part, 2),
          write(LAST_HALF, part.odd, part, 3),
          advance(part.block, SCALES),
          advance(part.written, BLOCK * 4),
        ]),
      ),
    ],
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

export const sketchKernel = instances<SketchKernel>(() => moduleOf({ estimate: estimate(), select: select() }));
