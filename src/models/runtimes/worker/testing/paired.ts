import type { LoadOptions } from '../../runtime.ts';
import { ModelWorker } from '../model-worker.ts';
import { type ServedModel, serveModel } from '../serve-model.ts';

/**
 * The page's end and the worker's end of the protocol, joined by a message channel instead of a worker. `terminated`
 * tells whether the page has ended it; after that nothing crosses, as with a real one.
 */
export const paired = (load: (spec: string, options: LoadOptions) => Promise<ServedModel>) => {
  const { port1, port2 } = new MessageChannel();
  const scope = {
    onmessage: null as ((event: MessageEvent) => void) | null,
    postMessage: (message: unknown, options?: { transfer: Transferable[] }) =>
      port2.postMessage(message, options?.transfer ?? []),
  };
  serveModel(load, scope);
  port2.onmessage = (event) => scope.onmessage?.(event);
  const state = { terminated: false };
  const worker = {
    onmessage: null as ((event: MessageEvent) => void) | null,
    onerror: null as ((event: { message: string }) => void) | null,
    onmessageerror: null,
    postMessage: (message: unknown) => port1.postMessage(message),
    terminate: () => {
      state.terminated = true;
      port1.close();
    },
  };
  port1.onmessage = (event) => worker.onmessage?.(event);
  return {
    state,
    model: new ModelWorker<string>(worker as unknown as Worker),
    crash: (message: string) => worker.onerror?.({ message }),
  };
};
