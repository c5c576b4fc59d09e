import { baseName } from '../../../domain/attachment.ts';
import { parsedJson } from '../../../domain/expectation.ts';
import { clamp } from '../../../domain/numbers.ts';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { ModelFile, ModelFiles, ModelRef } from '../../store/model-files.ts';
import { UNCALIBRATED_THETA, USE_LITE_THETA } from '../embedding.ts';
import { REPO_FILES, specKey, specName, type TransformersSpec } from '../model-spec.ts';
import type { LoadOptions } from '../runtime.ts';
import { downloadAll } from '../runtime-files.ts';

/** A model's files by path in its repository. */
export type RepoFiles = ReadonlyMap<string, Blob>;

const OPTIONAL: Readonly<Record<TransformersSpec['task'], readonly string[]>> = {
  embed: ['1_Pooling/config.json'],
  generate: ['generation_config.json', 'chat_template.jinja'],
};

/** Additional files of a vision model: picture preprocessing, and the chat template's location in older repositories. */
const OF_SIGHT = ['preprocessor_config.json', 'processor_config.json', 'chat_template.json'];

/** How the processor of a vision model takes its input. */
export interface VisionConfig {
  readonly order: 'text-first' | 'pictures-first';
  /** The processor would treat several pictures as frames of a video, so each is processed separately. */
  readonly oneByOne: boolean;
}

const textFirst: VisionConfig = { order: 'text-first', oneByOne: false };
const frames: VisionConfig = { order: 'text-first', oneByOne: true };

/**
 * Vision chat models by `model_type` in config.json, as transformers.js 4.3 runs them (its `registry.js`, and the `_call` of
 * each processor). Excludes models without a chat template, those whose processor takes at most one picture, and those that
 * also take audio.
 */
const SEEING: Readonly<Record<string, VisionConfig>> = {
  idefics3: textFirst,
  smolvlm: textFirst,
  gemma3: textFirst,
  lfm2_vl: { order: 'pictures-first', oneByOne: false },
  qwen2_vl: frames,
  qwen2_5_vl: frames,
  qwen3_vl: frames,
  qwen3_5: frames,
};

/** Returns null for a model without vision. */
export const sightOf = (config: unknown): VisionConfig | null => {
  const { model_type: type, vision_config: eyes } = config as { model_type?: unknown; vision_config?: unknown };
  return typeof type === 'string' && typeof eyes === 'object' && eyes !== null ? (SEEING[type] ?? null) : null;
};

/** The parts of a vision model, each in its own file. The first one determines which formats are available. */
const PARTS = ['decoder_model_merged', 'embed_tokens', 'vision_encoder'] as const;

/** Formats by part if the model has several files. */
export type Dtypes = Dtype | Readonly<Record<string, Dtype>>;

const LACKS = 'lacks.json';

/** A model's repository on the hub, or a folder from the user, read through the local store. */
export class Repo {
  readonly ref: ModelRef;
  readonly #files: ModelFiles;
  readonly #base: string;
  readonly #task: TransformersSpec['task'];
  readonly #own: boolean;
  /** Paths that it does not have. They are not requested again: offline, each request would take its time to fail. */
  readonly #lacks = new Set<unknown>();
  /** How many of these are noted. */
  #noted = 0;

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
    for (const path of REPO_FILES) found.set(path, await this.#get(path, options));
    const known = await this.note(LACKS).catch(() => null);
    for (const path of Array.isArray(known) ? known : []) this.#lacks.add(path);
    this.#noted = this.#lacks.size;
    const sight = this.#task === 'generate' && sightOf(await this.config(found)) !== null;
    for (const path of [...OPTIONAL[this.#task], ...(sight ? OF_SIGHT : [])]) {
      const blob = this.#lacks.has(path) ? null : await this.#maybe(path, options);
      if (blob === null) this.#lacks.add(path);
      else found.set(path, blob);
    }
    await this.#noteLacks();
    return found;
  }

  async config(files: RepoFiles): Promise<object> {
    return (await this.parsed(files, 'config.json')) ?? {};
  }

  /** One of its files of JSON; null if it has none. Rejects with `corrupt` if it is something else, as a web page. */
  async parsed(files: RepoFiles, path: string): Promise<object | null> {
    const blob = files.get(path);
    if (blob === undefined) return null;
    const json = parsedJson(await blob.text());
    if (typeof json === 'object' && json !== null) return json;
    throw new ModelFailure(
      'corrupt',
      this.#own
        ? `${path} in the folder ${this.ref.name} is damaged: it is not JSON. Choose a complete folder.`
        : `${path} of ${this.ref.name} is not what it should be, and was deleted. Check the address of the model hub in Models, then try again.`,
    );
  }

  /** The weights in one format, including the external data files listed in `config`. Rejects with `not-found` if there are none. */
  async weights(
    { dtype, device }: Candidate,
    config: unknown,
    options: LoadOptions,
  ): Promise<{ readonly files: RepoFiles; readonly dtypes: Dtypes }> {
    if (this.#task === 'embed' || sightOf(config) === null) {
      const files = await this.#part('model', dtype, config, options);
      await this.#noteLacks();
      return { files, dtypes: dtype };
    }
    const files = new Map<string, Blob>();
    const dtypes: Record<string, Dtype> = {};
    const here = (): number => [...files.values()].reduce((sum, { size }) => sum + size, 0);
    for (const part of PARTS) {
      // Not every part exists in every format. Half-precision formats are skipped as fallbacks for the later parts.
      const others = ORDER.generate[device].filter((one) => one !== dtype && !HALVES.includes(one));
      const tried = part === PARTS[0] ? [dtype] : [dtype, ...others];
      const before = here();
      const last = part === PARTS.at(-1);
      const partOptions: LoadOptions = {
        ...options,
        onProgress: ({ phase, loaded, total }) =>
          options.onProgress({ phase, loaded: before + loaded, total: last && total !== null ? before + total : null }),
      };
      const [one, blobs] = await this.#first(part, tried, config, partOptions);
      dtypes[part] = one;
      for (const [path, blob] of blobs) files.set(path, blob);
    }
    await this.#noteLacks();
    return { files, dtypes };
  }

  /** Fetches a part of the model in the first available format. */
  async #first(
    part: string,
    [dtype, ...others]: readonly Dtype[],
    config: unknown,
    options: LoadOptions,
  ): Promise<readonly [Dtype, RepoFiles]> {
    if (dtype === undefined)
      throw new ModelFailure('not-found', `${this.ref.name} has no onnx/${part}….onnx. Choose another model.`);
    try {
      return [dtype, await this.#part(part, dtype, config, options)];
    } catch (error) {
      options.signal.throwIfAborted();
      if (others.length === 0 || !isNotFound(error)) throw error;
      return this.#first(part, others, config, options);
    }
  }

  async #part(part: string, dtype: Dtype, config: unknown, options: LoadOptions): Promise<RepoFiles> {
    const path = `onnx/${part}${SUFFIX[dtype]}.onnx`;
    const paths = [path, ...outsidePaths(path, part, config)];
    if (this.#own) {
      return new Map(await Promise.all(paths.map(async (one) => [one, await this.#get(one, options)] as const)));
    }
    if (this.#lacks.has(path)) throw new ModelFailure('not-found', `${this.ref.name} has no ${path}.`);
    const blobs = await downloadAll(this.#files, paths.map(this.#file), options).catch((error: unknown) => {
      if (isNotFound(error)) this.#lacks.add(path);
      throw error;
    });
    return new Map(paths.map((one, i) => [one, blobs[i] as Blob]));
  }

  /** Weights that are missing are noted only once others were found: a repository without any may be at the wrong address. */
  async #noteLacks(): Promise<void> {
    if (this.#own || this.#lacks.size === this.#noted) return;
    this.#noted = this.#lacks.size;
    // Without the note, they are requested again.
    await this.keepNote(LACKS, [...this.#lacks]).catch(() => undefined);
  }

  /** Data that the app itself stores with a model's files, e.g. reference vectors. */
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
    throw new ModelFailure('not-found', `The folder ${this.ref.name} has no ${path}. Choose a complete folder.`);
  }

  /** Fetches an optional file; null if the model does not have it. */
  async #maybe(path: string, options: LoadOptions): Promise<Blob | null> {
    try {
      return await this.#get(path, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (isNotFound(error)) return null;
      throw error;
    }
  }
}

const isNotFound = (error: unknown): boolean => error instanceof ModelFailure && error.kind === 'not-found';

/** In users' folders, the weights may be next to the configuration. */
const flat = (path: string): string => path.replace(/^onnx\//, '');

/** Upper bound on data files, above what any model has; transformers.js uses the same one. */
const MAX_PARTS = 100;

/** Paths of weights stored outside the graph's file, according to `transformers.js_config.use_external_data_format`. */
const outsidePaths = (path: string, part: string, config: unknown): readonly string[] => {
  const says = (config as { 'transformers.js_config'?: { use_external_data_format?: unknown } } | null)?.[
    'transformers.js_config'
  ]?.use_external_data_format;
  const name = baseName(path);
  const of = (found: unknown): number => clamp(Number(found ?? 0) || 0, 0, MAX_PARTS);
  const byName = says as Readonly<Record<string, unknown>> | null;
  const count = typeof says === 'object' ? of(byName?.[name] ?? byName?.[part]) : of(says);
  return Array.from({ length: count }, (_, i) => `${path}_data${i === 0 ? '' : `_${i}`}`);
};

export type Device = 'webgpu' | 'wasm';
export type Dtype = Exclude<TransformersSpec['dtype'], 'auto'>;

/** A way to run a model: which files, and on which device. */
export interface Candidate {
  readonly device: Device;
  readonly dtype: Dtype;
}

export interface GpuHere {
  /** A real GPU, not a software renderer. */
  readonly real: boolean;
  readonly shaderF16: boolean;
}

/**
 * Best first: small and accurate enough on the CPU, half precision on a GPU that supports it. 4-bit weights work for text but
 * hardly for embeddings.
 */
const ORDER: Readonly<Record<TransformersSpec['task'], Readonly<Record<Device, readonly Dtype[]>>>> = {
  embed: { webgpu: ['fp16', 'fp32', 'q8'], wasm: ['q8', 'int8', 'uint8', 'fp32', 'q4'] },
  generate: { webgpu: ['q4f16', 'q4', 'fp16', 'fp32'], wasm: ['q8', 'q4', 'int8', 'uint8', 'fp32'] },
};

const HALVES: readonly Dtype[] = ['fp16', 'q4f16'];

/**
 * Ways to run a model, the requested one first; each is tried if the previous ones are missing or not to be trusted. `gpu` is
 * null if there is none.
 */
export const candidatesOf = (
  { task, dtype, device }: Pick<TransformersSpec, 'task' | 'dtype' | 'device'>,
  gpu: GpuHere | null,
  avoid: readonly Dtype[] = [],
): readonly Candidate[] => {
  const wanted: readonly Device[] =
    gpu !== null && (device === 'webgpu' || (device === 'auto' && gpu.real)) ? ['webgpu', 'wasm'] : ['wasm'];
  const all = wanted.flatMap((on) => {
    const order = ORDER[task][on];
    const asked = dtype === 'auto' ? order : [dtype, ...order.filter((other) => other !== dtype)];
    return asked
      .filter((one) => !avoid.includes(one))
      .filter((one) => !(on === 'webgpu' && HALVES.includes(one) && gpu?.shaderF16 !== true))
      .map((one) => ({ device: on, dtype: one }));
  });
  return dtype === 'auto'
    ? all
    : [...all.filter((one) => one.dtype === dtype), ...all.filter((one) => one.dtype !== dtype)];
};

/** File name suffix for each format, as in transformers.js. */
const SUFFIX: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/** How token vectors are pooled into one text vector. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Settings for a known embedder. */
export interface EmbeddingModel {
  readonly pooling: Pooling;
  /**
   * Prepended to every text. The port has a single `embed` for messages and nodes, and compares like with like, so both sides
   * use the model's similarity prompt rather than its query/document pair.
   */
  readonly prefix: string;
  /** See the port. Guesses, unless measured; `npm run eval` on labelled forks would tell. */
  readonly theta: number;
  /** Formats known to produce wrong vectors. */
  readonly avoid: readonly Dtype[];
}

const plain = { prefix: '', avoid: [] } as const;

/** By repository name without the owner, because several repositories have the same weights. */
const KNOWN: Readonly<Record<string, EmbeddingModel>> = {
  // Model card: mean pooling; trained without prompts. θ guessed: its related sentences lie near 0.45.
  'all-MiniLM-L6-v2': { ...plain, pooling: 'mean', theta: 0.45 },
  // Model card: cls pooling; no instruction for comparing short texts with each other. θ guessed: its
  // similarities lie between 0.6 and 1.
  'bge-small-en-v1.5': { ...plain, pooling: 'cls', theta: 0.75 },
  // Model card: mean pooling; "query: " before both texts for symmetric tasks. θ guessed: its similarities
  // lie between 0.7 and 1.
  'multilingual-e5-small': { pooling: 'mean', prefix: 'query: ', theta: 0.85, avoid: [] },
  // Model card: prompt for sentence similarity; activations overflow in f16. θ guessed.
  'embeddinggemma-300m': {
    pooling: 'mean',
    prefix: 'task: sentence similarity | query: ',
    theta: UNCALIBRATED_THETA,
    avoid: ['fp16', 'q4f16'],
  },
  // Model card: last token; an instruction of one sentence. θ guessed.
  'Qwen3-Embedding-0.6B': {
    pooling: 'last_token',
    prefix: 'Instruct: Retrieve semantically similar text.\nQuery:',
    theta: UNCALIBRATED_THETA,
    avoid: [],
  },
  'use-lite-en': { ...plain, pooling: 'mean', theta: USE_LITE_THETA },
};

/** Returns null for an unknown model, whose own files say how it pools (`poolingOf`). */
export const knownEmbedder = (repo: string): EmbeddingModel | null => {
  const name = baseName(repo).replace(/-ONNX$/i, '');
  return KNOWN[name] ?? null;
};

/** What the page sends to a model's worker: the complete files, and how to use them. */
export interface RepoSpec {
  readonly name: string;
  readonly files: RepoFiles;
  readonly candidate: Candidate;
  readonly dtypes: Dtypes;
  /** null for a model without vision. */
  readonly sight: VisionConfig | null;
  /** null for a text generator. */
  readonly embeds: { readonly pooling: Pooling; readonly prefix: string } | null;
}
