import * as z from 'zod/mini';
import type { SettingsStore } from './model-settings.ts';

const SETTING = 'server-keys';
export type SessionStore = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const Keys = z.record(z.string(), z.string());

/**
 * Keys of servers by base address. For this session alone (they outlive a reload of the tab, and end with it) unless the
 * person asks to keep them on this machine.
 */
export class KeyRing {
  readonly #store: SettingsStore;
  readonly #session: SessionStore;
  #kept: Readonly<Record<string, string>> = {};

  constructor(store: SettingsStore, session: SessionStore) {
    this.#store = store;
    this.#session = session;
  }

  async open(): Promise<void> {
    const parsed = Keys.safeParse((await this.#store.setting(SETTING)) ?? {});
    this.#kept = parsed.success ? parsed.data : {};
  }

  /** Empty where there is none. */
  keyFor(baseUrl: string): string {
    return this.#session.getItem(nameOf(baseUrl)) ?? this.#kept[baseUrl] ?? '';
  }

  async put(baseUrl: string, key: string, remember: boolean): Promise<void> {
    if (key === '') this.#session.removeItem(nameOf(baseUrl));
    else this.#session.setItem(nameOf(baseUrl), key);
    const { [baseUrl]: before, ...others } = this.#kept;
    const kept = remember && key !== '' ? { ...others, [baseUrl]: key } : others;
    if (before === kept[baseUrl]) return;
    this.#kept = kept;
    await this.#store.saveSetting(SETTING, kept);
  }
}

const nameOf = (baseUrl: string): string => `coppice-key ${baseUrl}`;
