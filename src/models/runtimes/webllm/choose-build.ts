import type { ModelRecord } from '@mlc-ai/web-llm';
import { ModelFailure } from '../../../engine/model-failure.ts';
import type { WebLlmSpec } from '../model-spec.ts';

/** Where WebLLM's own models are. */
const HUGGING_FACE = 'https://huggingface.co/';

/** A model as it will be loaded. */
export interface Build {
  /** As the library wants it; `model` is the folder under which it asks for the files. */
  readonly record: ModelRecord;
  /** Where its files are fetched from; ends with a slash. */
  readonly source: string;
  /** Names it in traces and messages, and says if it is another build than the one that was asked for. */
  readonly name: string;
}

/**
 * The build of a model for this GPU. Without 16-bit shaders it is the 32-bit build of the same model, where there
 * is one; else rejects with `no-shader-f16`. `list` is the library's own; `hub` takes the place of Hugging Face.
 */
export const chooseBuild = (
  { modelId, custom }: WebLlmSpec,
  list: readonly ModelRecord[],
  hub: string,
  shaderF16: boolean,
): Build => {
  if (custom !== null) {
    if (!shaderF16 && (isF16(modelId) || isF16(custom.library))) throw noF16(modelId, null);
    const source = folderOf(custom.weights, hub);
    // The library asks for the files under an address of the hub's form, wherever they come from.
    const record = { model: inHubForm(source), model_id: modelId, model_lib: custom.library };
    return { record, source, name: nameOf(modelId) };
  }
  const record = list.find(({ model_id }) => model_id === modelId);
  if (record === undefined) {
    throw new ModelFailure('not-found', `WebLLM knows no model ${modelId}. Choose one of its list.`);
  }
  // 1: embedding models, which do not write (the library's ModelType).
  if (record.model_type === 1) {
    throw new ModelFailure('unsupported', `${modelId} compares texts and cannot write. Choose another model.`);
  }
  if (shaderF16 || !needsF16(record)) return built(record, hub, nameOf(modelId));
  const wide = modelId.replace(/(q\d)f16/, '$1f32');
  const other = list.find(({ model_id }) => model_id === wide && wide !== modelId);
  if (other === undefined) throw noF16(modelId, wide);
  return built(other, hub, nameOf(wide).replace('WebGPU', 'WebGPU without shader-f16'));
};

const built = (record: ModelRecord, hub: string, name: string): Build => {
  const model = inHubForm(record.model);
  const source = model.startsWith(HUGGING_FACE) ? new URL(model.slice(HUGGING_FACE.length), slashed(hub)).href : model;
  return { record: { ...record, model }, source, name };
};

const needsF16 = ({ model_id, required_features = [] }: ModelRecord): boolean =>
  required_features.includes('shader-f16') || isF16(model_id);

const isF16 = (modelId: string): boolean => /q\df16/.test(modelId);

const noF16 = (modelId: string, wide: string | null): ModelFailure =>
  new ModelFailure(
    'no-shader-f16',
    `${modelId} needs 16-bit shaders (shader-f16), which this GPU lacks${
      wide === null ? '. Choose a q4f32 build of it' : `, and WebLLM has no ${wide}`
    }, or another model.`,
  );

const nameOf = (modelId: string): string => `${modelId.replace(/-MLC$/, '')} (WebLLM, WebGPU)`;

/** The folder that a person named: a repository of the hub (`…/owner/name`), or any other as it stands. */
const folderOf = (weights: string, hub: string): string => {
  const url = new URL(slashed(weights));
  const onHub = [HUGGING_FACE, slashed(hub)].some((host) => url.origin === new URL(host).origin);
  const bare = /^\/[^/]+\/[^/]+\/$/.test(url.pathname);
  return onHub && bare ? inHubForm(url.href) : url.href;
};

/** As the library writes a model's address (its cleanModelUrl). */
const inHubForm = (url: string): string => {
  const folder = slashed(url);
  return new URL(/.+\/resolve\/.+\//.test(folder) ? folder : `${folder}resolve/main/`).href;
};

const slashed = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
