import type { GetOptions, ModelFile, ModelFiles, ModelRef } from './model-files.ts';

/** Rather few types: what libraries look at. */
const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  wasm: 'application/wasm',
  txt: 'text/plain',
};

/** Answers a request for a model's file as `fetch` would, from this machine if it is there, else downloaded and kept. Rejects as ModelFiles do. */
export const fetchThrough = async (files: ModelFiles, file: ModelFile, options: GetOptions): Promise<Response> =>
  answerOf(file.url, await files.get(file, options));

/** In the shape that transformers.js expects of `env.customCache`. */
interface CustomCache {
  match(request: string): Promise<Response | undefined>;
  put(request: string, response: Response): Promise<void>;
}

/**
 * What is kept of a model, as a cache for transformers.js. It asks for paths as well as addresses; only addresses are kept.
 * `put` reads the whole answer into the store, and cannot go on where it broke off: for large files `fetchThrough` is
 * the better way (`env.fetch`).
 */
export const cacheFor = (files: ModelFiles, model: ModelRef): CustomCache => ({
  match: async (request) => {
    if (!isAddress(request)) return;
    const blob = await files.kept(request);
    return blob === null ? undefined : answerOf(request, blob);
  },
  put: async (request, response) => {
    if (isAddress(request)) await files.keep(model, request, await response.blob());
  },
});

const isAddress = (request: string): boolean => /^(https?|own):/.test(request);

const answerOf = (url: string, blob: Blob): Response => {
  const type = TYPES[url.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return new Response(blob, { headers: { 'Content-Type': type, 'Content-Length': String(blob.size) } });
};
