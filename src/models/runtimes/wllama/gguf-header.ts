import { ModelFailure } from '../../../engine/model-failure.ts';
import { BlobReader } from './blob-reader.ts';
import { tensorBytes } from './gguf-tensors.ts';

/*
 * The head of a GGUF file (github.com/ggml-org/ggml, docs/gguf.md): what the model is, and how long the file has to be.
 * llama.cpp takes a damaged file for a loaded one, so it is looked at before.
 */

/** Scalars and texts of the file's metadata; of arrays only the length. */
export type GgufMetadata = ReadonlyMap<string, string | number>;

export interface GgufHeader {
  readonly metadata: GgufMetadata;
  /** Bytes that the file must have at least. */
  readonly bytes: number;
}

const MAGIC = 0x46554747;
const DEFAULT_ALIGNMENT = 32;
/** More than any model has; what claims more is no header. */
const MAX_ENTRIES = 1_000_000;

/** Rejects with `corrupt` where it is no whole GGUF file. `name` is for the person. */
export const readGgufHeader = async (blob: Blob, name: string): Promise<GgufHeader> => {
  const header = await parse(new BlobReader(blob)).catch((error: unknown) => {
    throw error instanceof RangeError ? broken(name, 'it ends within its header') : error;
  });
  if (typeof header === 'string') throw broken(name, header);
  if (blob.size < header.bytes) {
    throw broken(name, `it has ${blob.size.toLocaleString('en')} of ${header.bytes.toLocaleString('en')} bytes`);
  }
  return header;
};

/** The header, or why it is none. */
const parse = async (reader: BlobReader): Promise<GgufHeader | string> => {
  if ((await reader.u32()) !== MAGIC) return 'it is not a GGUF file';
  const version = await reader.u32();
  if (version < 2 || version > 3) return `its version of GGUF is ${version}, which is not known`;
  const tensors = await reader.u64();
  const entries = await reader.u64();
  if (tensors > MAX_ENTRIES || entries > MAX_ENTRIES) return 'its header makes no sense';
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
