import { type ClearedKind, StorageFailure, type StorageUse } from '../engine/storage.ts';
import { whenIdle } from '../engine/tasks.ts';
import { type Kernel, reportingErrors, reportUnexpected, whenOpen } from './kernel.ts';

/** How long a conversation must have been unchanged before its stored data is compressed, in milliseconds: one week. */
const AT_REST = 7 * 24 * 60 * 60 * 1000;

/** Keeps the stored data small and reports what takes up space. */
export const createHousekeeping = (kernel: Kernel) => {
  const { store, ports } = kernel;

  const idle = () => new Promise<void>((resolve) => whenIdle(resolve));

  /** Compresses old conversations; an open one is skipped. */
  const compressOld = async (): Promise<void> => {
    for (const { id, updatedAt } of await kernel.storage.conversations()) {
      if (updatedAt > ports.now() - AT_REST) continue;
      const goOn = async () => {
        await idle();
        return store.getState().conversationId !== id;
      };
      try {
        await kernel.storage.compress(id, goOn);
      } catch (error) {
        // Leave it as it is: opening it reports any damage, and writing reports a lack of space.
        if (!(error instanceof StorageFailure)) throw error;
      }
    }
  };

  const estimateAnew = async (): Promise<void> => {
    const [estimate, persisted] = await Promise.all([kernel.storage.estimate(), kernel.storage.persisted()]);
    store.setState((state) => ({ storage: { ...state.storage, estimate, persisted } }));
  };

  const askToPersist = async (): Promise<void> => {
    await kernel.storage.persist();
    await estimateAnew();
  };

  // Once a visit, as some browsers ask the user: with the first thing that is stored, be it a message, an import or a backup.
  const unfollow = store.subscribe((now, before) => {
    const isStored = now.conversations !== before.conversations && now.conversations.length > 0;
    if (!isStored || now.phase !== 'ready' || before.phase !== 'ready') return;
    unfollow();
    askToPersist().catch((error) => reportUnexpected(kernel, 'Requesting persistent storage', error));
  });

  return {
    estimateAnew,

    /** Runs in the background, in one tab at a time. */
    start: (): void => {
      const begin = async () => {
        await idle();
        await ports.exclusive('housekeeping', 0, compressOld);
      };
      begin().catch((error) => reportUnexpected(kernel, 'Compressing stored conversations', error));
    },

    actions: {
      /**
       * Estimates the size of the stored data in bytes, reporting progress, and anew how much of the browser's storage is
       * used. Rejects if the data cannot be read or the signal fires.
       */
      storageUse: whenOpen(kernel, async (onPart: (use: StorageUse) => void, signal: AbortSignal) => {
        await estimateAnew();
        return kernel.storage.measure(onPart, signal);
      }),

      /** Removes cached copies of stored data, which are recreated when needed. */
      clearCopies: reportingErrors(kernel, 'Clearing storage', async (kind: ClearedKind) => {
        await kernel.storage.clear(kind);
        await estimateAnew();
      }),
    },
  };
};
