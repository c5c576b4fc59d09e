import type { Settings } from '../engine/settings.ts';
import { SHIPPED_SETTINGS } from '../engine/settings.ts';
import type { keepSettings } from './keep-settings.ts';
import { type Kernel, reportUnexpected } from './kernel.ts';
import type { SettingsChange } from './saved-settings.ts';

/** The engine's settings. What keeps them is not needed for the first paint. */
export const createSettings = (kernel: Kernel) => {
  let kept: ReturnType<typeof keepSettings> | null = null;
  const keeper = async () => {
    if (kept !== null) return kept;
    const { keepSettings: keep } = await import('./keep-settings.ts');
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
