import type { ChatModel, TokenCounter } from '../../engine/ports.ts';

/** A window to plan with while the model's own is not known, in tokens. */
const ASSUMED_WINDOW = 4096;

/**
 * Stands where a chat model will be when it is loaded: whoever wants a reply waits for it. `failed` tells, after
 * that, why it did not come.
 */
export const waitingChat = (
  name: string,
  tokens: TokenCounter,
  awaited: () => Promise<void> | null,
  failed: () => Error,
): ChatModel => ({
  name,
  window: ASSUMED_WINDOW,
  tokens,
  prepare: async (signal) => {
    const loading = awaited();
    if (loading === null) return;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([loading, stopped]);
  },
  reply: () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failed()) }),
  }),
});
