import type { WebLlmSpec } from '../model-spec.ts';
import type { Runtime } from '../runtime.ts';
import { ModelWorker, workerGenerator } from '../worker/model-worker.ts';
import type { WebLlmLoad } from './load-webllm.ts';
import { removeModel, storedModels } from './webllm-cache.ts';

interface WebLlmOptions {
  /** URL of the model hub, laid out like Hugging Face's; read on each load. */
  hub?(): string | Promise<string>;
  /** Creates the model's worker; replaced in tests. */
  worker?(): Worker;
}

const ownWorker = (): Worker =>
  new Worker(new URL('./webllm-worker.ts', import.meta.url), { type: 'module', name: 'webllm' });

/**
 * Runs models compiled for WebGPU by MLC with WebLLM, one of our own workers per model: errors keep their kind, an abort ends a
 * single request, and a worker that hangs or dies is replaced. Concurrent loads of the same model use two workers that share
 * one download.
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
