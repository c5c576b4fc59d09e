import type { WebLlmSpec } from '../model-spec.ts';
import type { Runtime } from '../runtime.ts';
import { ModelWorker, workerGenerator } from '../worker/model-worker.ts';
import { removeModel, storedModels } from './kept-files.ts';
import type { WebLlmLoad } from './load-webllm.ts';

interface WebLlmOptions {
  /** Address of the model hub, in the layout of Hugging Face's; asked at each load. */
  hub?(): string | Promise<string>;
  /** The model's worker; a test's may be another. */
  worker?(): Worker;
}

const ownWorker = (): Worker =>
  new Worker(new URL('./webllm-worker.ts', import.meta.url), { type: 'module', name: 'webllm' });

/**
 * Models compiled for WebGPU by MLC, run by WebLLM in a worker of ours, one worker a model: its errors keep their
 * kind, an abort ends one request, and a worker that hangs or dies is ended and made anew. Loads of one model at the
 * same time are two workers that share one download.
 */
export const webllmRuntime = ({
  hub = () => 'https://huggingface.co',
  worker = ownWorker,
}: WebLlmOptions = {}): Runtime<WebLlmSpec> => ({
  loadGenerator: async (spec, options) => {
    const load: WebLlmLoad = { spec, hub: await hub() };
    options.signal.throwIfAborted();
    const own = new ModelWorker<WebLlmLoad>(worker());
    return workerGenerator(own, await own.load(load, options));
  },
  stored: storedModels,
  remove: removeModel,
});
