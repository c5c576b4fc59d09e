import type * as webllm from '@mlc-ai/web-llm';
import { ModelFailure } from '../../../engine/model-failure.ts';
import { specKey, type WebLlmSpec } from '../model-spec.ts';
import type { LoadOptions } from '../runtime.ts';
import type { ServedModel } from '../worker/serve-model.ts';
import { type Build, chooseBuild } from './choose-build.ts';
import { downloadModel } from './download-model.ts';
import { failureFrom } from './failures.ts';
import { findGpu, requireBinding, watchDevices } from './gpu.ts';
import { dropFile } from './kept-files.ts';
import { type ChatConfig, Template } from './model-files.ts';
import { servedEngine } from './served-engine.ts';
import { startEngine } from './start-engine.ts';
import { tokenizerOf } from './tokenizer.ts';

/** What a WebLLM worker is told to load. */
export interface WebLlmLoad {
  readonly spec: WebLlmSpec;
  /** Takes the place of Hugging Face. */
  readonly hub: string;
}

type Library = typeof webllm;

/**
 * Loads a model in this worker: looks at the GPU, chooses the build for it, brings the files here, and starts the
 * library's engine on them. Rejects with a ModelFailure.
 */
export const loadWebLlm = async (
  { spec, hub }: WebLlmLoad,
  options: LoadOptions,
  importLibrary: () => Promise<Library>,
): Promise<ServedModel> => {
  const gpu = await findGpu(spec.modelId);
  const library = await importLibrary();
  const build = chooseBuild(spec, library.prebuiltAppConfig.model_list, hub, gpu.shaderF16);
  requireBinding(build.name, build.record.buffer_size_required_bytes, gpu);
  try {
    return await start(library, spec, build, options);
  } catch (error) {
    // Cancelled: the reason is the caller's.
    throw options.signal.aborted ? options.signal.reason : failureFrom(error, build.name);
  }
};

const start = async (library: Library, spec: WebLlmSpec, build: Build, options: LoadOptions): Promise<ServedModel> => {
  const { record, source, name } = build;
  const place = { folder: record.model, source, library: record.model_lib };
  const manifest = record.model_manifest ?? null;
  const files = await downloadModel({ ...place, key: specKey(spec), name: spec.modelId, manifest }, options);
  const window = windowOf(files.config, record);

  let lose: (failure: ModelFailure) => void = () => undefined;
  const lost = new Promise<ModelFailure>((resolve) => {
    lose = resolve;
  });
  watchDevices(name, lose);
  // By an address of this worker's own: the library never caches code from `localhost`, and would fetch it each time.
  const code = URL.createObjectURL(files.library);
  const engine = await startEngine(
    (onProgress) =>
      new library.MLCEngine({
        appConfig: { model_list: [{ ...record, model_lib: code }], cacheBackend: 'cache' },
        initProgressCallback: ({ progress }) => onProgress(progress),
        logLevel: 'SILENT',
      }),
    { id: record.model_id, name, bytes: files.total },
    lost,
    options,
  )
    .catch(async (failure: ModelFailure) => {
      if (failure.kind === 'corrupt') await dropUnproven(build);
      throw failure;
    })
    .finally(() => URL.revokeObjectURL(code));
  void lost.then(options.onLost);
  return servedEngine(
    engine,
    {
      name,
      window,
      template: templateOf(files.config, record),
      packaged: record.model_manifest !== undefined,
      tokenizer: tokenizerOf(engine, record.model_id),
      thinks: /^qwen3/i.test(record.model_id),
    },
    lost,
    options.onLost,
  );
};

/** The library's list gives most models a smaller window than they could have: its memory is taken beforehand. */
const windowOf = (config: ChatConfig, { overrides = {}, model_id }: webllm.ModelRecord): number => {
  const fixed = overrides.context_window_size ?? config.context_window_size;
  const window = fixed > 0 ? fixed : (overrides.sliding_window_size ?? config.sliding_window_size ?? 0);
  if (window > 0) return window;
  throw new ModelFailure('corrupt', `The configuration of ${model_id} tells no window. Choose another model.`);
};

const templateOf = ({ conv_template }: ChatConfig, { overrides }: webllm.ModelRecord): Template =>
  Template.parse({ ...conv_template, ...overrides?.conv_template, ...overrides?.conv_config });

/** What the library found to be wrong is fetched anew the next time. Shards were checked when they came. */
const dropUnproven = async ({ record }: Build): Promise<void> => {
  const inFolder = (path: string): string => new URL(path, record.model).href;
  await Promise.all([
    dropFile({ scope: 'webllm/wasm', url: record.model_lib }),
    dropFile({ scope: 'webllm/config', url: inFolder('mlc-chat-config.json') }),
    dropFile({ scope: 'webllm/model', url: inFolder('tensor-cache.json') }),
    dropFile({ scope: 'webllm/model', url: inFolder('tokenizer.json') }),
    dropFile({ scope: 'webllm/model', url: inFolder('tokenizer.model') }),
  ]);
};
