const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.onmessage = () => waiting.shift()?.();

/**
 * Lets a worker hear what it was sent meanwhile, an abort above all: a model in WASM goes from one piece of work to the next
 * without ever coming to rest. (A timer would do, too, but waits 4 ms.)
 */
export const otherMessages = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
