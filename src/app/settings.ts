import * as z from 'zod/mini';
import { type Settings, SHIPPED_SETTINGS } from '../engine/settings.ts';
import { guarded, type Kernel, reportUnexpected } from './kernel.ts';
import type { SettingsChange } from './saved-settings.ts';
import type { keepSettings } from './settings-keeper.ts';
import type { Keys } from './state.ts';

const CHANGING = 'Changing the settings of the engine';

/** The engine's settings. What keeps them is not needed for the first paint. */
export const createSettings = (kernel: Kernel) => {
  let kept: ReturnType<typeof keepSettings> | null = null;
  const keeper = async () => {
    if (kept !== null) return kept;
    const { keepSettings: keep } = await import('./settings-keeper.ts');
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
    actions: {
      /** A version of its own, used from the next message on; the same as an earlier one is that version again. */
      changeSettings: guarded(kernel, CHANGING, async (what: SettingsChange) => (await keeper()).changeSettings(what)),
      /** Back to a version that there was; 0 is as shipped. */
      goToSettings: guarded(kernel, CHANGING, async (version: number) => (await keeper()).goToSettings(version)),
      /** What language models are told as shipped; rejects if it cannot be loaded. */
      shippedPrompts: () => kernel.ports.shippedPrompts(),
      /** The embedder that answers now, and the θ that was calibrated for it. `languages`: as ISO 639-1; null where that is not known, or they are too many to name. */
      embedderNow: () => {
        const { name, theta, languages = null } = kernel.ports.models().embed;
        return { name, theta, languages };
      },
    },
  };
};

const SavedKeys = z.record(z.string(), z.array(z.string()));

const SETTING = 'keys';

/** Keeps the person's own keys, on this device. */
export const createKeys = (kernel: Kernel) => ({
  /** What is damaged counts as never set: the keys that commands come with stand. */
  start: async (): Promise<void> => {
    try {
      const saved = SavedKeys.safeParse(await kernel.storage.setting(SETTING));
      if (saved.success) kernel.store.setState({ keys: saved.data });
    } catch (error) {
      reportUnexpected(kernel, 'Reading the keys', error);
    }
  },

  actions: {
    /** Keeps keys of the person's own, on this device. */
    setKeys: guarded(kernel, 'Keeping the keys', async (keys: Keys) => {
      kernel.store.setState({ keys });
      await kernel.storage.saveSetting(SETTING, keys);
    }),
  },
});
