import type { Settings } from '../engine/settings.ts';
import { StorageFailure } from '../engine/storage.ts';
import { Queue } from '../engine/tasks.ts';
import { goOnInMemory } from './conversation-log.ts';
import { type Kernel, report, reportUnexpected, setSession } from './kernel.ts';
import {
  changedSettings,
  engineSettings,
  readSettings,
  type SettingsChange,
  type SettingsState,
} from './saved-settings.ts';

/** The name of the setting and of its lock. */
const SETTING = 'engine-settings';
/** How long to wait for another tab that is saving, in milliseconds. */
const LOCK_PATIENCE = 3000;

/** Stores the engine's settings on this device, with all their versions. */
export const keepSettings = (kernel: Kernel) => {
  const { store, ports } = kernel;
  const queue = new Queue();
  let used = engineSettings(store.getState().settings);

  // A turn is decided, replied to and summarised with the settings it started with, since its trace names one version.
  store.subscribe(({ settings, turn }, before) => {
    if (settings === before.settings && turn === before.turn) return;
    if (turn === null || before.turn === null) used = engineSettings(settings);
  });

  const read = async () => readSettings(await kernel.storage.setting(SETTING));

  const show = async (): Promise<void> => {
    const { state, damaged } = await read();
    store.setState({ settings: state });
    if (damaged === 'none') return;
    report(kernel, {
      id: SETTING,
      ...(damaged === 'current'
        ? {
            title: 'Your engine settings could not be read',
            advice: 'The stored data is damaged, so the default settings are in use. Set yours again.',
          }
        : {
            title: 'Some versions of your engine settings could not be read',
            advice: 'The stored data is damaged, so they are not in the list. The settings in use are intact.',
          }),
      action: { label: 'Open Engine', run: () => setSession(kernel, { dialog: 'engine-settings' }) },
    });
  };

  const keep = async (state: SettingsState): Promise<void> => {
    try {
      await kernel.storage.saveSetting(SETTING, state);
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      goOnInMemory(kernel, error);
      await kernel.storage.saveSetting(SETTING, state);
    }
  };

  /** Computes the next state from what is stored now, since another tab may have added a version meanwhile. */
  const change = (next: (now: SettingsState, last: number) => SettingsState): Promise<void> =>
    queue.run(async () => {
      const task = async () => {
        const { state, last } = await read();
        const after = next(state, last);
        await keep(after);
        store.setState(({ problems }) => ({
          settings: after,
          problems: problems.filter(({ id }) => id !== SETTING),
        }));
      };
      if (!(await ports.exclusive(SETTING, LOCK_PATIENCE, task))) await task();
    });

  return {
    /** Loads what is stored and follows other tabs. */
    start: async (): Promise<void> => {
      const follow = () =>
        queue.run(show).catch((error) => reportUnexpected(kernel, 'Reading the engine settings', error));
      ports.watchSettings((name) => {
        if (name === SETTING) void follow();
      });
      await follow();
    },

    /** Returns the settings the engine uses. */
    used: (): Settings => used,

    changeSettings: (what: SettingsChange): Promise<void> =>
      change((state, last) => changedSettings(state, what, ports.now(), last)),

    goToSettings: (version: number): Promise<void> =>
      change((state) => {
        const there = version === 0 || state.versions.some((saved) => saved.version === version);
        return there ? { ...state, current: version } : state;
      }),
  };
};
