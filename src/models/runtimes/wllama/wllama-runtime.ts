import type { ModelFiles } from '../../store/model-files.ts';
import { downloadAll } from '../download-all.ts';
import { forgetBroken } from '../forget-broken.ts';
import { keptModels } from '../kept-models.ts';
import { specKey, specName, type WllamaSpec } from '../model-spec.ts';
import type { LoadOptions, Runtime } from '../runtime.ts';
import { UNCALIBRATED_THETA } from '../uncalibrated-theta.ts';
import { ModelWorker } from '../worker/model-worker.ts';
import { workerEmbedder } from '../worker/worker-embedder.ts';
import { workerGenerator } from '../worker/worker-generator.ts';
import { ggufFiles } from './gguf-addresses.ts';
import type { LlamaSpec } from './load-llama.ts';

interface Sources {
  readonly files: ModelFiles;
  /** Address of the model hub, no slash at the end. */
  hub(): string | Promise<string>;
}

/** Any GGUF model by llama.cpp in WASM, on the GPU where it can. Each load has a worker and an engine of its own. */
export const wllamaRuntime = ({ files, hub }: Sources): Required<Runtime<WllamaSpec>> => {
  const load = async (spec: WllamaSpec, options: LoadOptions) => {
    const found = await downloadAll(files, ggufFiles(spec, await hub()), options);
    const worker = new ModelWorker<LlamaSpec>(
      new Worker(new URL('./wllama-worker.ts', import.meta.url), { type: 'module', name: 'wllama' }),
    );
    const loading = worker.load({ name: specName(spec), files: found, embeds: spec.embeds }, options);
    const facts = await (spec.source.kind === 'file' ? loading : forgetBroken(files, specKey(spec), loading));
    return { worker, facts };
  };
  return {
    loadGenerator: async (spec, options) => {
      const { worker, facts } = await load({ ...spec, embeds: false }, options);
      return workerGenerator(worker, facts);
    },
    loadEmbedder: async (spec, options) => {
      const { worker, facts } = await load({ ...spec, embeds: true }, options);
      return workerEmbedder(worker, facts, UNCALIBRATED_THETA);
    },
    ...keptModels(files, 'wllama'),
  };
};
