import { StorageFailure } from '../engine/storage.ts';
import { Queue } from '../engine/tasks.ts';
import { orInMemory } from './conversation-log.ts';
import { type Kernel, reportUnexpected } from './kernel.ts';

/** How long to wait for another tab that is saving, in milliseconds. */
const LOCK_PATIENCE = 3000;

/** A setting as it is read. */
interface SettingParts<T> {
  /** Its name in the storage, and that of its lock. */
  readonly name: string;
  /** What to call it when it cannot be read: “the keys”. */
  readonly words: string;
  /** Reads what is stored, which may be damaged; undefined if it was never saved. */
  readonly parse: (stored: unknown) => T;
  /** Puts it on view after it was read, or saved here or in another tab. Omitted: it is only read on demand. */
  readonly show?: (value: T) => void;
}

/**
 * A setting stored on this device, which all tabs share. If the storage no longer accepts writes, it continues in memory.
 * `S`: what is stored, if that is not what is read from it.
 */
export const keptSetting = <T, S = T>(kernel: Kernel, { name, words, parse, show }: SettingParts<T>) => {
  const queue = new Queue();
  /** Changes not saved yet. They may be on view already, so nothing from before them is shown. */
  let waiting = 0;
  let unshown: { readonly value: T } | null = null;

  /** As it was last read or saved here. */
  let last: { readonly value: T } | null = null;

  const read = async (): Promise<T> => {
    last = { value: parse(await kernel.storage.setting(name)) };
    return last.value;
  };

  /** Where it can no longer be read either, as once a newer version has closed the storage, memory goes on with what is known. */
  const readOrRecall = (): Promise<T> =>
    read().catch((error: unknown) => {
      if (last === null || !(error instanceof StorageFailure)) throw error;
      return last.value;
    });

  const showLast = (): void => {
    if (waiting > 0 || unshown === null) return;
    show?.(unshown.value);
    unshown = null;
  };

  return {
    read: readOrRecall,

    /**
     * Computes the next value from what is stored now, since another tab may have changed it meanwhile, and saves it;
     * null leaves it as it is.
     */
    change: async (next: (now: T) => S | null): Promise<void> => {
      const save = async () => {
        const now = await readOrRecall();
        const after = next(now);
        if (after !== null) await orInMemory(kernel, () => kernel.storage.saveSetting(name, after));
        last = { value: after === null ? now : parse(after) };
        unshown = last;
      };
      waiting += 1;
      try {
        await queue.run(async () => {
          if (!(await kernel.ports.exclusive(name, LOCK_PATIENCE, save))) await save();
        });
      } finally {
        waiting -= 1;
        showLast();
      }
    },

    /** Shows what is stored, now and whenever another tab changes it; reports it if that cannot be read. */
    follow: async (): Promise<void> => {
      const load = () =>
        queue
          .run(async () => {
            unshown = { value: await read() };
            showLast();
          })
          .catch((error) => reportUnexpected(kernel, `Reading ${words}`, error));
      kernel.ports.watchSettings((changed) => {
        if (changed === name) void load();
      });
      await load();
    },
  };
};
