import type { Offer, OwnModel } from '../../app/model-control.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import { type ModelSpec, specKey } from '../runtimes/model-spec.ts';
import type { ModelFiles } from '../store/model-files.ts';
import { KeyRing, type SessionStore } from './key-ring.ts';
import { readSettings, type SettingsStore, type StoredSettings, saveSettings } from './model-settings.ts';
import { ownOffer } from './offers.ts';
import { adoptOwn } from './own-models.ts';

/** A model that can be chosen, and what it is loaded with. */
export interface KnownModel {
  readonly spec: ModelSpec;
  readonly offer: Offer;
}

export interface LibraryParts {
  /** What can be chosen on this machine, apart from the person's own. */
  known(): Promise<readonly KnownModel[]>;
  files(): Promise<ModelFiles>;
  /** Names of the models of an OpenAI-compatible server, and its address in full. */
  modelsOf(baseUrl: string, key: string): Promise<{ readonly baseUrl: string; readonly models: readonly string[] }>;
  readonly session: SessionStore;
  newKey(): string;
}

interface Open {
  readonly store: SettingsStore;
  readonly keys: KeyRing;
  settings: StoredSettings;
}

/** The models there are to choose from, the person's own and their servers', and what was chosen. */
export class ModelLibrary {
  readonly #parts: LibraryParts;
  #open: Open | null = null;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  async open(store: SettingsStore): Promise<void> {
    const keys = new KeyRing(store, this.#parts.session);
    await keys.open();
    this.#open = { store, keys, settings: await readSettings(store) };
  }

  get settings(): StoredSettings {
    return this.#opened.settings;
  }

  async keep(change: Partial<StoredSettings>): Promise<void> {
    const open = this.#opened;
    open.settings = { ...open.settings, ...change };
    await saveSettings(open.store, open.settings);
  }

  /** Empty where there is none. */
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
    const found = (await this.models()).find(({ offer }) => offer.key === key);
    if (found !== undefined) return found.spec;
    throw new ModelFailure('not-found', 'This model is not in the list any more. Choose another one in Models.');
  }

  async add(model: OwnModel): Promise<Offer> {
    const spec = await adoptOwn(model, this.#parts.files, this.#parts.newKey);
    const others = this.settings.own.filter((one) => specKey(one) !== specKey(spec));
    await this.keep({ own: [...others, spec] });
    return ownOffer(spec);
  }

  async drop(key: string): Promise<void> {
    await this.keep({ own: this.settings.own.filter((one) => specKey(one) !== key) });
  }

  /** What a server has to add from; some have hundreds, so none joins the list by itself. */
  async connect(server: { baseUrl: string; key: string; remember: boolean }): Promise<readonly string[]> {
    const { baseUrl, models } = await this.#parts.modelsOf(server.baseUrl, server.key);
    await this.#opened.keys.put(baseUrl, server.key, server.remember);
    return models;
  }

  async disconnect(baseUrl: string): Promise<void> {
    await this.#opened.keys.put(baseUrl, '', false);
    await this.keep({ own: this.settings.own.filter((one) => one.runtime !== 'server' || one.baseUrl !== baseUrl) });
  }

  get #opened(): Open {
    if (this.#open !== null) return this.#open;
    throw new ModelFailure('closed', 'The page is still opening. Try again in a moment.');
  }
}
