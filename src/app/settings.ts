import * as z from 'zod/mini';
import { type Settings, SHIPPED_SETTINGS } from '../engine/settings.ts';
import { type Kernel, reportingErrors, reportUnexpected } from './kernel.ts';
import type { SettingsChange } from './saved-settings.ts';
import type { keepSettings } from './settings-keeper.ts';
import type { Keys } from './state.ts';

const CHANGING = 'Changing the engine settings';

/** The engine's settings. The keeper is loaded lazily, since the first paint does not need it. */
export const createSettings = (kernel: Kernel) => {
  let kept: ReturnType<typeof keepSettings> | null = null;
  const keeper = async () => {
    if (kept !== null) return kept;
    const { keepSettings: keep } = await import('./settings-keeper.ts');
    kept ??= keep(kernel);
    return kept;
  };
  return {
    /** Loads what is stored; falls back to the defaults if that fails. */
    start: async (): Promise<void> => {
      try {
        await (await keeper()).start();
      } catch (error) {
        reportUnexpected(kernel, 'Reading the engine settings', error);
      }
    },
    /** Returns the settings the engine uses. */
    used: (): Settings => kept?.used() ?? SHIPPED_SETTINGS,
    actions: {
      /** Creates a version, used from the next message on; settings equal to an earlier version reuse that version. */
      changeSettings: reportingErrors(kernel, CHANGING, async (what: SettingsChange) =>
        (await keeper()).changeSettings(what),
      ),
      /** Switches to an earlier version; 0 is the defaults. */
      goToSettings: reportingErrors(kernel, CHANGING, async (version: number) =>
        (await keeper()).goToSettings(version),
      ),
      /** Returns the default prompts for language models; rejects if they cannot be loaded. */
      shippedPrompts: () => kernel.ports.shippedPrompts(),
      /** The current embedder and the θ calibrated for it. `languages`: ISO 639-1 codes; null if unknown or too many to list. */
      embedderNow: () => {
        const { name, theta, languages = null } = kernel.ports.models().embed;
        return { name, theta, languages };
      },
    },
  };
};

const SavedKeys = z.record(z.string(), z.array(z.string()));

const SETTING = 'keys';

/** Stores the user's key bindings on this device. */
export const createKeys = (kernel: Kernel) => ({
  /** Damaged data counts as never set, which leaves the default key bindings. */
  start: async (): Promise<void> => {
    try {
      const saved = SavedKeys.safeParse(await kernel.storage.setting(SETTING));
      if (saved.success) kernel.store.setState({ keys: saved.data });
    } catch (error) {
      reportUnexpected(kernel, 'Reading the keys', error);
    }
  },

  actions: {
    /** Saves the user's key bindings on this device. */
    setKeys: reportingErrors(kernel, 'Saving the keys', async (keys: Keys) => {
      kernel.store.setState({ keys });
      await kernel.storage.saveSetting(SETTING, keys);
    }),
  },
});
