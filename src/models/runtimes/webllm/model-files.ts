import * as z from 'zod/mini';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { fileInWords } from '../../store/words.ts';

/*
 * The files of a compiled model, as MLC lays them out:
 *
 *   mlc-chat-config.json   window, chat template, which tokenizer
 *   tensor-cache.json      the shards of the weights, with length and MD5
 *   tokenizer.json         or tokenizer.model
 *   params_shard_*.bin     the weights
 *   …webgpu.wasm           the model's code; somewhere else
 */

/** What of the chat template a reply that goes on has to be written in (continuation.ts). */
export const Template = z.looseObject({
  system_template: z.string(),
  system_message: z.string(),
  roles: z.looseObject({ user: z.string(), assistant: z.string() }),
  role_templates: z.nullish(z.record(z.string(), z.string())),
  role_content_sep: z.nullish(z.string()),
  role_empty_sep: z.nullish(z.string()),
  seps: z.array(z.string()).check(z.minLength(1)),
  system_prefix_token_ids: z.nullish(z.array(z.number())),
  add_role_after_system_message: z.nullish(z.boolean()),
  render_empty_system_message: z.nullish(z.boolean()),
});
export type Template = z.infer<typeof Template>;

export const ChatConfig = z.looseObject({
  tokenizer_files: z.array(z.string()),
  /** −1 where the window slides. */
  context_window_size: z.number(),
  sliding_window_size: z.nullish(z.number()),
  conv_template: Template,
});
export type ChatConfig = z.infer<typeof ChatConfig>;

export const TensorCache = z.looseObject({
  records: z.array(z.looseObject({ dataPath: z.string(), nbytes: z.number(), md5sum: z.nullish(z.string()) })),
});
export type TensorCache = z.infer<typeof TensorCache>;

/** The library's caches, by what it keeps in them. */
export type Scope = 'webllm/config' | 'webllm/model' | 'webllm/wasm';

export interface ModelFile {
  /** Under which the library asks for it. */
  readonly url: string;
  /** Where it is fetched from. */
  readonly source: string;
  readonly scope: Scope;
  /** Of a shard, which is stored as it comes; null for a file that is checked as a whole before. */
  readonly shard: { readonly bytes: number; readonly md5: string | null } | null;
  /** Rejects what is not this file. */
  check(bytes: ArrayBuffer): Promise<void>;
}

/** Where a model's files are asked for and fetched from; folders end with a slash. */
export interface Place {
  readonly folder: string;
  readonly source: string;
  readonly library: string;
}

const file = (place: Place, path: string, scope: Scope, check: ModelFile['check']): ModelFile => ({
  url: new URL(path, place.folder).href,
  source: new URL(path, place.source).href,
  scope,
  shard: null,
  check,
});

/** Reads a JSON file. Throws with `corrupt`. */
export const parseAs = <S extends z.ZodMiniType>(schema: S, bytes: ArrayBuffer, url: string): z.infer<S> => {
  try {
    return z.parse(schema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw corrupt(url, error instanceof SyntaxError ? 'it is no JSON' : 'it has another form', error);
  }
};

export const configFile = (place: Place): ModelFile =>
  file(place, 'mlc-chat-config.json', 'webllm/config', async (bytes) => {
    parseAs(ChatConfig, bytes, new URL('mlc-chat-config.json', place.source).href);
  });

export const manifestFile = (place: Place): ModelFile =>
  file(place, 'tensor-cache.json', 'webllm/model', async (bytes) => {
    parseAs(TensorCache, bytes, new URL('tensor-cache.json', place.source).href);
  });

/** A newer kind of model has one more description (the library's `ModelRecord.model_manifest`). */
export const packageFile = (place: Place, path: string): ModelFile =>
  file(place, path, 'webllm/config', async (bytes) => {
    parseAs(z.looseObject({}), bytes, new URL(path, place.source).href);
  });

export const tokenizerFile = (place: Place, { tokenizer_files }: ChatConfig): ModelFile => {
  // The library's own order of preference.
  if (tokenizer_files.includes('tokenizer.json')) {
    return file(place, 'tokenizer.json', 'webllm/model', async (bytes) => {
      parseAs(z.looseObject({}), bytes, new URL('tokenizer.json', place.source).href);
    });
  }
  return file(place, 'tokenizer.model', 'webllm/model', async () => undefined);
};

export const shardFiles = (place: Place, { records }: TensorCache): ModelFile[] =>
  records.map(({ dataPath, nbytes, md5sum }) => ({
    ...file(place, dataPath, 'webllm/model', async () => undefined),
    shard: { bytes: nbytes, md5: md5sum ?? null },
  }));

/** What every library that WebLLM can run has (its validateInstance). */
const EXPORTS = ['TVMWasmAllocSpace', 'TVMWasmFreeSpace'];

export const libraryFile = ({ library }: Place): ModelFile => ({
  url: library,
  source: library,
  scope: 'webllm/wasm',
  shard: null,
  check: async (bytes) => {
    const module = await WebAssembly.compile(bytes).catch((error: unknown) => {
      throw corrupt(library, 'it is no WebAssembly', error);
    });
    const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
    if (!EXPORTS.every((name) => names.has(name))) {
      throw corrupt(library, 'it is no compiled model for this version of WebLLM');
    }
  },
});

export const corrupt = (url: string, why: string, cause?: unknown): ModelFailure =>
  new ModelFailure(
    'corrupt',
    `${fileInWords(url)} is not what it should be: ${why}. It was not kept; try again, or choose another model.`,
    { cause },
  );
