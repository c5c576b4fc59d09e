import type { OwnModel } from '../../app/model-control.ts';
import { ModelFailure } from '../../engine/model-failure.ts';
import type { ModelSpec } from '../runtimes/model-spec.ts';
import { specKey } from '../runtimes/model-spec.ts';
import type { ModelFiles, ModelRef } from '../store/model-files.ts';

/**
 * The spec of a model of the person's own; files they gave are kept on this machine. Rejects with a ModelFailure that
 * says what is wrong with what they gave.
 */
export const adoptOwn = async (
  model: OwnModel,
  files: () => Promise<ModelFiles>,
  newKey: () => string,
): Promise<ModelSpec> => {
  switch (model.runtime) {
    case 'webllm':
      return {
        runtime: 'webllm',
        modelId: named(model.modelId, 'a name for the model'),
        custom: {
          weights: address(model.weights, 'the folder with the weights'),
          library: address(model.library, 'the compiled library (.wasm)'),
        },
      };
    case 'wllama':
      if ('hub' in model) return { runtime: 'wllama', source: ggufSource(model.hub.trim()), embeds: model.embeds };
      return keepGguf(model.file, model.embeds, await files(), newKey());
    case 'transformers': {
      const { task } = model;
      if ('hub' in model) return transformersSpec({ kind: 'hub', repo: repoOf(model.hub) }, task);
      return keepFolder(model.folder, task, await files(), newKey());
    }
    case 'server': {
      const { baseUrlOf } = await import('../runtimes/server/base-url.ts');
      const { baseUrl, model: name } = model;
      return { runtime: 'server', baseUrl: baseUrlOf(baseUrl), model: named(name, 'a model of the server') };
    }
  }
};

const transformersSpec = (
  source: (ModelSpec & { runtime: 'transformers' })['source'],
  task: 'embed' | 'generate',
): ModelSpec => ({ runtime: 'transformers', task, source, dtype: 'auto', device: 'auto' });

const ggufSource = (text: string): (ModelSpec & { runtime: 'wllama' })['source'] => {
  if (/^https?:\/\//.test(text)) return { kind: 'url', url: text };
  const [owner, name, ...path] = text.split('/');
  if (!owner || !name || path.length === 0 || !text.endsWith('.gguf')) {
    throw wrong('Give the file as owner/name/file.gguf, as on the model’s page of the hub, or a full address.');
  }
  return { kind: 'hub', repo: `${owner}/${name}`, file: path.join('/') };
};

const repoOf = (text: string): string => {
  const repo = text.trim();
  if (!/^[\w.-]+\/[\w.-]+$/.test(repo)) throw wrong('Give the model as owner/name, as on its page of the hub.');
  return repo;
};

const keepGguf = async (file: File, embeds: boolean, files: ModelFiles, key: string): Promise<ModelSpec> => {
  const magic = new TextDecoder().decode(await file.slice(0, 4).arrayBuffer());
  if (magic !== 'GGUF') throw wrong(`${file.name} is no GGUF file. Choose one that ends in .gguf.`);
  const spec: ModelSpec = { runtime: 'wllama', source: { kind: 'file', name: file.name, key }, embeds };
  await files.keep(refOf(spec, file.name), `own:${key}/${file.name}`, file);
  return spec;
};

const keepFolder = async (
  folder: readonly File[],
  task: 'embed' | 'generate',
  files: ModelFiles,
  key: string,
): Promise<ModelSpec> => {
  // A browser gives paths as `folder/config.json`.
  const paths = folder.map((file) => ({
    file,
    path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name,
  }));
  const lacking = ['config.json', 'tokenizer.json'].filter((name) => !paths.some(({ path }) => path === name));
  if (lacking.length > 0 || !paths.some(({ path }) => path.endsWith('.onnx'))) {
    throw wrong(
      `The folder lacks ${[...lacking, ...(paths.some(({ path }) => path.endsWith('.onnx')) ? [] : ['onnx/….onnx'])].join(', ')}. Choose a model’s folder in the layout of the hub.`,
    );
  }
  const name = folder[0]?.webkitRelativePath.split('/')[0] || 'model';
  const spec = transformersSpec({ kind: 'folder', name, key }, task);
  for (const { file, path } of paths) await files.keep(refOf(spec, name), `own:${key}/${path}`, file);
  return spec;
};

const refOf = (spec: ModelSpec, name: string): ModelRef => ({ key: specKey(spec), name });

const named = (text: string, what: string): string => {
  if (text.trim() === '') throw wrong(`Give ${what}.`);
  return text.trim();
};

const address = (text: string, what: string): string => {
  if (!/^https?:\/\//.test(text.trim()))
    throw wrong(`Give the address of ${what}, beginning with https:// or http://.`);
  return text.trim();
};

const wrong = (message: string): ModelFailure => new ModelFailure('unsupported', message);
