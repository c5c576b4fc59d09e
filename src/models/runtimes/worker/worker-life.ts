/*
 * A worker that the browser ends, for memory say, tells nobody. It holds a lock as long as it lives: whoever is given
 * that lock after it knows that it is gone.
 */

let last = 0;

/** A name for the lock of a new worker, of its own among all tabs; null where there are no locks (no TLS). */
export const lifeName = (): string | null => {
  if (globalThis.navigator?.locks === undefined) return null;
  last += 1;
  return `coppice-model-worker ${performance.timeOrigin} ${Math.random()} ${last}`;
};

/** In the worker: resolves once it holds the lock. */
export const liveBy = (name: string): Promise<void> =>
  new Promise((held, reject) => {
    navigator.locks
      .request(name, () => {
        held();
        return new Promise<never>(() => undefined);
      })
      .catch(reject);
  });

/** In the page: tells when the worker is gone, until the signal is aborted. */
export const watchLife = (name: string, signal: AbortSignal, onGone: () => void): void => {
  navigator.locks.request(name, { signal }, onGone).catch(() => undefined);
};
