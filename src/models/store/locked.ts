const last = new Map<string, Promise<unknown>>();

/**
 * Runs a task while no other of the same name runs, in this tab or another one (Web Locks; a lock ends with its tab). Rejects
 * with the signal's reason if it is aborted before the task began. Where there are no Web Locks, this worker's own
 * tasks still wait for each other.
 */
export const locked = async <T>(name: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  if (typeof navigator !== 'undefined' && 'locks' in navigator) {
    return navigator.locks.request(name, signal === undefined ? {} : { signal }, task);
  }
  const turn = (last.get(name) ?? Promise.resolve()).then(() => {
    signal?.throwIfAborted();
    return task();
  });
  last.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
};
