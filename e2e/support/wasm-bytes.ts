/** Just enough of the WebAssembly binary format to write a module of small functions by hand. */

interface WasmFunction {
  readonly name: string;
  /** The number of i32 parameters; it returns one i32. */
  readonly parameters: number;
  /** Instructions, without the closing `end`. */
  readonly code: readonly number[];
}

const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]);
const signedLeb = (value: number): number[] =>
  value < 64 ? [value] : [(value & 127) | 128, ...signedLeb(value >>> 7)];
const vector = (items: readonly (readonly number[])[]): number[] => [...leb(items.length), ...items.flat()];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...leb(bytes.length), ...bytes];
const name = (text: string): number[] => vector([...Buffer.from(text)].map((byte) => [byte]));

const I32 = 0x7f;
const END = 0x0b;

export const i32 = (value: number): number[] => [0x41, ...signedLeb(value)];
export const local = (index: number): number[] => [0x20, index];
export const global = { get: [0x23, 0], set: [0x24, 0] };
export const ADD = [0x6a];
export const AND = [0x71];
/** Stores an i32 at the address below it on the stack. */
export const STORE = [0x36, 2, 0];

/** A module with `pages` of memory, one mutable global initialised to `start`, and these functions. */
export const wasmModule = (pages: number, start: number, functions: readonly WasmFunction[]): Buffer =>
  Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      vector(
        functions.map(({ parameters }) => [0x60, ...vector(Array.from({ length: parameters }, () => [I32])), 1, I32]),
      ),
    ),
    ...section(3, vector(functions.map((_, index) => leb(index)))),
    ...section(5, vector([[0, ...leb(pages)]])),
    ...section(6, vector([[I32, 1, ...i32(start), END]])),
    ...section(
      7,
      vector([[...name('memory'), 2, 0], ...functions.map((one, index) => [...name(one.name), 0, ...leb(index)])]),
    ),
    ...section(10, vector(functions.map(({ code }) => [...leb(code.length + 2), 0, ...code, END]))),
  ]);
