import * as z from 'zod/mini';
import { type Settings, SHIPPED_SETTINGS } from '../engine/settings.ts';
import { type Kernel, reportUnexpected } from './kernel.ts';
import type { keepSettings, SettingsChange } from './saved-settings.ts';

/** The engine's settings. What keeps them is not needed for the first paint. */
export const createSettings = (kernel: Kernel) => {
  let kept: ReturnType<typeof keepSettings> | null = null;
  const keeper = async () => {
    if (kept !== null) return kept;
    const { keepSettings: keep } = await import('./saved-settings.ts');
    kept ??= keep(kernel);
    return kept;
  };
  return {
    /** Takes up what is stored. If that cannot be, the shipped settings stand in. */
    start: async (): Promise<void> => {
      try {
        await (await keeper()).start();
      } catch (error) {
        reportUnexpected(kernel, 'Reading the settings of the engine', error);
      }
    },
    /** What the engine works with. */
    used: (): Settings => kept?.used() ?? SHIPPED_SETTINGS,
    changeSettings: async (what: SettingsChange): Promise<void> => (await keeper()).changeSettings(what),
    goToSettings: async (version: number): Promise<void> => (await keeper()).goToSettings(version),
  };
};

/** By a command's id, the keys that the person has given it; none where they took its keys away. */
const Keys = z.record(z.string(), z.array(z.string()));
export type Keys = Readonly<Record<string, readonly string[]>>;

const SETTING = 'keys';

/** Keeps the person's own keys, on this device. */
export const createKeys = (kernel: Kernel) => ({
  /** What is damaged counts as never set: the keys that commands come with stand. */
  start: async (): Promise<void> => {
    try {
      const saved = Keys.safeParse(await kernel.storage.setting(SETTING));
      if (saved.success) kernel.store.setState({ keys: saved.data });
    } catch (error) {
      reportUnexpected(kernel, 'Reading the keys', error);
    }
  },

  setKeys: async (keys: Keys): Promise<void> => {
    kernel.store.setState({ keys });
    await kernel.storage.saveSetting(SETTING, keys);
  },
});
