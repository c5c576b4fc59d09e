import { type ClearedKind, StorageFailure, type StorageUse } from '../engine/storage.ts';
import { whenIdle } from '../engine/tasks.ts';
import { guarded, type Kernel, onceOpen, reportUnexpected } from './kernel.ts';

/** How long a conversation has not been written to before what is stored of it is compressed, in milliseconds: a week. */
const AT_REST = 7 * 24 * 60 * 60 * 1000;

/** Keeps what is stored small, and says what takes how much. */
export const createHousekeeping = (kernel: Kernel) => {
  const { store, ports } = kernel;

  const idle = () => new Promise<void>(whenIdle);

  /** One that is open is compressed once it is not. */
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
        // It stays as it lies: who opens it is told if it is damaged, and who writes if there is no room left.
        if (!(error instanceof StorageFailure)) throw error;
      }
    }
  };

  const estimateAnew = async (): Promise<void> => {
    const estimate = await kernel.storage.estimate();
    store.setState((state) => ({ storage: { ...state.storage, estimate } }));
  };

  return {
    estimateAnew,

    /** Behind, in one tab at a time. */
    start: (): void => {
      const begin = async () => {
        await idle();
        await ports.exclusive('housekeeping', 0, compressOld);
      };
      begin().catch((error) => reportUnexpected(kernel, 'Compressing what is stored', error));
    },

    actions: {
      /** About how many bytes what is stored takes, told as it is counted. Rejects where it cannot be read, and as the signal fires. */
      storageUse: onceOpen(kernel, (onPart: (use: StorageUse) => void, signal: AbortSignal) =>
        kernel.storage.measure(onPart, signal),
      ),

      /** Removes copies of what is stored, which are made again when they are needed. */
      clearCopies: guarded(kernel, 'Clearing', async (kind: ClearedKind) => {
        await kernel.storage.clear(kind);
        await estimateAnew();
      }),
    },
  };
};
