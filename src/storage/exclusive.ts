/**
 * Runs a task while no other tab of this browser runs one of the same name (Web Locks). Resolves to false,
 * without having run it, if another still does after `patience` milliseconds. A lock ends with its tab.
 */
export const exclusive = async (name: string, patience: number, task: () => Promise<void>): Promise<boolean> => {
  // Missing where a page is served without TLS; then each tab goes by itself, and the log still orders them.
  if (!('locks' in navigator)) {
    await task();
    return true;
  }
  let ran = false;
  const run = async (lock: Lock | null) => {
    ran = lock !== null;
    if (ran) await task();
  };
  // A free lock first: on a busy machine the time could be up before a lock that nobody holds is granted.
  await navigator.locks.request(name, { ifAvailable: true }, run);
  if (ran) return true;
  try {
    await navigator.locks.request(name, { signal: AbortSignal.timeout(patience) }, run);
    return true;
  } catch (error) {
    if (ran) throw error;
    return false;
  }
};
