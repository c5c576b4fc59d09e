import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { seeingModel } from './seeing-model.ts';

/** Small real models for tests; missing from a plain clone. */
export const MODELS = resolve(import.meta.dirname, '../../../shared/models');

/** Why tests that need them are skipped; null if they are present. */
export const modelsMissing = existsSync(MODELS) ? null : '../shared/models is absent';

/** The hub's repositories, by folder. */
export const LOCAL_REPOS: Readonly<Record<string, string>> = {
  'local/stories260K': join(MODELS, 'stories260K'),
  'local/stories260K-gguf': join(MODELS, 'stories260K-gguf'),
  'local/glove-wink-100d-30k': join(MODELS, 'glove-wink-100d-30k'),
  'local/use-lite-en': join(MODELS, 'use-lite-en'),
};

export interface HubFile {
  readonly bytes: Buffer;
  readonly sha256: string;
  /** Large files are stored elsewhere: the hub redirects to them. */
  readonly lfs: boolean;
}

const LARGE = /\.(onnx|gguf|bin|safetensors|wasm|onnx_data)$/;

/**
 * Generated files need no model: `made/<anything>/resolve/main/<bytes>.bin` has that many bytes, deterministic for a
 * version, and different from file to file.
 */
const made = (repo: string, path: string, version: number): Buffer | null => {
  const size = repo.startsWith('made/') ? /^(\d+)\.bin$/.exec(path)?.[1] : undefined;
  if (size === undefined) return null;
  const seed = createHash('sha256').update(`${repo}/${path} ${version}`).digest();
  const bytes = Buffer.alloc(Number(size));
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (seed[at % 31] ?? 0) ^ (at >> 5);
  return bytes;
};

/** The only generated model that runs; see seeing-model.ts. */
const SEEING = 'made/seeing';
let seeing: ReturnType<typeof seeingModel> | null = null;

const ofSeeing = (repo: string, path: string): Buffer | null => {
  if (repo !== SEEING) return null;
  seeing ??= seeingModel();
  const file = seeing[path];
  return file === undefined ? null : Buffer.from(file);
};

const cache = new Map<string, HubFile>();

/** A file of a repository; null if there is none. */
export const hubFile = (
  repos: Readonly<Record<string, string>>,
  repo: string,
  path: string,
  version = 0,
): HubFile | null => {
  const key = `${repo}/${path} ${version}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const folder = repos[repo];
  const place = folder === undefined ? null : resolve(folder, path);
  const inside = place !== null && folder !== undefined && place.startsWith(`${resolve(folder)}/`);
  const onDisk = inside && existsSync(place) && statSync(place).isFile() ? readFileSync(place) : null;
  const bytes = onDisk ?? made(repo, path, version) ?? ofSeeing(repo, path);
  if (bytes === null) return null;
  const file = { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), lfs: LARGE.test(path) };
  cache.set(key, file);
  return file;
};

/** Every file of a repository, or of a folder in it, as the hub's tree API returns it with `recursive=true`. */
export const hubTree = async (
  repos: Readonly<Record<string, string>>,
  repo: string,
  under?: string,
): Promise<object[] | null> => {
  const folder = repos[repo];
  if (folder === undefined || !existsSync(folder)) return null;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => under === undefined || path.startsWith(`${under}/`))
    .sort()
    .flatMap((path) => {
      const file = hubFile(repos, repo, path);
      if (file === null) return [];
      const size = file.bytes.length;
      const oid = createHash('sha1').update(`blob ${size}\0`).update(file.bytes).digest('hex');
      return [
        { type: 'file', oid, size, path, ...(file.lfs && { lfs: { oid: file.sha256, size, pointerSize: 134 } }) },
      ];
    });
};
