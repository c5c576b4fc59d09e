import * as z from 'zod/mini';
import { type Settings, SHIPPED_SETTINGS } from '../engine/settings.ts';
import { keptSetting } from './kept-setting.ts';
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
      /**
       * Creates a version, used from the next message on; settings equal to an earlier version reuse that version.
       * Resolves to whether it was saved.
       */
      changeSettings: async (what: SettingsChange): Promise<boolean> => {
        let isSaved = false;
        await reportingErrors(kernel, CHANGING, async () => {
          await (await keeper()).changeSettings(what);
          isSaved = true;
        })();
        return isSaved;
      },
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

/** Damaged data counts as never set, which leaves the default key bindings. */
const readKeys = (stored: unknown): Keys => {
  const read = SavedKeys.safeParse(stored);
  return read.success ? read.data : {};
};

/** Stores the user's key bindings on this device. */
export const createKeys = (kernel: Kernel) => {
  const { store } = kernel;
  const show = (keys: Keys) => store.setState({ keys });
  const kept = keptSetting(kernel, { name: 'keys', words: 'the keys', parse: readKeys, show });
  const save = reportingErrors(kernel, 'Saving the keys', kept.change);

  return {
    /** Loads what is stored and follows other tabs. */
    start: kept.follow,

    actions: {
      /** Shows the change at once and saves it: `next` is also carried out on what other tabs have saved by then. */
      changeKeys: (next: (now: Keys) => Keys): Promise<void> => {
        show(next(store.getState().keys));
        return save(next);
      },
    },
  };
};
