import * as z from 'zod/mini';
import type { StoredModel } from '../../../app/model-control.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { fileInWords } from '../../store/failures.ts';
import { modelCaches } from '../../store/file-store.ts';

/*
 * Storage of WebLLM's models: their files in the library's own caches, under the URLs that it requests, plus one entry per
 * model that says which files belong to it. Also read by the page, without loading the library.
 */

const SCOPES: readonly Scope[] = ['webllm/config', 'webllm/model', 'webllm/wasm'];
const ENTRIES = 'coppice/webllm';

const Entry = z.object({
  /** As `specKey`. */
  key: z.string(),
  name: z.string(),
  /** URL from which the library requests its files; ends with a slash. */
  folder: z.string(),
  library: z.string(),
  /** Bytes of the whole model; null until known. */
  total: z.nullable(z.number()),
});
type Entry = z.infer<typeof Entry>;

/** The cache storage that the library has to use, too. */
export const keptCaches = (): Promise<CacheStorage> => modelCaches(ENTRIES);

const opened = async (name: string): Promise<Cache> => (await keptCaches()).open(name);

// Cache keys must be web URLs; this one leads nowhere.
const addressOf = (key: string): string => `https://kept.invalid/${encodeURIComponent(key)}`;

export const saveEntry = async (entry: Entry): Promise<void> => {
  await (await opened(ENTRIES)).put(addressOf(entry.key), Response.json(entry));
};

const entries = async (): Promise<Entry[]> => {
  const kept = await keptCaches();
  if (!(await kept.has(ENTRIES))) return [];
  const cache = await kept.open(ENTRIES);
  const responses = await cache.matchAll();
  const read = await Promise.all(responses.map(async (response) => Entry.safeParse(await response.json())));
  return read.flatMap(({ data }) => (data === undefined ? [] : [data]));
};

const isOf =
  ({ folder, library }: Entry) =>
  (url: string): boolean =>
    url.startsWith(folder) || url === library;

/** Returns a stored file; null if it is missing. */
export const keptFile = async ({ scope, url }: CachedModelFile): Promise<Response | null> =>
  (await (await opened(scope)).match(url)) ?? null;

/** Stores a file under the URL that the library requests, with its length. */
export const keepFile = async ({ scope, url }: CachedModelFile, body: BodyInit, bytes: number): Promise<void> => {
  const headers = { 'Content-Length': String(bytes) };
  await (await opened(scope)).put(url, new Response(body, { headers }));
};

export const bytesOf = (response: Response): number => Number(response.headers.get('content-length') ?? 0);

export const dropFile = async ({ scope, url }: Pick<CachedModelFile, 'scope' | 'url'>): Promise<void> => {
  await (await opened(scope)).delete(url);
};

const filesOf = async (entry: Entry): Promise<{ scope: Scope; url: string; bytes: number }[]> => {
  const found = await Promise.all(
    SCOPES.map(async (scope) => {
      const cache = await opened(scope);
      const urls = (await cache.keys()).map(({ url }) => url).filter(isOf(entry));
      return Promise.all(
        urls.map(async (url) => {
          const response = await cache.match(url);
          return { scope, url, bytes: response === undefined ? 0 : bytesOf(response) };
        }),
      );
    }),
  );
  return found.flat();
};

export const storedModels = async (): Promise<StoredModel[]> => {
  // Without caches (insecure origin, or blocked) nothing is stored.
  if (typeof caches === 'undefined') return [];
  return Promise.all(
    (await entries()).map(async (entry) => {
      const bytes = (await filesOf(entry)).reduce((sum, file) => sum + file.bytes, 0);
      return { key: entry.key, name: entry.name, bytes, total: entry.total };
    }),
  );
};

/** Deletes a model's files except those that another entry also uses: two choices may be the same build. */
export const removeModel = async (key: string): Promise<void> => {
  if (typeof caches === 'undefined') return;
  const all = await entries();
  const entry = all.find((one) => one.key === key);
  if (entry === undefined) return;
  const others = all.filter((one) => one !== entry).map(isOf);
  const own = (await filesOf(entry)).filter(({ url }) => !others.some((isTheirs) => isTheirs(url)));
  await Promise.all(own.map(dropFile));
  await (await opened(ENTRIES)).delete(addressOf(key));
};

/*
 * The files of a compiled model in MLC's layout:
 *
 *   mlc-chat-config.json   window, chat template, tokenizer files
 *   tensor-cache.json      the weight shards, with length and MD5
 *   tokenizer.json         or tokenizer.model
 *   params_shard_*.bin     the weights
 *   …webgpu.wasm           the model's code; stored elsewhere
 */

/** The parts of the chat template needed to continue a reply (`continuationPrompt`). */
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
  /** −1 for a sliding window. */
  context_window_size: z.number(),
  sliding_window_size: z.nullish(z.number()),
  conv_template: Template,
});
export type ChatConfig = z.infer<typeof ChatConfig>;

export const TensorCache = z.looseObject({
  records: z.array(z.looseObject({ dataPath: z.string(), nbytes: z.number(), md5sum: z.nullish(z.string()) })),
});
export type TensorCache = z.infer<typeof TensorCache>;

/** Names of the library's caches, by content. */
type Scope = 'webllm/config' | 'webllm/model' | 'webllm/wasm';

export interface CachedModelFile {
  /** URL that the library requests. */
  readonly url: string;
  /** URL it is fetched from. */
  readonly source: string;
  readonly scope: Scope;
  /** Set for a shard, which is stored while streaming; null for a file that is first checked as a whole. */
  readonly shard: { readonly bytes: number; readonly md5: string | null } | null;
  /** Rejects if the bytes are not this file. */
  check(bytes: ArrayBuffer): Promise<void>;
}

/** Where a model's files are requested and fetched from; folders end with a slash. */
export interface ModelLocation {
  readonly folder: string;
  readonly source: string;
  readonly library: string;
}

const file = (place: ModelLocation, path: string, scope: Scope, check: CachedModelFile['check']): CachedModelFile => ({
  url: new URL(path, place.folder).href,
  source: new URL(path, place.source).href,
  scope,
  shard: null,
  check,
});

/** Parses a JSON file. Throws `corrupt`. */
export const parseAs = <S extends z.ZodMiniType>(schema: S, bytes: ArrayBuffer, url: string): z.infer<S> => {
  try {
    return z.parse(schema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw corrupt(url, error instanceof SyntaxError ? 'it is not JSON' : 'it has an unknown format', error);
  }
};

export const configFile = (place: ModelLocation): CachedModelFile =>
  file(place, 'mlc-chat-config.json', 'webllm/config', async (bytes) => {
    parseAs(ChatConfig, bytes, new URL('mlc-chat-config.json', place.source).href);
  });

export const manifestFile = (place: ModelLocation): CachedModelFile =>
  file(place, 'tensor-cache.json', 'webllm/model', async (bytes) => {
    parseAs(TensorCache, bytes, new URL('tensor-cache.json', place.source).href);
  });

/** Newer kinds of models have another description file (the library's `ModelRecord.model_manifest`). */
export const packageFile = (place: ModelLocation, path: string): CachedModelFile =>
  file(place, path, 'webllm/config', async (bytes) => {
    parseAs(z.looseObject({}), bytes, new URL(path, place.source).href);
  });

export const tokenizerFile = (place: ModelLocation, { tokenizer_files }: ChatConfig): CachedModelFile => {
  // The library's own order of preference.
  if (tokenizer_files.includes('tokenizer.json')) {
    return file(place, 'tokenizer.json', 'webllm/model', async (bytes) => {
      parseAs(z.looseObject({}), bytes, new URL('tokenizer.json', place.source).href);
    });
  }
  return file(place, 'tokenizer.model', 'webllm/model', async () => undefined);
};

/** Throws `corrupt` for a shard elsewhere: a model could have other hosts asked, or replace the files of another model. */
export const shardFiles = (place: ModelLocation, { records }: TensorCache): CachedModelFile[] =>
  records.map(({ dataPath, nbytes, md5sum }) => {
    if (!isInside(dataPath, place.folder) || !isInside(dataPath, place.source)) {
      throw corrupt(new URL('tensor-cache.json', place.source).href, 'it names files outside the model’s folder');
    }
    return {
      ...file(place, dataPath, 'webllm/model', async () => undefined),
      shard: { bytes: nbytes, md5: md5sum ?? null },
    };
  });

const isInside = (path: string, folder: string): boolean =>
  URL.canParse(path, folder) && new URL(path, folder).href.startsWith(new URL('.', folder).href);

/** Exports of every library that WebLLM can run (its validateInstance). */
const EXPORTS = ['TVMWasmAllocSpace', 'TVMWasmFreeSpace'];

export const libraryFile = ({ library }: ModelLocation): CachedModelFile => ({
  url: library,
  source: library,
  scope: 'webllm/wasm',
  shard: null,
  check: async (bytes) => {
    const module = await WebAssembly.compile(bytes).catch((error: unknown) => {
      throw corrupt(library, 'it is not WebAssembly', error);
    });
    const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
    if (!EXPORTS.every((name) => names.has(name))) {
      throw corrupt(library, 'it is not a compiled model for this version of WebLLM');
    }
  },
});

export const corrupt = (url: string, why: string, cause?: unknown): ModelFailure =>
  new ModelFailure(
    'corrupt',
    `${fileInWords(url)} is damaged: ${why}. It was not saved. Try again, or choose another model.`,
    { cause },
  );
