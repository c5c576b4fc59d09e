import * as z from 'zod/mini';
import type { StoredModel } from '../runtime.ts';
import type { ModelFile, Scope } from './model-files.ts';

/*
 * What is kept of WebLLM's models: their files in the library's own caches, under the addresses by which it asks for
 * them, and beside them one entry a model that says which files are whose. Read by the page, too: no library needed.
 */

const SCOPES: readonly Scope[] = ['webllm/config', 'webllm/model', 'webllm/wasm'];
const ENTRIES = 'coppice/webllm';

const Entry = z.object({
  /** As `specKey`. */
  key: z.string(),
  name: z.string(),
  /** Where the library asks for its files; ends with a slash. */
  folder: z.string(),
  library: z.string(),
  /** Bytes of the whole model; null until it is known. */
  total: z.nullable(z.number()),
});
export type Entry = z.infer<typeof Entry>;

// A cache takes only addresses of the web; this one leads nowhere.
const addressOf = (key: string): string => `https://kept.invalid/${encodeURIComponent(key)}`;

export const saveEntry = async (entry: Entry): Promise<void> => {
  await (await caches.open(ENTRIES)).put(addressOf(entry.key), Response.json(entry));
};

const entries = async (): Promise<Entry[]> => {
  if (!(await caches.has(ENTRIES))) return [];
  const cache = await caches.open(ENTRIES);
  const responses = await cache.matchAll();
  const read = await Promise.all(responses.map(async (response) => Entry.safeParse(await response.json())));
  return read.flatMap(({ data }) => (data === undefined ? [] : [data]));
};

const isOf =
  ({ folder, library }: Entry) =>
  (url: string): boolean =>
    url.startsWith(folder) || url === library;

/** A file from this machine; null if it is not there. */
export const keptFile = async ({ scope, url }: ModelFile): Promise<Response | null> =>
  (await (await caches.open(scope)).match(url)) ?? null;

/** Keeps a file under the address by which the library asks for it, with its length told. */
export const keepFile = async ({ scope, url }: ModelFile, body: BodyInit, bytes: number): Promise<void> => {
  const headers = { 'Content-Length': String(bytes) };
  await (await caches.open(scope)).put(url, new Response(body, { headers }));
};

export const bytesOf = (response: Response): number => Number(response.headers.get('content-length') ?? 0);

export const dropFile = async ({ scope, url }: Pick<ModelFile, 'scope' | 'url'>): Promise<void> => {
  await (await caches.open(scope)).delete(url);
};

const filesOf = async (entry: Entry): Promise<{ scope: Scope; url: string; bytes: number }[]> => {
  const found = await Promise.all(
    SCOPES.map(async (scope) => {
      const cache = await caches.open(scope);
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
  // No caches: not a secure address, or blocked. Then nothing is kept.
  if (typeof caches === 'undefined') return [];
  return Promise.all(
    (await entries()).map(async (entry) => {
      const bytes = (await filesOf(entry)).reduce((sum, file) => sum + file.bytes, 0);
      return { key: entry.key, name: entry.name, bytes, total: entry.total };
    }),
  );
};

/** Deletes a model's files, but for those that another one uses, too: two choices may be the same build. */
export const removeModel = async (key: string): Promise<void> => {
  if (typeof caches === 'undefined') return;
  const all = await entries();
  const entry = all.find((one) => one.key === key);
  if (entry === undefined) return;
  const others = all.filter((one) => one !== entry).map(isOf);
  const own = (await filesOf(entry)).filter(({ url }) => !others.some((isTheirs) => isTheirs(url)));
  await Promise.all(own.map(dropFile));
  await (await caches.open(ENTRIES)).delete(addressOf(key));
};
