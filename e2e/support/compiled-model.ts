import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHATML } from '../../src/models/runtimes/webllm/testing/stand-in-engine.ts';
import { ADD, AND, global, i32, local, STORE, wasmModule } from './wasm-bytes.ts';

/*
 * The files of a compiled model, well formed but useless: weights of no tensor, and a stand-in for the model's code
 * that the library can start, which accepts everything and contains no model. With it the real library gets as far as
 * it can without a real model: past the GPU, the tokenizer and the weights.
 */

/** Bytes per shard. */
const SHARD = 200_000;
const SHARDS = 5;

const one = (name: string, parameters: number, code: readonly number[]) => ({ name, parameters, code });
const zero = i32(0);

/** What TVM's runtime exports, and the library calls before it asks for the model itself. */
export const standInLibrary = (): Buffer =>
  wasmModule(64, 65_536, [
    // Returns the start of free memory, and advances it in steps of 16.
    one('TVMWasmAllocSpace', 1, [
      ...global.get,
      ...global.get,
      ...local(0),
      ...ADD,
      ...i32(15),
      ...ADD,
      ...i32(-16 & 0x7fffffff),
      ...AND,
      ...global.set,
    ]),
    one('TVMWasmFreeSpace', 1, zero),
    one('_initialize', 0, zero),
    one('TVMFFIFunctionGetGlobal', 2, [...local(1), ...i32(1), ...STORE, ...zero]),
    one('TVMFFIWasmFunctionCreate', 2, [...local(1), ...i32(1), ...STORE, ...zero]),
    // A different number for each type: here, the address of unused memory.
    one('TVMFFITypeKeyToIndex', 2, [
      ...local(1),
      ...global.get,
      ...STORE,
      ...global.get,
      ...i32(16),
      ...ADD,
      ...global.set,
      ...zero,
    ]),
    one('TVMFFIFunctionSetGlobal', 3, zero),
    one('TVMFFIFunctionCall', 4, zero),
    one('TVMFFIObjectIncRef', 1, zero),
    one('TVMFFIObjectDecRef', 1, zero),
    one('TVMFFIWasmGetLastError', 0, zero),
  ]);

const CONFIG = {
  model_type: 'llama',
  vocab_size: 6,
  context_window_size: 2048,
  sliding_window_size: -1,
  attention_sink_size: -1,
  temperature: 0.7,
  top_p: 0.95,
  repetition_penalty: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
  tokenizer_files: ['tokenizer.json'],
  tokenizer_info: { token_postproc_method: 'byte_level', prepend_space_in_encode: false, strip_space_in_decode: false },
  conv_template: { name: 'chatml', ...CHATML },
};

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', vocab: { '[UNK]': 0, a: 1, b: 2, c: 3, d: 4, e: 5 }, unk_token: '[UNK]' },
};

const shard = (index: number): Buffer => {
  const bytes = Buffer.alloc(SHARD);
  for (let at = 0; at < SHARD; at += 1) bytes[at] = (at * 31 + index * 7 + (at >> 8)) & 255;
  return bytes;
};

export interface CompiledModel {
  readonly folder: string;
  /** Total bytes of all files. */
  readonly bytes: number;
  readonly shards: readonly string[];
  remove(): Promise<void>;
}

/** Writes a compiled model into a folder of its own. */
export const makeCompiledModel = async (): Promise<CompiledModel> => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-mlc-'));
  const shards = Array.from({ length: SHARDS }, (_, index) => ({
    path: `params_shard_${index}.bin`,
    bytes: shard(index),
  }));
  const manifest = {
    metadata: { ParamSize: 0, ParamBytes: 0, BitsPerParam: 4.5 },
    records: shards.map(({ path, bytes }) => ({
      dataPath: path,
      format: 'raw-shard',
      nbytes: bytes.length,
      records: [],
      md5sum: createHash('md5').update(bytes).digest('hex'),
    })),
  };
  const files: readonly (readonly [string, Buffer])[] = [
    ['mlc-chat-config.json', Buffer.from(JSON.stringify(CONFIG))],
    ['tensor-cache.json', Buffer.from(JSON.stringify(manifest))],
    ['tokenizer.json', Buffer.from(JSON.stringify(TOKENIZER))],
    ['stand-in-webgpu.wasm', standInLibrary()],
    // An HTML page instead of the file, as wrong addresses often return.
    ['page.wasm', Buffer.from('<!doctype html><title>Not found</title>')],
    // WebAssembly, but something else.
    ['other.wasm', wasmModule(1, 0, [])],
    ...shards.map(({ path, bytes }) => [path, bytes] as const),
  ];
  await Promise.all(files.map(([path, bytes]) => writeFile(join(folder, path), bytes)));
  const own = files.filter(([path]) => !['page.wasm', 'other.wasm'].includes(path));
  return {
    folder,
    bytes: own.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    shards: shards.map(({ path }) => path),
    remove: () => rm(folder, { recursive: true }),
  };
};
