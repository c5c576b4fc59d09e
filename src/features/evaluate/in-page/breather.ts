/** Longest that the page waits for a slice of the work, in milliseconds: less than two frames. */
const SLICE = 24;

/** Lets the page draw and listen between two slices of work, and rejects once the signal has fired. */
export const createBreather = (signal: AbortSignal, now: () => number = () => performance.now()) => {
  let since = now();
  return async (): Promise<void> => {
    signal.throwIfAborted();
    if (now() - since < SLICE) return;
    await nextTask();
    since = now();
    signal.throwIfAborted();
  };
};

/** A message to oneself is neither put off like a timer nor stretched in a tab that is out of sight. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
