import * as z from 'zod/mini';
import { baseName, fileNameIn } from '../../domain/attachment.ts';

/*
 * Identifies a model by what is needed to load it. A spec is what is stored of a user's choice; everything else about a model
 * (size, licence, speed) is in the catalogue, or unknown for a user's own model.
 */

const Text = z.string().check(z.minLength(1));

const WebLlmSpec = z.object({
  runtime: z.literal('webllm'),
  /** An id from WebLLM's own list, or the user's own. */
  modelId: Text,
  /** URLs of the weights folder and of the compiled library; null for WebLLM's own. */
  custom: z.nullable(z.object({ weights: Text, library: Text })),
});
export type WebLlmSpec = z.infer<typeof WebLlmSpec>;

const WllamaSpec = z.object({
  runtime: z.literal('wllama'),
  source: z.discriminatedUnion('kind', [
    /** `repo` is `owner/name`; `file` is the path within it (the first file of a split model). */
    z.object({ kind: z.literal('hub'), repo: Text, file: Text }),
    z.object({ kind: z.literal('url'), url: Text }),
    /** A file from the user, kept in the model store under this key. */
    z.object({ kind: z.literal('file'), name: Text, key: Text }),
  ]),
  /** Whether it is an embedding model, which would chat badly. */
  embeds: z.boolean(),
});
export type WllamaSpec = z.infer<typeof WllamaSpec>;

const TransformersSpec = z.object({
  runtime: z.literal('transformers'),
  task: z.enum(['embed', 'generate']),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('hub'), repo: Text }),
    /** A folder from the user, kept in the model store under this key. */
    z.object({ kind: z.literal('folder'), name: Text, key: Text }),
  ]),
  dtype: z.enum(['auto', 'fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4']),
  device: z.enum(['auto', 'webgpu', 'wasm']),
});
export type TransformersSpec = z.infer<typeof TransformersSpec>;

/** Files that such a model needs besides its weights. */
export const REPO_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;

const PromptApiSpec = z.object({ runtime: z.literal('prompt-api') });
export type PromptApiSpec = z.infer<typeof PromptApiSpec>;

const ServerSpec = z.object({
  runtime: z.literal('server'),
  /** Up to and including `/v1`, without a trailing slash. */
  baseUrl: Text,
  model: Text,
  /** Context window in tokens, if set by the user; otherwise taken from the server. */
  window: z.optional(z.int().check(z.positive())),
});
export type ServerSpec = z.infer<typeof ServerSpec>;

export const ModelSpec = z.discriminatedUnion('runtime', [
  WebLlmSpec,
  WllamaSpec,
  TransformersSpec,
  PromptApiSpec,
  ServerSpec,
]);
export type ModelSpec = z.infer<typeof ModelSpec>;

/** A key that is the same for the same model; used in settings, states and the list of stored models. */
export const specKey = (spec: ModelSpec): string => {
  switch (spec.runtime) {
    case 'webllm':
      return `webllm:${spec.modelId}${spec.custom === null ? '' : `@${spec.custom.weights}`}`;
    case 'wllama':
      switch (spec.source.kind) {
        case 'hub':
          return `wllama:${spec.source.repo}/${spec.source.file}`;
        case 'url':
          return `wllama:${spec.source.url}`;
        case 'file':
          return `wllama:file:${spec.source.key}`;
      }
      break;
    case 'transformers':
      return `transformers:${spec.source.kind === 'hub' ? spec.source.repo : `folder:${spec.source.key}`}:${spec.dtype}:${spec.device}`;
    case 'prompt-api':
      return 'prompt-api';
    case 'server':
      return `server:${spec.baseUrl}:${spec.model}`;
  }
};

/** What the user may have changed of a model that stays the same: the window that callers plan with, or the library that runs it. */
export const specVariant = (spec: ModelSpec): string => {
  if (spec.runtime === 'server') return String(spec.window ?? '');
  return spec.runtime === 'webllm' ? (spec.custom?.library ?? '') : '';
};

/** Whether a key is that of a model on this server. */
export const isOnServer = (key: string, baseUrl: string): boolean => key.startsWith(`server:${baseUrl}:`);

/** A model's display name. */
export const specName = (spec: ModelSpec): string => {
  switch (spec.runtime) {
    case 'webllm':
      return spec.modelId;
    case 'wllama': {
      const { source } = spec;
      return source.kind === 'url'
        ? fileNameIn(source.url)
        : baseName(source.kind === 'hub' ? source.file : source.name);
    }
    case 'transformers':
      return baseName(spec.source.kind === 'hub' ? spec.source.repo : spec.source.name);
    case 'prompt-api':
      return 'Browser’s own model';
    case 'server':
      return spec.model;
  }
};
