import { ModelFailure } from '../../../engine/model-failure.ts';
import type { ModelFile, ModelFiles, ModelRef } from '../../store/model-files.ts';
import { downloadAll } from '../download-all.ts';
import { specKey, specName, type TransformersSpec } from '../model-spec.ts';
import type { LoadOptions } from '../runtime.ts';
import { type Dtype, weightsPath } from './candidates.ts';

/** Files of a model by their path in its repository. */
export type RepoFiles = ReadonlyMap<string, Blob>;

/** What a model is told with besides its weights. */
const REQUIRED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
const OPTIONAL: Readonly<Record<TransformersSpec['task'], readonly string[]>> = {
  embed: ['1_Pooling/config.json'],
  generate: ['generation_config.json', 'chat_template.jinja'],
};

const LACKS = 'lacks.json';

/** A model's repository on the hub, or the folder a person gave, read through what is kept on this machine. */
export class Repo {
  readonly ref: ModelRef;
  readonly #files: ModelFiles;
  readonly #base: string;
  readonly #task: TransformersSpec['task'];
  readonly #own: boolean;

  constructor(spec: TransformersSpec, files: ModelFiles, hub: string) {
    this.ref = { key: specKey(spec), name: specName(spec) };
    this.#files = files;
    this.#task = spec.task;
    this.#own = spec.source.kind === 'folder';
    this.#base = spec.source.kind === 'folder' ? `own:${spec.source.key}` : `${hub}/${spec.source.repo}/resolve/main`;
  }

  /** Configuration and tokenizer. */
  async described(options: LoadOptions): Promise<RepoFiles> {
    const found = new Map<string, Blob>();
    for (const path of REQUIRED) found.set(path, await this.#get(path, options));
    // What a model does not have is not asked for again: without a network that would take its time to fail.
    const known = await this.note(LACKS).catch(() => null);
    const lacks = new Set(Array.isArray(known) ? known : []);
    for (const path of OPTIONAL[this.#task]) {
      const blob = lacks.has(path) ? null : await this.#maybe(path, options);
      if (blob === null) lacks.add(path);
      else found.set(path, blob);
    }
    if (known === null && !this.#own) await this.keepNote(LACKS, [...lacks]);
    return found;
  }

  /** The weights in one format, with the files beside them that `config` tells of. Rejects with `not-found` where there are none. */
  async weights(dtype: Dtype, config: unknown, options: LoadOptions): Promise<RepoFiles> {
    const path = weightsPath(dtype);
    const paths = [path, ...outsidePaths(path, config)];
    if (this.#own) {
      return new Map(await Promise.all(paths.map(async (one) => [one, await this.#get(one, options)] as const)));
    }
    const blobs = await downloadAll(this.#files, paths.map(this.#file), options);
    return new Map(paths.map((one, i) => [one, blobs[i] as Blob]));
  }

  /** What the app itself keeps beside a model's files, e.g. its reference vectors. */
  async note(name: string): Promise<unknown> {
    const blob = await this.#files.kept(this.#noteAddress(name));
    return blob === null ? null : (JSON.parse(await blob.text()) as unknown);
  }

  async keepNote(name: string, note: unknown): Promise<void> {
    await this.#files.keep(this.ref, this.#noteAddress(name), new Blob([JSON.stringify(note)]));
  }

  #noteAddress(name: string): string {
    return `own:${this.ref.key}/coppice/${name}`;
  }

  readonly #file = (path: string): ModelFile => ({ model: this.ref, url: `${this.#base}/${path}`, sha256: null });

  async #get(path: string, { signal }: LoadOptions): Promise<Blob> {
    if (!this.#own) return this.#files.get(this.#file(path), { signal });
    const blob =
      (await this.#files.kept(`${this.#base}/${path}`)) ?? (await this.#files.kept(`${this.#base}/${flat(path)}`));
    if (blob !== null) return blob;
    throw new ModelFailure('not-found', `The folder ${this.ref.name} has no ${path}. Choose it again, complete.`);
  }

  /** A file that not every model has. */
  async #maybe(path: string, options: LoadOptions): Promise<Blob | null> {
    try {
      return await this.#get(path, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof ModelFailure && error.kind === 'not-found') return null;
      throw error;
    }
  }
}

/** People's folders have the weights beside the configuration, too. */
const flat = (path: string): string => path.replace(/^onnx\//, '');

/** More parts than a model has; transformers.js has the same bound. */
const MAX_PARTS = 100;

/** Weights outside of the graph's file: as `transformers.js_config.use_external_data_format` says. */
const outsidePaths = (path: string, config: unknown): readonly string[] => {
  const says = (config as { 'transformers.js_config'?: { use_external_data_format?: unknown } } | null)?.[
    'transformers.js_config'
  ]?.use_external_data_format;
  const name = path.split('/').at(-1) ?? path;
  const of = (found: unknown): number => Math.min(MAX_PARTS, Math.max(0, Number(found ?? 0) || 0));
  const byName = says as Readonly<Record<string, unknown>> | null;
  const count = typeof says === 'object' ? of(byName?.[name] ?? byName?.model) : of(says);
  return Array.from({ length: count }, (_, i) => `${path}_data${i === 0 ? '' : `_${i}`}`);
};
