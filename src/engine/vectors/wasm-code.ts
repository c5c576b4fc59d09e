/*
 * WebAssembly put together from instructions at load: a loop is some 300 bytes, no compiler is needed to build the
 * project, and browsers compile so little at once, on any thread. Names are those of the specification, shortened.
 */

export type Code = readonly number[];

/** LEB128, unsigned. */
const uint = (value: number): Code => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uint(value >>> 7)]);
/** LEB128, signed. */
const signed = (value: number): Code =>
  value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
/** Alignment is a hint; 0 promises nothing. */
const at = (offset: number): Code => [0, ...uint(offset)];

export const I32 = 0x7f;
export const V128 = 0x7b;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, ...value: Code[]): Code => [...value.flat(), 0x21, local];

export const constant = (value: number): Code => [0x41, ...signed(value)];
export const float = (value: number): Code => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];
export const loadI32 = (offset = 0): Code => [0x28, ...at(offset)];
export const loadF32 = (offset = 0): Code => [0x2a, ...at(offset)];
export const storeI32 = (offset = 0): Code => [0x36, ...at(offset)];
export const storeF32 = (offset = 0): Code => [0x38, ...at(offset)];
export const ADD: Code = [0x6a];
export const MULTIPLY: Code = [0x6c];
/** Of unsigned integers. */
const BELOW: Code = [0x49];
export const ADD_F32: Code = [0x92];
export const AT_LEAST_F32: Code = [0x60];

const simd = (opcode: number, ...rest: Code): Code => [0xfd, ...uint(opcode), ...rest];
export const load = (offset = 0): Code => simd(0x00, ...at(offset));
export const store = (offset = 0): Code => simd(0x0b, ...at(offset));
/** The same byte 16 times. */
export const bytes = (value: number): Code => simd(0x0c, ...new Array<number>(16).fill(value));
export const NO_VALUES = bytes(0);
/** Of the first vector, the bytes at the places that the second one names. */
export const SWIZZLE = simd(0x0e);
export const AND = simd(0x4e);
export const ADD_I8 = simd(0x6e);
export const ADD_I16 = simd(0x8e);
export const SUBTRACT_I16 = simd(0x91);
/** By the number of bits under them. */
export const SHIFT_LEFT_I16 = simd(0x8b);
export const SHIFT_RIGHT_I16 = simd(0x8d);
/** The first and the last four of eight unsigned 16-bit numbers, as 32-bit ones. */
export const FIRST_HALF = simd(0xa9);
export const LAST_HALF = simd(0xaa);
export const TO_F32X4 = simd(0xfa);
export const ADD_F32X4 = simd(0xe4);
export const MULTIPLY_F32X4 = simd(0xe6);
export const LESSER_F32X4 = simd(0xea);
export const GREATER_F32X4 = simd(0xeb);
export const SPLAT_F32X4 = simd(0x13);
export const AT_LEAST_F32X4 = simd(0x46);
export const ANY = simd(0x53);
export const laneF32 = (lane: number): Code => simd(0x1f, lane);

export const advance = (local: number, bytes: number): Code => set(local, get(local), constant(bytes), ADD);

/** Runs the body, which must advance the first local, as long as that is below the second one. */
export const whileBelow = (local: number, end: number, ...body: Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...[...get(local), ...get(end), ...BELOW, 0x45, 0x0d, 1],
  ...body.flat(),
  ...[0x0c, 0, 0x0b, 0x0b],
];

export const when = (condition: readonly Code[], ...body: Code[]): Code => [
  ...condition.flat(),
  ...[0x04, 0x40],
  ...body.flat(),
  0x0b,
];

/** A function of i32 parameters, which are its first locals. */
export interface WasmFunction {
  readonly parameters: number;
  /** Whether it returns an i32, which its body leaves; nothing otherwise. */
  readonly returns?: boolean;
  readonly locals: readonly (readonly [count: number, type: number])[];
  readonly body: Code;
}

const section = (id: number, parts: readonly Code[]): Code => {
  const content = [...uint(parts.length), ...parts.flat()];
  return [id, ...uint(content.length), ...content];
};

/** A module that exports functions by their names, and a `memory` of its own. */
export const moduleOf = (functions: Readonly<Record<string, WasmFunction>>): Uint8Array<ArrayBuffer> => {
  const all = Object.values(functions);
  const name = (text: string): Code => [text.length, ...new TextEncoder().encode(text)];
  const typeOf = ({ parameters, returns = false }: WasmFunction): Code => [
    ...[0x60, parameters, ...new Array<number>(parameters).fill(I32)],
    ...(returns ? [1, I32] : [0]),
  ];
  const codeOf = ({ locals, body }: WasmFunction): Code => {
    const whole = [locals.length, ...locals.flat(), ...body, 0x0b];
    return [...uint(whole.length), ...whole];
  };
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, all.map(typeOf)),
    ...section(
      3,
      all.map((_, i) => uint(i)),
    ),
    ...section(5, [[0, 1]]),
    ...section(7, [
      [...name('memory'), 2, 0],
      ...Object.keys(functions).map((text, i) => [...name(text), 0, ...uint(i)]),
    ]),
    ...section(10, all.map(codeOf)),
  ]);
};

const PAGE = 65_536;

/** Makes room for so many bytes, and half as much again where it must grow. Views of the memory are void then. */
export const reserve = (memory: WebAssembly.Memory, size: number): void => {
  const lacking = size - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil((lacking + size / 2) / PAGE));
};

/** Makes instances of a module, each with a memory of its own; null where there is no WebAssembly with SIMD. */
export const instances = <Exports>(code: () => Uint8Array<ArrayBuffer>): (() => Exports | null) => {
  let compiled: WebAssembly.Module | null | undefined;
  return () => {
    try {
      compiled ??= compiled === null ? null : new WebAssembly.Module(code());
      return compiled === null ? null : (new WebAssembly.Instance(compiled).exports as unknown as Exports);
    } catch {
      compiled ??= null;
      return null;
    }
  };
};
