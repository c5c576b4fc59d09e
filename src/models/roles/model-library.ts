import * as z from 'zod/mini';
import type { Offer, OwnModel } from '../../app/model-control.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { KnownModel } from '../catalogue/known-models.ts';
import { isOnServer, ModelSpec, REPO_FILES, specKey, specName, type TransformersSpec } from '../runtimes/model-spec.ts';
import type { ModelFiles, ModelRef } from '../store/model-files.ts';

export interface LibraryParts {
  /** Models available on this machine, except the user's own. */
  known(): Promise<readonly KnownModel[]>;
  /** The same as far as it can be said without testing the machine, which takes seconds. */
  knownSpecs(): Promise<readonly ModelSpec[]>;
  files(): Promise<ModelFiles>;
  /** The model names of an OpenAI-compatible server, and its full base URL, for which `keyFor` gives the key. */
  modelsOf(baseUrl: string, keyFor: (baseUrl: string) => string): Promise<ServerModels>;
  readonly session: SessionStore;
  newKey(): string;
}

interface ServerModels {
  readonly baseUrl: string;
  readonly models: readonly string[];
}

interface Open {
  readonly store: SettingsStore;
  readonly keys: KeyRing;
  settings: StoredSettings;
}

/** The available models, including the user's own and their servers', and the current choices. */
export class ModelLibrary {
  readonly #parts: LibraryParts;
  #open: Open | null = null;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  async open(store: SettingsStore): Promise<void> {
    const keys = new KeyRing(store, this.#parts.session);
    await keys.read();
    this.#open = { store, keys, settings: readSettings(await store.setting(MODELS_SETTING)) };
  }

  /** Takes in what another tab has saved meanwhile. */
  async refresh(): Promise<void> {
    const open = this.#opened;
    await open.keys.read();
    open.settings = readSettings(await open.store.setting(MODELS_SETTING));
  }

  get settings(): StoredSettings {
    return this.#opened.settings;
  }

  /** Computes the change from what is stored now, since another tab may have changed it meanwhile. */
  async keep(change: (now: StoredSettings) => Partial<StoredSettings>): Promise<void> {
    const open = this.#opened;
    await open.store.changeSetting(MODELS_SETTING, (stored) => {
      const now = readSettings(stored);
      open.settings = { ...now, ...change(now) };
      return open.settings;
    });
  }

  /** Empty if there is none. */
  keyFor(baseUrl: string): string {
    return this.#open?.keys.keyFor(baseUrl) ?? '';
  }

  async models(): Promise<readonly KnownModel[]> {
    const mine = this.settings.own.map((spec) => ({ spec, offer: ownOffer(spec) }));
    const known = await this.#parts.known();
    return [...mine, ...known.filter(({ offer }) => !mine.some((one) => one.offer.key === offer.key))];
  }

  /** Rejects with `not-found`. */
  async specOf(key: string): Promise<ModelSpec> {
    const spec = this.#own(key) ?? (await this.#parts.knownSpecs()).find((one) => specKey(one) === key);
    if (spec !== undefined) return spec;
    throw new ModelFailure('not-found', 'This model is not in the list any more. Choose another one in Models.');
  }

  /** What to call a model before it has been looked up. */
  nameOf(key: string): string {
    const spec = this.#own(key);
    return spec === undefined ? key.slice(key.indexOf(':') + 1) : specName(spec);
  }

  #own(key: string): ModelSpec | undefined {
    return this.settings.own.find((spec) => specKey(spec) === key);
  }

  async add(model: OwnModel): Promise<Offer> {
    const spec = await adoptOwn(model, this.settings.hub, this.#parts.files, this.#parts.newKey);
    await this.keep(({ own }) => ({ own: [...own.filter((one) => specKey(one) !== specKey(spec)), spec] }));
    return ownOffer(spec);
  }

  async drop(key: string): Promise<void> {
    await this.keep(({ own }) => ({ own: own.filter((one) => specKey(one) !== key) }));
  }

  /**
   * The server's models that can be added; some servers have hundreds, so none is added automatically. Without a key,
   * uses the one it had before.
   */
  async connect(server: { baseUrl: string; key: string; remember: boolean }): Promise<ServerModels> {
    const { keys } = this.#opened;
    const found = await this.#parts.modelsOf(server.baseUrl, (baseUrl) => server.key || keys.keyFor(baseUrl));
    const key = server.key || keys.keyFor(found.baseUrl);
    if (server.key !== '' || (server.remember && key !== '')) await keys.put(found.baseUrl, key, server.remember);
    return found;
  }

  /** The servers whose key is stored on this machine. */
  get withKey(): readonly string[] {
    return this.#opened.keys.stored;
  }

  async disconnect(baseUrl: string): Promise<void> {
    await this.#opened.keys.put(baseUrl, '', false);
    await this.keep(({ own }) => ({ own: own.filter((one) => !isOnServer(specKey(one), baseUrl)) }));
  }

  get #opened(): Open {
    if (this.#open !== null) return this.#open;
    throw new ModelFailure('unknown', 'The page is still opening. Try again in a moment.');
  }
}

/** Default model hub, unless the user sets another host. */
const DEFAULT_HUB = 'https://huggingface.co';

const MODELS_SETTING = 'models';

const Choice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('embedded') }),
  z.object({ kind: z.literal('same-as-chat') }),
  z.object({ kind: z.literal('model'), key: z.string() }),
]);

const embedded = { kind: 'embedded' } as const;

const StoredSettings = z.object({
  choices: z._default(z.object({ chat: Choice, decide: Choice, summarise: Choice, embed: Choice }), {
    chat: embedded,
    decide: embedded,
    summarise: embedded,
    embed: embedded,
  }),
  /** The user's own models, including those on servers. */
  own: z._default(z.array(ModelSpec), []),
  hub: z._default(z.string(), DEFAULT_HUB),
  consult: z._default(z.nullable(Choice), null),
});
type StoredSettings = z.infer<typeof StoredSettings>;

/** Stores settings by name, shared by all tabs. */
export interface SettingsStore {
  setting(name: string): Promise<unknown>;
  /** Saves what `next` makes of the value stored by then; null leaves it as it is. */
  changeSetting(name: string, next: (stored: unknown) => unknown): Promise<void>;
}

/** The stored settings, or the defaults; unreadable settings count as not set. */
const readSettings = (stored: unknown): StoredSettings => {
  const parsed = StoredSettings.safeParse(stored ?? {});
  return parsed.success ? parsed.data : StoredSettings.parse({});
};

const KEYS_SETTING = 'server-keys';
type SessionStore = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const Keys = z.record(z.string(), z.string());

const readKeys = (stored: unknown): z.infer<typeof Keys> => {
  const parsed = Keys.safeParse(stored ?? {});
  return parsed.success ? parsed.data : {};
};

/**
 * Server keys by base URL. Kept for the session only (surviving a reload of the tab but not its end), unless the user asks to
 * store them on this machine.
 */
class KeyRing {
  readonly #store: SettingsStore;
  readonly #session: SessionStore;
  #kept: Readonly<Record<string, string>> = {};

  constructor(store: SettingsStore, session: SessionStore) {
    this.#store = store;
    this.#session = session;
  }

  async read(): Promise<void> {
    this.#kept = readKeys(await this.#store.setting(KEYS_SETTING));
  }

  /** The servers whose key is stored on this machine. */
  get stored(): readonly string[] {
    return Object.keys(this.#kept);
  }

  /** Empty if there is none. */
  keyFor(baseUrl: string): string {
    return this.#session.getItem(nameOf(baseUrl)) ?? this.#kept[baseUrl] ?? '';
  }

  async put(baseUrl: string, key: string, remember: boolean): Promise<void> {
    if (key === '') this.#session.removeItem(nameOf(baseUrl));
    else this.#session.setItem(nameOf(baseUrl), key);
    await this.#store.changeSetting(KEYS_SETTING, (stored) => {
      const { [baseUrl]: before, ...others } = readKeys(stored);
      this.#kept = remember && key !== '' ? { ...others, [baseUrl]: key } : others;
      return before === this.#kept[baseUrl] ? null : this.#kept;
    });
    // A copy would override a newer one that another tab stores.
    if (remember) this.#session.removeItem(nameOf(baseUrl));
  }
}

const nameOf = (baseUrl: string): string => `coppice-key ${baseUrl}`;

/**
 * Creates the spec of a user's own model, and stores files that they provide. Rejects with a ModelFailure that says what is
 * wrong with the input.
 */
const adoptOwn = async (
  model: OwnModel,
  hub: string,
  files: () => Promise<ModelFiles>,
  newKey: () => string,
): Promise<ModelSpec> => {
  switch (model.runtime) {
    case 'webllm':
      return {
        runtime: 'webllm',
        modelId: named(model.modelId, 'a name for the model'),
        custom: {
          weights: address(model.weights, 'the folder with the weights'),
          library: address(model.library, 'the compiled library (.wasm)'),
        },
      };
    case 'wllama':
      if ('hub' in model) return { runtime: 'wllama', source: ggufSource(model.hub.trim(), hub), embeds: model.embeds };
      return keepGguf(model.file, model.embeds, await files(), newKey());
    case 'transformers': {
      if ('hub' in model) return transformersSpec({ kind: 'hub', repo: repoOf(model.hub) }, model);
      return keepFolder(model.folder, model, await files(), newKey());
    }
    case 'server': {
      const { baseUrlOf } = await import('../runtimes/server/base-url.ts');
      const { baseUrl, model: name, window } = model;
      const spec = {
        runtime: 'server',
        baseUrl: baseUrlOf(baseUrl),
        model: named(name, 'a model of the server'),
      } as const;
      return window === undefined ? spec : { ...spec, window };
    }
  }
};

const transformersSpec = (
  source: TransformersSpec['source'],
  { task, device }: Pick<TransformersSpec, 'task' | 'device'>,
): ModelSpec => ({ runtime: 'transformers', task, source, dtype: 'auto', device });

type GgufSource = (ModelSpec & { runtime: 'wllama' })['source'];

/** `hub`: the address that models are downloaded from. */
const ggufSource = (text: string, hub: string): GgufSource => {
  for (const from of new Set([hub, DEFAULT_HUB])) {
    const path = pathAt(from, text);
    if (path !== null) return ggufAt(from, path, from === hub);
  }
  if (/^https?:\/\//.test(text)) return { kind: 'url', url: text };
  return ggufAt(hub, text, true);
};

/** What stands behind a hub's address, which may be typed without its scheme; null for another address. */
const pathAt = (hub: string, text: string): string | null => {
  const bare = (address: string): string => address.replace(/^https?:\/\/(?:www\.)?/i, '');
  const [start, typed] = [`${bare(hub)}/`, bare(text)];
  return typed.toLowerCase().startsWith(start.toLowerCase()) ? typed.slice(start.length) : null;
};

/** A file by its path on the hub, as typed or as its page and its download link have it. `isOwn`: the hub is the one in use. */
const ggufAt = (hub: string, path: string, isOwn: boolean): GgufSource => {
  const [, repo, revision = 'main', file] =
    /^([^/]+\/[^/]+)\/(?:(?:blob|resolve|raw)\/([^/]+)\/)?([^?#]+\.gguf)(?:[?#].*)?$/.exec(path) ?? [];
  if (repo === undefined || file === undefined) {
    throw wrong('Enter the file as owner/name/file.gguf, as on the model’s hub page, or a full address.');
  }
  if (isOwn && revision === 'main') return { kind: 'hub', repo, file };
  return { kind: 'url', url: `${hub}/${repo}/resolve/${revision}/${file}` };
};

const repoOf = (text: string): string => {
  const repo = text.trim();
  if (!/^[\w.-]+\/[\w.-]+$/.test(repo)) throw wrong('Enter the model as owner/name, as on its hub page.');
  return repo;
};

const keepGguf = async (file: File, embeds: boolean, files: ModelFiles, key: string): Promise<ModelSpec> => {
  const magic = new TextDecoder().decode(await file.slice(0, 4).arrayBuffer());
  if (magic !== 'GGUF') throw wrong(`${file.name} is not a GGUF file. Choose one that ends in .gguf.`);
  const spec: ModelSpec = { runtime: 'wllama', source: { kind: 'file', name: file.name, key }, embeds };
  await files.keep(refOf(spec, file.name), `own:${key}/${file.name}`, file);
  return spec;
};

const keepFolder = async (
  folder: readonly File[],
  how: Pick<TransformersSpec, 'task' | 'device'>,
  files: ModelFiles,
  key: string,
): Promise<ModelSpec> => {
  // Browsers give paths as `folder/config.json`.
  const paths = folder.map((file) => ({
    file,
    path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name,
  }));
  const weights = paths.some(({ path }) => path.endsWith('.onnx')) ? [] : ['onnx/….onnx'];
  const lacking = [...REPO_FILES.filter((name) => !paths.some(({ path }) => path === name)), ...weights];
  if (lacking.length > 0) {
    throw wrong(`The folder lacks ${lacking.join(', ')}. Choose a model’s folder in the layout of the hub.`);
  }
  const name = folder[0]?.webkitRelativePath.split('/')[0] || 'model';
  const spec = transformersSpec({ kind: 'folder', name, key }, how);
  try {
    for (const { file, path } of paths) await files.keep(refOf(spec, name), `own:${key}/${path}`, file);
  } catch (error) {
    // Another attempt has another key, and nothing would refer to these files. The person is told what went wrong first.
    await files.remove(specKey(spec)).catch(() => undefined);
    throw error;
  }
  return spec;
};

const refOf = (spec: ModelSpec, name: string): ModelRef => ({ key: specKey(spec), name });

const named = (text: string, what: string): string => {
  if (text.trim() === '') throw wrong(`Give ${what}.`);
  return text.trim();
};

const address = (text: string, what: string): string => {
  if (!/^https?:\/\//.test(text.trim()))
    throw wrong(`Enter the address of ${what}, starting with https:// or http://.`);
  return text.trim();
};

const wrong = (message: string): ModelFailure => new ModelFailure('unsupported', message);

/** A user's own model as an offer; its requirements are unknown. */
export const ownOffer = (spec: ModelSpec): Offer => ({
  key: specKey(spec),
  name: specName(spec),
  runtime: spec.runtime,
  roles: rolesOf(spec),
  about: aboutOf(spec),
  downloadBytes: null,
  memoryBytes: null,
  speed: null,
  licence: null,
  unfit: null,
  own: true,
  leavesFor: spec.runtime === 'server' ? spec.baseUrl : null,
  ...(spec.runtime === 'server' && spec.window !== undefined && { window: spec.window }),
});

const rolesOf = (spec: ModelSpec): Offer['roles'] => {
  switch (spec.runtime) {
    case 'wllama':
      return spec.embeds ? ['embed'] : ['chat', 'decide', 'summarise'];
    case 'transformers':
      return spec.task === 'embed' ? ['embed'] : ['chat', 'decide', 'summarise'];
    case 'server':
      // A server's list does not say which models embed.
      return ['chat', 'decide', 'summarise', 'embed'];
    case 'webllm':
    case 'prompt-api':
      return ['chat', 'decide', 'summarise'];
  }
};

const aboutOf = (spec: ModelSpec): string => {
  switch (spec.runtime) {
    case 'webllm':
      return `Yours, from ${spec.custom?.weights ?? 'WebLLM’s list'}`;
    case 'wllama':
      return spec.source.kind === 'file' ? 'Yours, from a file' : `Yours, from ${addressOf(spec.source)}`;
    case 'transformers':
      return `Yours, from ${spec.source.kind === 'folder' ? 'a folder' : spec.source.repo}${ON[spec.device]}`;
    case 'server':
      return `On the server at ${spec.baseUrl}`;
    case 'prompt-api':
      return 'Comes with this browser';
  }
};

const ON: Readonly<Record<TransformersSpec['device'], string>> = {
  auto: '',
  webgpu: ', on WebGPU',
  wasm: ', on the processor',
};

const addressOf = (source: { kind: 'hub'; repo: string } | { kind: 'url'; url: string }): string =>
  source.kind === 'hub' ? source.repo : source.url;
