import * as z from 'zod/mini';
import { type Kernel, reportUnexpected } from './kernel.ts';

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
