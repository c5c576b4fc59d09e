import type { Settings } from '../engine/settings.ts';
import { keptSetting } from './kept-setting.ts';
import { type Kernel, report, setSession } from './kernel.ts';
import {
  changedSettings,
  engineSettings,
  type ReadSettings,
  readSettings,
  type SettingsChange,
  type SettingsState,
} from './saved-settings.ts';

/** Names the setting, and the problem that is reported if it is damaged. */
const SETTING = 'engine-settings';

/** Stores the engine's settings on this device, with all their versions. */
export const keepSettings = (kernel: Kernel) => {
  const { store, ports } = kernel;
  let used = engineSettings(store.getState().settings);

  // A turn is decided, replied to and summarised with the settings it started with, since its trace names one version.
  store.subscribe(({ settings, turn }, before) => {
    if (settings === before.settings && turn === before.turn) return;
    if (turn === null || before.turn === null) used = engineSettings(settings);
  });

  const show = ({ state, damaged }: ReadSettings): void => {
    store.setState(({ problems }) => ({ settings: state, problems: problems.filter(({ id }) => id !== SETTING) }));
    if (damaged === 'none') return;
    report(kernel, {
      id: SETTING,
      ...(damaged === 'current'
        ? {
            title: 'Your engine settings could not be read',
            advice:
              'They are damaged or were saved by another version of Coppice, so the default settings are in use. Set yours again.',
          }
        : {
            title: 'Some versions of your engine settings could not be read',
            advice:
              'They are damaged or were saved by another version of Coppice, so they are not in the list. The settings in use are intact.',
          }),
      action: { label: 'Open Engine', run: () => setSession(kernel, { dialog: 'engine-settings' }) },
    });
  };

  const kept = keptSetting<ReadSettings, SettingsState>(kernel, {
    name: SETTING,
    words: 'the engine settings',
    parse: readSettings,
    show,
  });

  return {
    /** Loads what is stored and follows other tabs. */
    start: kept.follow,

    /** Returns the settings the engine uses. */
    used: (): Settings => used,

    changeSettings: (what: SettingsChange): Promise<void> =>
      kept.change(({ state, last }) => changedSettings(state, what, ports.now(), last)),

    goToSettings: (version: number): Promise<void> =>
      kept.change(({ state }) => {
        const there = version === 0 || state.versions.some((saved) => saved.version === version);
        return there ? { ...state, current: version } : null;
      }),
  };
};
