import type { ModelFiles } from '../../../store/model-files.ts';
import { specKey, type TransformersSpec } from '../../model-spec.ts';

/** Stores a model of the hub as one of the user's own folders; `changed` replaces some of its files, null omits one. */
export const keptFolder = async (
  files: ModelFiles,
  repo: string,
  paths: readonly string[],
  spec: Pick<TransformersSpec, 'task' | 'dtype' | 'device'> & { readonly key: string },
  changed: Readonly<Record<string, BlobPart | null>> = {},
): Promise<TransformersSpec> => {
  const { key, ...rest } = spec;
  const folder: TransformersSpec = { runtime: 'transformers', source: { kind: 'folder', name: key, key }, ...rest };
  for (const path of paths) {
    const other = changed[path];
    if (other === null) continue;
    const blob = other === undefined ? await (await fetch(`${repo}/resolve/main/${path}`)).blob() : new Blob([other]);
    await files.keep({ key: specKey(folder), name: key }, `own:${key}/${path}`, blob);
  }
  return folder;
};

export const GLOVE: readonly string[] = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_quantized.onnx',
];
