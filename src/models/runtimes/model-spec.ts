import * as z from 'zod/mini';

/*
 * Which model, by what it is loaded with. A spec is what is kept of a person's choice; everything else about a model
 * (size, licence, how fast) is in the catalogue, or unknown for a model of the person's own.
 */

const Text = z.string().check(z.minLength(1));

const WebLlmSpec = z.object({
  runtime: z.literal('webllm'),
  /** An id of WebLLM's own list, or the person's own. */
  modelId: Text,
  /** Addresses of the weights' folder and of the compiled library; null for WebLLM's own. */
  custom: z.nullable(z.object({ weights: Text, library: Text })),
});
export type WebLlmSpec = z.infer<typeof WebLlmSpec>;

const WllamaSpec = z.object({
  runtime: z.literal('wllama'),
  source: z.discriminatedUnion('kind', [
    /** `repo` is `owner/name`; `file` its path in there (the first of a split model). */
    z.object({ kind: z.literal('hub'), repo: Text, file: Text }),
    z.object({ kind: z.literal('url'), url: Text }),
    /** A file that the person gave; it is kept in the model store under this key. */
    z.object({ kind: z.literal('file'), name: Text, key: Text }),
  ]),
  /** What it may be used for: an embedding model chats badly. */
  embeds: z.boolean(),
});
export type WllamaSpec = z.infer<typeof WllamaSpec>;

const TransformersSpec = z.object({
  runtime: z.literal('transformers'),
  task: z.enum(['embed', 'generate']),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('hub'), repo: Text }),
    /** A folder that the person gave, kept in the model store under this key. */
    z.object({ kind: z.literal('folder'), name: Text, key: Text }),
  ]),
  dtype: z.enum(['auto', 'fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4']),
  device: z.enum(['auto', 'webgpu', 'wasm']),
});
export type TransformersSpec = z.infer<typeof TransformersSpec>;

const PromptApiSpec = z.object({ runtime: z.literal('prompt-api') });
export type PromptApiSpec = z.infer<typeof PromptApiSpec>;

const ServerSpec = z.object({
  runtime: z.literal('server'),
  /** Up to and with `/v1`, no slash at the end. */
  baseUrl: Text,
  model: Text,
  /** Tokens of its window, where the person says so; else what the server tells. */
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

/** The same for the same model: names it in settings, states and the list of what is kept. */
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

/** How a model is called where people read it. */
export const specName = (spec: ModelSpec): string => {
  switch (spec.runtime) {
    case 'webllm':
      return spec.modelId;
    case 'wllama':
      return fileName(
        spec.source.kind === 'hub' ? spec.source.file : spec.source.kind === 'url' ? spec.source.url : spec.source.name,
      );
    case 'transformers':
      return fileName(spec.source.kind === 'hub' ? spec.source.repo : spec.source.name);
    case 'prompt-api':
      return 'Browser’s own model';
    case 'server':
      return spec.model;
  }
};

const fileName = (path: string): string => path.split('/').at(-1) ?? path;
