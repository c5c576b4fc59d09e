import { ModelFailure } from '../../../engine/model-failure.ts';
import { hasMemory64 } from '../../machine/probe-machine.ts';
import type { ModelFile, ModelFiles } from '../../store/model-files.ts';
import { UNCALIBRATED_THETA } from '../embedding.ts';
import { specKey, specName, type WllamaSpec } from '../model-spec.ts';
import type { LoadOptions, Runtime } from '../runtime.ts';
import { downloadAll, forgetBroken, keptModels } from '../runtime-files.ts';
import { ModelWorker, workerEmbedder, workerGenerator } from '../worker/model-worker.ts';
import type { LlamaSpec } from './load-llama.ts';

interface Sources {
  readonly files: ModelFiles;
  /** URL of the model hub, without a trailing slash. */
  hub(): string | Promise<string>;
}

/** Runs any GGUF model with llama.cpp in WASM, on the GPU if possible. Each load has its own worker and engine. */
export const wllamaRuntime = ({ files, hub }: Sources): Required<Runtime<WllamaSpec>> => {
  const load = async (spec: WllamaSpec, options: LoadOptions) => {
    // Before gigabytes are downloaded that it could not use.
    if (!hasMemory64()) throw lacksMemory64();
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

const lacksMemory64 = (): ModelFailure =>
  new ModelFailure(
    'unsupported',
    'This browser lacks 64-bit WebAssembly, which llama.cpp needs. Choose another model, or use a current Chrome, Edge or Firefox.',
  );

const PART = /-(\d{5})-of-(\d{5})\.gguf(?=$|\?)/;

/** More parts than any model has; a larger number is a mistake. */
const MAX_PARTS = 999;

/** A model's files in order: a single one, or the parts of a split model, whose names include their number. */
export const ggufFiles = (spec: WllamaSpec, hub: string): readonly ModelFile[] => {
  const model = { key: specKey(spec), name: specName(spec) };
  return partsOf(address(spec, hub)).map((url) => ({ model, url, sha256: null }));
};

const address = ({ source }: WllamaSpec, hub: string): string => {
  switch (source.kind) {
    case 'hub':
      return `${hub}/${source.repo}/resolve/main/${source.file}`;
    case 'url':
      return source.url;
    case 'file':
      return `own:${source.key}/${source.name}`;
  }
};

const partsOf = (first: string): readonly string[] => {
  const count = Number(PART.exec(first)?.[2] ?? 1);
  // A user's own model is a single file; only the hub and the web have the parts side by side.
  if (count < 2 || count > MAX_PARTS) return [first];
  return Array.from({ length: count }, (_, i) =>
    first.replace(PART, (_part, _number, of) => `-${String(i + 1).padStart(5, '0')}-of-${of}.gguf`),
  );
};
