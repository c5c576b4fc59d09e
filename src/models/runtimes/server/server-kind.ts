import type { Dialect } from './dialect.ts';
import type { ListedModel } from './model-list.ts';

/** Servers that are told apart because they differ in what they tell and how a reply is gone on with. */
export type ServerKind = 'vllm' | 'llama.cpp' | 'ollama' | 'lm-studio' | 'other';

/** Where Ollama listens unless told otherwise. */
const OLLAMA_PORT = '11434';

export const serverKind = (baseUrl: string, entry: ListedModel | undefined): ServerKind => {
  if (entry?.max_model_len) return 'vllm';
  switch (entry?.owned_by) {
    case 'vllm':
    case 'sglang':
      return 'vllm';
    case 'llamacpp':
      return 'llama.cpp';
    case 'organization_owner':
      return 'lm-studio';
    case 'library':
      return 'ollama';
    default:
      return new URL(baseUrl).port === OLLAMA_PORT ? 'ollama' : 'other';
  }
};

/** How a server of a kind is spoken to until it refuses something. */
export const dialectOf = (kind: ServerKind): Dialect => ({
  schema: 'json_schema',
  usage: true,
  limit: 'max_tokens',
  continues: kind === 'vllm' ? 'flag' : kind === 'other' ? 'ask' : 'prefill',
});
