import { ModelFailure } from '../../../engine/model-failure.ts';

/*
 * The header of a GGUF file (github.com/ggml-org/ggml, docs/gguf.md): what the model is, and how long the file must be. Checked
 * first, because llama.cpp treats a damaged file as loaded.
 */

/** Scalars and strings of the file's metadata; for arrays, only the length. */
export type GgufMetadata = ReadonlyMap<string, string | number>;

interface GgufHeader {
  readonly metadata: GgufMetadata;
  /** Minimum file size in bytes. */
  readonly bytes: number;
}

const MAGIC = 0x46554747;
const DEFAULT_ALIGNMENT = 32;
/** More than any model has; a larger number means an invalid header. */
const MAX_ENTRIES = 1_000_000;

/** Rejects with `corrupt` if the file is not a complete GGUF file. `name` is used in messages to the user. */
export const readGgufHeader = async (blob: Blob, name: string): Promise<GgufHeader> => {
  const header = await parse(new BlobReader(blob)).catch((error: unknown) => {
    throw error instanceof RangeError ? broken(name, 'it ends in the middle of its header') : error;
  });
  if (typeof header === 'string') throw broken(name, header);
  if (blob.size < header.bytes) {
    throw broken(name, `it has ${blob.size.toLocaleString('en')} of ${header.bytes.toLocaleString('en')} bytes`);
  }
  return header;
};

/** Returns the header, or the reason why it is invalid. */
const parse = async (reader: BlobReader): Promise<GgufHeader | string> => {
  if ((await reader.u32()) !== MAGIC) return 'it is not a GGUF file';
  const version = await reader.u32();
  if (version < 2 || version > 3) return `its GGUF version is ${version}, which is not supported`;
  const tensors = await reader.u64();
  const entries = await reader.u64();
  if (tensors > MAX_ENTRIES || entries > MAX_ENTRIES) return 'its header is invalid';
  const metadata = new Map<string, string | number>();
  for (let i = 0; i < entries; i += 1) {
    const key = await reader.text(await reader.u64());
    metadata.set(key, await value(reader, await reader.u32()));
  }
  let end = 0;
  for (let i = 0; i < tensors; i += 1) {
    await reader.skip(await reader.u64());
    const dimensions: number[] = [];
    for (let left = await reader.u32(); left > 0; left -= 1) dimensions.push(await reader.u64());
    const type = await reader.u32();
    end = Math.max(end, (await reader.u64()) + tensorBytes(type, dimensions));
  }
  const alignment = Number(metadata.get('general.alignment') ?? DEFAULT_ALIGNMENT);
  return { metadata, bytes: Math.ceil(reader.position / alignment) * alignment + end };
};

const TEXT = 8;
const ARRAY = 9;
const NUMBERS: Readonly<Record<number, readonly [bytes: 1 | 2 | 4 | 8, kind: 'unsigned' | 'signed' | 'float']>> = {
  0: [1, 'unsigned'],
  1: [1, 'signed'],
  2: [2, 'unsigned'],
  3: [2, 'signed'],
  4: [4, 'unsigned'],
  5: [4, 'signed'],
  6: [4, 'float'],
  7: [1, 'unsigned'],
  10: [8, 'unsigned'],
  11: [8, 'signed'],
  12: [8, 'float'],
};

const value = async (reader: BlobReader, type: number): Promise<string | number> => {
  if (type === TEXT) return reader.text(await reader.u64());
  const number = NUMBERS[type];
  if (number !== undefined) return reader.number(...number);
  if (type !== ARRAY) throw new RangeError(`No such type of value: ${type}.`);
  const item = await reader.u32();
  const length = await reader.u64();
  const bytes = NUMBERS[item]?.[0];
  if (bytes !== undefined) await reader.skip(bytes * length);
  else for (let i = 0; i < length; i += 1) await skipItem(reader, item);
  return length;
};

const skipItem = async (reader: BlobReader, type: number): Promise<void> => {
  if (type === TEXT) await reader.skip(await reader.u64());
  else await value(reader, type);
};

const broken = (name: string, why: string): ModelFailure =>
  new ModelFailure('corrupt', `The file ${name} cannot be used: ${why}. Download it again, or choose another model.`);

/** ggml's tensor types by number: weights per block, bytes per block (ggml.h, ggml-common.h). */
const BLOCKS: Readonly<Record<number, readonly [weights: number, bytes: number]>> = {
  0: [1, 4], // F32
  1: [1, 2], // F16
  2: [32, 18], // Q4_0
  3: [32, 20], // Q4_1
  6: [32, 22], // Q5_0
  7: [32, 24], // Q5_1
  8: [32, 34], // Q8_0
  9: [32, 36], // Q8_1
  10: [256, 84], // Q2_K
  11: [256, 110], // Q3_K
  12: [256, 144], // Q4_K
  13: [256, 176], // Q5_K
  14: [256, 210], // Q6_K
  15: [256, 292], // Q8_K
  16: [256, 66], // IQ2_XXS
  17: [256, 74], // IQ2_XS
  18: [256, 98], // IQ3_XXS
  19: [256, 50], // IQ1_S
  20: [32, 18], // IQ4_NL
  21: [256, 110], // IQ3_S
  22: [256, 82], // IQ2_S
  23: [256, 136], // IQ4_XS
  24: [1, 1], // I8
  25: [1, 2], // I16
  26: [1, 4], // I32
  27: [1, 8], // I64
  28: [1, 8], // F64
  29: [256, 56], // IQ1_M
  30: [1, 2], // BF16
  34: [256, 54], // TQ1_0
  35: [256, 66], // TQ2_0
  39: [32, 17], // MXFP4
};

/** Size of a tensor's data in bytes; 0 for a type newer than this table, whose length is then not checked. */
const tensorBytes = (type: number, dimensions: readonly number[]): number => {
  const block = BLOCKS[type];
  if (block === undefined) return 0;
  const weights = dimensions.reduce((product, length) => product * length, 1);
  return (weights / block[0]) * block[1];
};

/** Bytes read at a time: a header is a few kB, or some MB with a large vocabulary. */
const STEP = 1 << 20;

/** Reads little-endian values from a blob sequentially, buffering no more than needed. Rejects past its end. */
class BlobReader {
  readonly #blob: Blob;
  #view = new DataView(new ArrayBuffer(0));
  /** Offset of the view in the blob. */
  #start = 0;
  #at = 0;

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  get position(): number {
    return this.#start + this.#at;
  }

  async u32(): Promise<number> {
    return (await this.#have(4)).getUint32(this.#step(4), true);
  }

  /** As a number, since no file comes near 2⁵³ bytes. */
  async u64(): Promise<number> {
    return Number((await this.#have(8)).getBigUint64(this.#step(8), true));
  }

  async number(bytes: 1 | 2 | 4 | 8, kind: 'unsigned' | 'signed' | 'float'): Promise<number> {
    const view = await this.#have(bytes);
    const at = this.#step(bytes);
    if (kind === 'float') return bytes === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    if (bytes === 8) return Number(kind === 'signed' ? view.getBigInt64(at, true) : view.getBigUint64(at, true));
    if (bytes === 4) return kind === 'signed' ? view.getInt32(at, true) : view.getUint32(at, true);
    if (bytes === 2) return kind === 'signed' ? view.getInt16(at, true) : view.getUint16(at, true);
    return kind === 'signed' ? view.getInt8(at) : view.getUint8(at);
  }

  async text(bytes: number): Promise<string> {
    const view = await this.#have(bytes);
    return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + this.#step(bytes), bytes));
  }

  async skip(bytes: number): Promise<void> {
    if (this.position + bytes > this.#blob.size) throw new RangeError('The file ends too early.');
    if (this.#at + bytes <= this.#view.byteLength) this.#at += bytes;
    else {
      this.#start = this.position + bytes;
      this.#at = 0;
      this.#view = new DataView(new ArrayBuffer(0));
    }
  }

  #step(bytes: number): number {
    this.#at += bytes;
    return this.#at - bytes;
  }

  async #have(bytes: number): Promise<DataView> {
    if (this.#at + bytes <= this.#view.byteLength) return this.#view;
    const start = this.position;
    if (start + bytes > this.#blob.size) throw new RangeError('The file ends too early.');
    this.#view = new DataView(await this.#blob.slice(start, start + Math.max(bytes, STEP)).arrayBuffer());
    this.#start = start;
    this.#at = 0;
    return this.#view;
  }
}
